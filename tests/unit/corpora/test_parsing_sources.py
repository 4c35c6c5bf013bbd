"""What a source may be in a file of settings, and what each mistake is answered with."""

from collections.abc import Mapping

import pytest

from bench.corpora import (
    GitSource,
    LocalSource,
    NpmSource,
    PypiSource,
    Source,
    parse_source,
    pin_of,
)
from bench.errors import SettingError

SHA256 = "ab" * 32
COMMIT = "0123456789" * 4
GIT = {"kind": "git", "url": "https://example.org/p", "commit": COMMIT}
PYPI = {
    "kind": "pypi",
    "package": "Demo_Package",
    "version": "1.0",
    "file": "demo_package-1.0.tar.gz",
    "sha256": SHA256,
}
NPM = {"kind": "npm", "package": "@scope/demo", "version": "1.0.0", "sha256": SHA256}


@pytest.mark.parametrize(
    ("mapping", "source"),
    [
        ({"kind": "local", "path": "../tree"}, LocalSource("../tree")),
        (GIT, GitSource("https://example.org/p", COMMIT)),
        (
            {**GIT, "commit": "AB" * 20, "folder": "src/"},
            GitSource("https://example.org/p", "ab" * 20, "src"),
        ),
        (PYPI, PypiSource("Demo_Package", "1.0", "demo_package-1.0.tar.gz", SHA256)),
        (
            {**PYPI, "sha256": SHA256.upper()},
            PypiSource("Demo_Package", "1.0", PYPI["file"], SHA256),
        ),
        (NPM, NpmSource("@scope/demo", "1.0.0", SHA256)),
        (
            {"kind": "npm", "package": "demo", "version": "1.0.0", "integrity": "sha512-AAAA=="},
            NpmSource("demo", "1.0.0", integrity="sha512-AAAA=="),
        ),
    ],
)
def test_a_mapping_becomes_a_source(mapping: Mapping[str, object], source: Source) -> None:
    assert parse_source(mapping, "repositories.demo") == source


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ({}, ["kind", "git, local, npm, pypi"]),
        ({"kind": "gti"}, ["kind", "did you mean git?"]),
        ({"kind": ["git"]}, ["kind"]),
        ({**GIT, "comit": "x"}, ["comit", "did you mean commit?"]),
        ({"kind": "git", "url": "https://example.org/p"}, ["commit", "needs it"]),
        ({**GIT, "commit": "main"}, ["commit", "40 hexadecimal"]),
        ({**GIT, "commit": "-" + COMMIT[1:]}, ["commit", "40 hexadecimal"]),
        ({**GIT, "commit": 123}, ["commit", "text, not int", "quotes"]),
        ({**GIT, "url": "ext::sh"}, ["url", "transport"]),
        ({**GIT, "folder": "a/../../b"}, ["folder"]),
        ({**PYPI, "version": 1.0}, ["version", "text, not float", "quotes"]),
        ({**PYPI, "sha256": "abc"}, ["sha256", "64 hexadecimal"]),
        ({**PYPI, "sha256": SHA256 + "\n"}, ["sha256", "64 hexadecimal"]),
        ({**PYPI, "file": "../demo-1.0.tar.gz"}, ["file"]),
        ({**PYPI, "file": "demo_package-2.0.tar.gz"}, ["file", "demo-package 2.0", "1.0"]),
        ({**PYPI, "file": "other-1.0-py3-none-any.whl"}, ["file", "other 1.0"]),
        ({**PYPI, "package": "-r requirements"}, ["package"]),
        ({"kind": "npm", "package": "demo", "version": "1.0.0"}, ["sha256", "integrity"]),
        ({**NPM, "integrity": "md5-AAAA"}, ["integrity"]),
        ({**NPM, "package": "../demo"}, ["package"]),
        ({**NPM, "version": "1.0.0/../x"}, ["version"]),
        ({"kind": "local", "path": ""}, ["path", "empty"]),
        ({"kind": "local", "path": None}, ["path", "NoneType"]),
    ],
)
def test_a_mistake_is_named_with_its_remedy(
    mapping: Mapping[str, object], words: list[str]
) -> None:
    with pytest.raises(SettingError) as caught:
        parse_source(mapping, "repositories.demo")

    message = caught.value.message
    assert message.startswith("repositories.demo.")
    assert [word for word in words if word not in message] == []
    assert "\n" not in message


def test_the_secret_of_an_address_is_not_in_the_error() -> None:
    mapping = {**GIT, "url": "https://user:hunter2@example.org/p"}

    with pytest.raises(SettingError) as caught:
        parse_source(mapping, "repositories.demo")

    assert "hunter2" not in caught.value.message
    assert "credentials" in caught.value.message


def test_a_missing_key_that_has_a_default_is_not_missed() -> None:
    assert parse_source(GIT, "x") == parse_source({**GIT, "folder": ""}, "x")


def test_a_pin_names_the_content_and_nothing_of_this_machine() -> None:
    """A pin identifies the documents; a folder of one machine is not a pin."""
    git, pypi, npm = (parse_source(one, "x") for one in (GIT, PYPI, NPM))

    assert pin_of(git) == f"git https://example.org/p@{COMMIT}"
    assert pin_of(pypi) == f"pypi Demo_Package==1.0 demo_package-1.0.tar.gz sha256:{SHA256}"
    assert pin_of(npm) == f"npm @scope/demo@1.0.0 sha256:{SHA256}"
    assert pin_of(LocalSource("/home/somebody/secret")) == ""
