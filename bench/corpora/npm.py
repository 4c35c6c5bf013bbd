"""An npm tarball as a source. npm itself only provides the registry."""

import base64
import json
import os
import shutil
import subprocess
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import quote

from bench.corpora.addresses import may_be_fetched, redacted
from bench.corpora.archives import read_archive
from bench.corpora.download import digest_of_file, download, get_page, open_client
from bench.corpora.file_filter import FileFilter
from bench.corpora.sources import NpmSource
from bench.errors import HashMismatchError, SourceError, UnreachableError

if TYPE_CHECKING:
    from unearth.fetchers import PyPIClient


def configured_registry(package: str) -> str:
    """Return npm's configured registry for a package."""
    scope, slash, _ = package.partition("/")
    keys = (f"{scope}:registry", "registry") if slash else ("registry",)
    found = next(filter(None, map(_setting_of_npm, keys)), "")
    # npm ignores the case of its variables.
    variables = {name.lower(): value for name, value in os.environ.items()}
    found = found or variables.get("npm_config_registry", "")
    if not found:
        message = (
            f"npm package {package}: no registry is known, for npm is not installed; "
            "set the environment variable npm_config_registry to a registry's URL"
        )
        raise SourceError(message)
    return found


def read_npm(source: NpmSource, file_filter: FileFilter, registry: str) -> None:
    """Pass the files of a package's tarball to the file filter."""
    _check_address(registry, source)
    with TemporaryFile() as file:
        with open_client(index_urls=(registry,)) as client:
            tarball = _tarball_of(client, source, registry)
            _check_address(tarball, source)
            download(client, tarball, file)
        _check_content(file, source)
        read_archive(file, file_filter, name=_name(source))


def _tarball_of(client: "PyPIClient", source: NpmSource, registry: str) -> str:
    package = quote(source.package, safe="@")
    url = f"{registry.rstrip('/')}/{package}/{quote(source.version)}"
    try:
        answer = json.loads(get_page(client, url))
        tarball = answer["dist"]["tarball"]
    except UnreachableError as error:
        raise UnreachableError(f"{_name(source)}: {error.message}") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        message = f"{_name(source)}: {redacted(url)} did not name a tarball; check the registry"
        raise UnreachableError(message) from error
    return str(tarball)


def _check_address(url: str, source: NpmSource) -> None:
    if not may_be_fetched(url):
        message = (
            f"{_name(source)}: {redacted(url)} is neither https nor http of this machine; "
            "use a registry that serves https"
        )
        raise SourceError(message)


def _check_content(file: BinaryIO, source: NpmSource) -> None:
    if source.sha256:
        found = digest_of_file(file, "sha256").hex()
        _compare(found, source.sha256, source)
    if source.integrity:
        algorithm, _, _ = source.integrity.partition("-")
        digest = base64.b64encode(digest_of_file(file, algorithm)).decode()
        _compare(f"{algorithm}-{digest}", source.integrity, source)


def _compare(found: str, expected: str, source: NpmSource) -> None:
    if found != expected:
        message = (
            f"{_name(source)}: the tarball has {found}, expected {expected}; "
            "correct the pin if the new content is what you want"
        )
        raise HashMismatchError(message)


def _setting_of_npm(key: str) -> str:
    npm = shutil.which("npm")
    if npm is None:
        return ""
    command = [npm, "config", "get", key]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    value = done.stdout.strip()
    return value if done.returncode == 0 and value != "undefined" else ""


def _name(source: NpmSource) -> str:
    return f"npm package {source.package} {source.version}"
