"""Pinned sources of repositories, and their parsing from settings.

A source is a parameter of a stage, so it has plain fields and is equal by content.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields

from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import InvalidVersion, Version

from bench.corpora.addresses import fault_of_git_address, redacted
from bench.errors import SettingError, nearest


@dataclass(frozen=True)
class LocalSource:
    """A local folder, identified by the digest of its content."""

    path: str


@dataclass(frozen=True)
class GitSource:
    """A commit of a git repository, or a folder of it. Paths are relative to that folder."""

    url: str
    commit: str
    folder: str = ""


@dataclass(frozen=True)
class PypiSource:
    """A file of a Python package: an sdist or a wheel."""

    package: str
    version: str
    file: str
    sha256: str


@dataclass(frozen=True)
class NpmSource:
    """The tarball of an npm package, pinned by SHA-256 or by npm's `integrity`."""

    package: str
    version: str
    sha256: str = ""
    integrity: str = ""


Source = LocalSource | GitSource | PypiSource | NpmSource


def pin_of(source: Source) -> str:
    """Return a pin that identifies the same content on every machine, or "" for a local folder."""
    if isinstance(source, GitSource):
        within = f" folder {source.folder}" if source.folder else ""
        return f"git {redacted(source.url)}@{source.commit}{within}"
    if isinstance(source, PypiSource):
        return f"pypi {source.package}=={source.version} {source.file} sha256:{source.sha256}"
    if isinstance(source, NpmSource):
        digest = f"sha256:{source.sha256}" if source.sha256 else source.integrity
        return f"npm {source.package}@{source.version} {digest}"
    return ""


_KINDS: dict[str, type[Source]] = {
    "local": LocalSource,
    "git": GitSource,
    "pypi": PypiSource,
    "npm": NpmSource,
}
_SHA256 = re.compile(r"[0-9a-f]{64}")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_INTEGRITY = re.compile(r"sha(256|384|512)-[A-Za-z0-9+/]+={0,2}")
_PYPI_NAME = re.compile(r"[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?")
_NPM_NAME = re.compile(r"(@[a-z0-9~][\w.~-]*/)?[A-Za-z0-9~_][\w.~-]*")
_VERSION = re.compile(r"[A-Za-z0-9][\w.!+-]*")
_FILE = re.compile(r"[A-Za-z0-9_][\w.!+-]*\.(tar\.gz|tgz|zip|whl)")


def parse_source(mapping: Mapping[str, object], where: str) -> Source:
    """Return the source that a mapping with `kind` describes."""
    kind = mapping.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        message = f"{where}.kind: {kind!r} is not a kind of source"
        raise SettingError(f"{message}; {nearest(str(kind), _KINDS)}")
    values = {str(name): value for name, value in mapping.items() if name != "kind"}
    _check_keys(values, kind, where)
    source = _KINDS[kind](**{name: _text(value, name, where) for name, value in values.items()})
    fault = fault_of(source)
    if fault:
        raise SettingError(f"{where}.{fault}")
    return source


def fault_of(source: Source) -> str:
    """Return the wrong field of a source with the reason, or ""."""
    match source:
        case LocalSource():
            return "" if source.path else "path: it is empty; give the folder to read"
        case GitSource():
            return _fault_of_git(source)
        case PypiSource():
            return _fault_of_pypi(source)
        case NpmSource():
            return _fault_of_npm(source)


def _fault_of_git(source: GitSource) -> str:
    fault = fault_of_git_address(source.url)
    if fault:
        return f"url: {fault}"
    if not _COMMIT.fullmatch(source.commit):
        return (
            f"commit: {source.commit!r} is not the 40 hexadecimal digits of a commit; "
            "`git rev-parse` prints them"
        )
    parts = source.folder.split("/")
    if source.folder and any(part in ("", ".", "..") for part in parts):
        return f"folder: {source.folder!r} is not a folder's path within the repository"
    return ""


def _fault_of_pypi(source: PypiSource) -> str:
    return (
        _mismatch("package", source.package, _PYPI_NAME, "the name of a Python package")
        or _mismatch("version", source.version, _VERSION, "a version")
        or _mismatch("file", source.file, _FILE, "the name of an sdist or a wheel")
        or _mismatch("sha256", source.sha256, _SHA256, "64 hexadecimal digits")
        or _fault_of_file(source)
    )


def _fault_of_file(source: PypiSource) -> str:
    """Return a mismatch between the file's name and the package or version, or ""."""
    try:
        version = Version(source.version)
        if source.file.endswith(".whl"):
            found_name, found_version, _, _ = parse_wheel_filename(source.file)
        else:
            found_name, found_version = parse_sdist_filename(source.file)
    except (InvalidVersion, InvalidWheelFilename, InvalidSdistFilename):
        return ""
    if (found_name, found_version) == (canonicalize_name(source.package), version):
        return ""
    pinned = f"{source.package} {source.version}"
    return f"file: {source.file!r} is {found_name} {found_version}, not {pinned}; correct one"


def _fault_of_npm(source: NpmSource) -> str:
    fault = _mismatch("package", source.package, _NPM_NAME, "the name of an npm package")
    fault = fault or _mismatch("version", source.version, _VERSION, "a version")
    if fault:
        return fault
    if not source.sha256 and not source.integrity:
        return "sha256: it is missing; give the tarball's sha256, or npm's integrity"
    if source.sha256:
        fault = _mismatch("sha256", source.sha256, _SHA256, "64 hexadecimal digits")
    if source.integrity and not fault:
        form = "npm's sha512-… digest of the tarball"
        fault = _mismatch("integrity", source.integrity, _INTEGRITY, form)
    return fault


def _mismatch(name: str, value: str, form: re.Pattern[str], what: str) -> str:
    return "" if form.fullmatch(value) else f"{name}: {value!r} is not {what}; correct it"


def _check_keys(values: Mapping[str, object], kind: str, where: str) -> None:
    known = {field.name: field for field in fields(_KINDS[kind])}
    for name in values:
        if name not in known:
            message = f"{where}.{name}: a {kind} source has no such key"
            raise SettingError(f"{message}; {nearest(name, known)}")
    for name, field in known.items():
        if name not in values and field.default is MISSING:
            raise SettingError(f"{where}.{name}: a {kind} source needs it; add {name}: …")


def _text(value: object, name: str, where: str) -> str:
    if not isinstance(value, str):
        kind = type(value).__name__
        message = f'{where}.{name}: it must be text, not {kind}; put it in quotes: "…"'
        raise SettingError(message)
    as_read: dict[str, Callable[[str], str]] = {
        "commit": str.lower,
        "sha256": str.lower,
        "folder": lambda folder: folder.strip("/"),
    }
    return as_read.get(name, str)(value)
