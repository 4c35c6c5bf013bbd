"""Which addresses are accepted, and that no message repeats a secret."""

import pytest

from bench.corpora.addresses import (
    fault_of_git_address,
    is_loopback,
    may_be_fetched,
    redacted,
    transport_of,
)


@pytest.mark.parametrize(
    ("address", "transport"),
    [
        ("https://example.org/team/project.git", "https"),
        ("https://example.org:8443/project", "https"),
        ("ssh://git@example.org/project.git", "ssh"),
        ("ssh://example.org:2222/project.git", "ssh"),
        ("git@example.org:team/project.git", "ssh"),
        ("file:///srv/project.git", "file"),
        ("/srv/project.git", "file"),
        ("../project", "file"),
        ("./odd:name", "file"),
    ],
)
def test_an_accepted_address_has_its_one_transport(address: str, transport: str) -> None:
    assert fault_of_git_address(address) == ""
    assert transport_of(address) == transport


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ext::sh -c 'touch marker'",
        "fd::17",
        "https::https://example.org/project",
        "http://example.org/project",
        "git://example.org/project",
        "file:relative",
        "file://host/srv/project",
        "file:///srv/project?depth=1",
        "-uupload-pack=touch",
        "--upload-pack=touch",
        "ssh://-oProxyCommand=touch/project",
        "-oProxyCommand=touch:project",
        "https://example.org/project\n[core]",
        "https://example.org/project?token=1",
        "host:path::more@x",
    ],
)
def test_an_address_that_may_do_harm_is_refused(address: str) -> None:
    fault = fault_of_git_address(address)

    assert fault != ""
    assert "\n" not in fault


@pytest.mark.parametrize(
    "address",
    [
        "https://user:hunter2@example.org/project",
        "https://hunter2@example.org/project",
        "https://user:hun/hunter2@example.org/project",
        "https://user:12/hunter2@example.org/project",
        "ssh://git:hunter2@example.org/project",
        "git:hunter2@example.org:project",
        "https://example.org/project?access_token=hunter2",
        "https://example.org/project#hunter2",
        "http://user:hunter2@example.org/project",
    ],
)
def test_credentials_are_refused_and_not_repeated(address: str) -> None:
    fault = fault_of_git_address(address)

    assert fault != ""
    assert "hunter2" not in fault
    assert "hunter2" not in redacted(address)


def test_what_is_not_secret_stays_readable() -> None:
    shown = redacted("https://user:hunter2@example.org/project?x=1")

    assert shown == "https://***@example.org/project"


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://example.org/x", True),
        ("http://127.0.0.1:8080/x", True),
        ("http://[::1]:8080/x", True),
        ("http://localhost/x", True),
        ("http://example.org/x", False),
        ("http://localhost.example.org/x", False),
        ("http://127.0.0.1@example.org/x", False),
        ("file:///etc/hostname", False),
        ("ftp://127.0.0.1/x", False),
        ("http://[broken/x", False),
    ],
)
def test_plain_http_is_for_this_machine_only(url: str, allowed: bool) -> None:
    assert may_be_fetched(url) is allowed


def test_a_host_name_that_only_looks_local_is_not_loopback() -> None:
    assert is_loopback("127.0.0.1")
    assert not is_loopback("127.0.0.1.example.org")
