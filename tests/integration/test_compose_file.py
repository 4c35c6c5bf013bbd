"""The compose file: valid, closed to other machines, and never open by omission."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

_ROOT = Path(__file__).resolve().parents[2]
_FILE = _ROOT / "docker-compose.yml"
_DOCKERFILE = _ROOT / "docker" / "Dockerfile"
_SERVICES = ("mlflow", "qdrant", "ray-head", "ray-worker")


def _compose() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(_FILE.read_text())
    return content


def _binary() -> list[str] | None:
    if shutil.which("docker-compose"):
        return ["docker-compose"]
    plugin = ["docker", "compose"]
    if shutil.which("docker") and not _run([*plugin, "version"]).returncode:
        return plugin
    return None


def _run(command: list[str], **environment: str) -> "subprocess.CompletedProcess[str]":
    known = {name: value for name, value in os.environ.items() if name != "RAY_AUTH_TOKEN"}
    return subprocess.run(
        command,
        cwd=_ROOT,
        env={**known, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


needs_compose = pytest.mark.skipif(
    _binary() is None, reason="neither docker-compose nor docker's compose plugin is installed"
)


def test_the_file_follows_the_compose_schema() -> None:
    """The schema knows keys and types."""
    checker = str(Path(sys.executable).with_name("check-jsonschema"))

    checked = _run([checker, "--builtin-schema", "vendor.compose-spec", str(_FILE)])

    assert checked.returncode == 0, checked.stdout + checked.stderr


@needs_compose
def test_compose_itself_accepts_the_file() -> None:
    """Compose resolves what a schema cannot: anchors, variables and references."""
    checked = _run([*(_binary() or []), "config"], RAY_AUTH_TOKEN="a-token-for-the-test")  # noqa: S106 - no secret

    assert checked.returncode == 0, checked.stderr
    assert set(yaml.safe_load(checked.stdout)["services"]) == set(_SERVICES)


@needs_compose
@pytest.mark.parametrize("environment", [{}, {"RAY_AUTH_TOKEN": ""}], ids=["unset", "empty"])
def test_compose_refuses_to_start_without_a_token(environment: dict[str, str]) -> None:
    """A cluster without a token runs anybody's code."""
    checked = _run([*(_binary() or []), "config"], **environment)

    assert checked.returncode != 0
    assert "RAY_AUTH_TOKEN" in checked.stderr


def test_the_services_are_those_of_the_documentation() -> None:
    """A service that is added must be looked at here."""
    assert set(_compose()["services"]) == set(_SERVICES)


def test_every_published_port_is_bound_to_the_loopback_interface() -> None:
    """A port without an address is published to the whole network, past most firewalls."""
    services = _compose()["services"].values()

    ports = [port for service in services for port in service.get("ports", ())]

    assert len(ports) == 3
    for port in ports:
        assert re.fullmatch(r"127\.0\.0\.1:(\d+):\1", port)


@pytest.mark.parametrize("service", _SERVICES)
def test_no_service_goes_around_its_network_or_gets_more_rights(service: str) -> None:
    """The network of the host would publish everything that listens."""
    settings = _compose()["services"][service]

    assert settings.keys().isdisjoint({"network_mode", "privileged", "cap_add", "pid", "ipc"})
    assert settings["cap_drop"] == ["ALL"]
    assert settings["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.parametrize("service", _SERVICES)
def test_every_service_has_a_health_check(service: str) -> None:
    """`--wait` waits for nothing without one."""
    assert _compose()["services"][service]["healthcheck"]["test"][0] == "CMD"


@pytest.mark.parametrize("service", ["ray-head", "ray-worker"])
def test_ray_is_reached_from_its_own_network_only(service: str) -> None:
    """Studies are started inside, so nothing of Ray needs a port on the machine."""
    assert "ports" not in _compose()["services"][service]


@pytest.mark.parametrize("service", ["ray-head", "ray-worker"])
def test_ray_takes_nobody_without_the_token(service: str) -> None:
    """The token comes from the environment, and there is no default."""
    environment = _compose()["services"][service]["environment"]

    assert environment["RAY_AUTH_MODE"] == "token"
    assert environment["RAY_AUTH_TOKEN"].startswith("${RAY_AUTH_TOKEN:?")


def test_the_nodes_share_one_store() -> None:
    """Artifacts travel through it, and models are fetched into it."""
    services = _compose()["services"]

    for node in ("ray-head", "ray-worker"):
        assert "store:/app/.rankgrid" in services[node]["volumes"]
        assert services[node]["environment"]["RANKGRID_MODELS"] == "/app/.rankgrid/models"


def test_data_outlives_its_container() -> None:
    """Every volume is named, declared and no folder of the machine."""
    compose = _compose()
    mounts = [m for service in compose["services"].values() for m in service["volumes"]]

    used = {mount.split(":")[0] for mount in mounts}

    assert used == set(compose["volumes"])


def test_foreign_images_are_pinned() -> None:
    """An image that moves is another program tomorrow."""
    services = _compose()["services"].values()

    foreign = [service["image"] for service in services if "build" not in service]

    assert foreign
    for image in foreign:
        assert re.search(r":v\d+\.\d+\.\d+$", image)


def test_mlflow_answers_only_to_its_own_names() -> None:
    """A foreign Host header is how a web page reaches a server on this machine."""
    command = _compose()["services"]["mlflow"]["command"]

    (hosts,) = (each for each in command if each.startswith("--allowed-hosts="))

    assert "*" not in hosts
    assert "mlflow:5000" in hosts


def test_the_image_runs_without_root_from_the_pinned_versions() -> None:
    """The last USER counts, and every install is constrained."""
    lines = _DOCKERFILE.read_text().splitlines()

    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    installs = [line for line in lines if "pip install" in line]

    assert users == ["10001:10001"]
    assert installs
    assert all("--constraint constraints.txt" in line for line in installs)


def test_everything_that_the_image_copies_exists_and_is_let_through() -> None:
    """What the ignore file forgets fails the build; what it lets through may be secret."""
    lines = _DOCKERFILE.read_text().splitlines()
    ignored = (_DOCKERFILE.parent / "Dockerfile.dockerignore").read_text().splitlines()

    copied = {name for line in lines if line.startswith("COPY ") for name in line.split()[1:-1]}

    assert copied == {line[1:] for line in ignored if line.startswith("!")}
    assert ignored[1] == "*"
    for name in copied:
        assert (_ROOT / name).exists()
