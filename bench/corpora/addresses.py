"""Checks of addresses before a connection, and their display without secrets."""

import ipaddress
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bench.errors import SettingError

_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f]")
_HTTPS = re.compile(r"https://(?P<host>[A-Za-z0-9][\w.-]*|\[[0-9A-Fa-f:.]+\])(:\d+)?(/[^?#@]*)?")
_SSH = re.compile(r"ssh://([A-Za-z0-9][\w.-]*@)?[A-Za-z0-9][\w.-]*(:\d+)?/[^?#@]+")
_SCP = re.compile(
    r"(?!(file|https?|ssh|git|ftps?):)([A-Za-z0-9][\w.-]*@)?[A-Za-z0-9][\w.-]+:(?!:)[^@]+"
)
_FILE = re.compile(r"file:///[^?#]*")
_TRANSPORT = re.compile(r"[A-Za-z0-9+.-]+::")
_ACCEPTED = "give an https://, ssh:// or user@host:path address, or the path of a local repository"


def redacted(address: str) -> str:
    """Return an address on one line, without user, password, query and fragment."""
    bare = re.split(r"[?#]", _CONTROL.sub(" ", address), maxsplit=1)[0]
    scheme, is_url, rest = bare.partition("://")
    if is_url:
        return f"{scheme}://{_without_user(rest)}"
    return bare if bare.startswith((".", "/")) else _without_user(bare)


def on_one_line(text: str) -> str:
    """Return another program's output as one short line without control characters."""
    return " ".join(_CONTROL.sub(" ", text).split())[:300]


def is_loopback(host: str) -> bool:
    """Return True if a host name or address is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def may_be_fetched(url: str) -> bool:
    """Return True for an https URL, or an http URL of this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host))


def fault_of_git_address(address: str) -> str:
    """Return the problem with a git address, or ""."""
    shown = redacted(address)
    if not address or _CONTROL.search(address.replace(" ", "")):
        return f"{shown!r} is not the address of a repository; {_ACCEPTED}"
    if address.startswith("-"):
        return f"{shown!r} begins with a dash, which git would read as an option; {_ACCEPTED}"
    if _TRANSPORT.match(address):
        return f"{shown!r} names a transport that may run commands; {_ACCEPTED}"
    if _has_secret(address):
        return f"{shown!r} carries credentials; use ssh with a key, or a local clone"
    if transport_of(address):
        return ""
    return f"{shown!r} cannot be fetched from; {_ACCEPTED}"


def transport_of(address: str) -> str:
    """Return the git transport of an address (https, ssh or file), or ""."""
    if _HTTPS.fullmatch(address):
        return "https"
    if _FILE.fullmatch(address):
        return "file"
    if "://" in address:
        return "ssh" if _SSH.fullmatch(address) else ""
    if ":" not in address.split("/", maxsplit=1)[0]:
        return "file"
    return "ssh" if _SCP.fullmatch(address) else ""


def local_folder_of(address: str) -> Path:
    """Return the folder of a local git address."""
    if address.startswith("file://"):
        return Path(unquote(address.removeprefix("file://")))
    return Path(address).expanduser().resolve()


def named_folder(address: str, base: Path) -> Path:
    """Return the folder of a path relative to `base`, or of a file:// URL.

    A URL can only name an absolute path: no other machine and no query.
    """
    if not address.lower().startswith("file:"):
        return (base / Path(address).expanduser()).resolve()
    folder = unquote(address.removeprefix("file://"))
    if not _FILE.fullmatch(address) or "\0" in folder:
        message = (
            f"{redacted(address)!r} does not name a folder of this machine; "
            "write file:/// and the path, without host, query and fragment"
        )
        raise SettingError(message)
    return Path(folder).resolve()


def _without_user(text: str) -> str:
    _, at, place = text.rpartition("@")
    return f"***@{place}" if at else text


def _has_secret(address: str) -> bool:
    scheme, is_url, rest = address.partition("://")
    if not is_url:
        user, at, _ = address.partition("@")
        return bool(at) and ":" in user and "/" not in user.partition(":")[0]
    user, at, _ = rest.rpartition("@")
    return bool(at) and (scheme != "ssh" or ":" in user)
