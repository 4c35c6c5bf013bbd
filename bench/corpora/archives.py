"""Archives, read member by member in memory and never written to disk.

A first pass checks all names and sizes. A second pass reads the files that the filter accepts. Tar
archives are streamed, so that a header that points backwards is an error instead of an endless
loop.
"""

import gzip
import io
import lzma
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, BinaryIO, Literal

from bench.corpora.addresses import on_one_line
from bench.corpora.file_filter import FileFilter
from bench.corpora.names import leaves_its_tree, normal, shared_folder
from bench.errors import SourceError, UnsafeArchiveError

_DAMAGE = (
    OverflowError,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    NotImplementedError,
    ValueError,
)
_ZIP_MARKS = (b"PK\x03\x04", b"PK\x05\x06")
_GZIP_MARK = b"\x1f\x8b"
_RATIO_COUNTS_FROM = 32 * 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """Limits of an archive. An archive beyond them is refused, a larger member is left out."""

    member_bytes: int = 50 * 1024 * 1024
    total_bytes: int = 2 * 1024 * 1024 * 1024
    members: int = 200_000
    ratio: int = 200
    """Maximum ratio of unpacked to packed bytes, checked above 32 MiB unpacked."""
    directory_bytes: int = 32 * 1024 * 1024
    """Maximum size of a zip's central directory, which is read into memory."""


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True)
class _Member:
    name: str
    size: int
    kind: Literal["file", "link", "special", "encrypted", "folder"]


def read_archive(
    file: BinaryIO, file_filter: FileFilter, *, name: str, limits: Limits = DEFAULT_LIMITS
) -> None:
    """Pass the files of a zip or a gzipped tar to the file filter, without their common top
    folder.

    The paths of a wheel do not change, because it has no top folder.
    """
    file.seek(0)
    mark = file.read(4)
    try:
        if mark in _ZIP_MARKS:
            _read_zip(file, file_filter, name, limits)
        elif mark.startswith(_GZIP_MARK):
            _read_tar(file, file_filter, name, limits)
        else:
            raise SourceError(f"{name}: it is neither a zip nor a gzipped tar; pin another file")
    except _DAMAGE as error:
        reason = on_one_line(str(error)) or type(error).__name__
        raise SourceError(f"{name}: the archive is damaged ({reason}); pin another") from error


class _Metered(io.RawIOBase):
    """A stream that raises an error after more than the allowed bytes."""

    def __init__(self, source: gzip.GzipFile, allowed: int, name: str) -> None:
        self._source, self._left, self._name = source, allowed, name

    def read(self, size: int = -1, /) -> bytes:
        content = self._source.read(size)
        self._left -= len(content)
        if self._left < 0:
            raise _refusal(self._name, "unpacks to more than the limit")
        return content


def _read_tar(file: BinaryIO, file_filter: FileFilter, name: str, limits: Limits) -> None:
    allowed = _allowed_bytes(file, limits)
    listed = []
    for member, _ in _tar_members(file, name, allowed):
        listed.append(member)
        _check_count(len(listed), name, limits)
        _check_name(member, name)
    prefix = _prefix(listed, name)
    for member, content in _tar_members(file, name, allowed):
        path = _wanted(member, file_filter, prefix, limits)
        if path and content:
            file_filter.add(path, content.read())


def _tar_members(
    file: BinaryIO, name: str, allowed: int
) -> Iterator[tuple[_Member, IO[bytes] | None]]:
    file.seek(0)
    with gzip.GzipFile(fileobj=file) as unpacked:
        metered = _Metered(unpacked, allowed, name)
        with tarfile.open(fileobj=metered, mode="r|", encoding="utf-8") as archive:
            for info in archive:
                kind = _tar_kind(info)
                content = archive.extractfile(info) if kind == "file" else None
                yield _Member(info.name, info.size, kind), content


def _tar_kind(info: tarfile.TarInfo) -> Literal["file", "link", "special", "folder"]:
    if info.isdir():
        return "folder"
    if info.issym() or info.islnk():
        return "link"
    # A sparse file claims a size that the archive does not contain.
    return "file" if info.isreg() and not info.issparse() else "special"


class _SmallReads(io.RawIOBase):
    """A file that refuses reads larger than the allowed size of a central directory."""

    def __init__(self, file: BinaryIO, allowed: int, name: str) -> None:
        self._file, self._allowed, self._name = file, allowed, name

    def read(self, size: int = -1, /) -> bytes:
        if size > self._allowed:
            raise _refusal(self._name, "has a larger table of contents than the limit")
        return self._file.read(size)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True


def _read_zip(file: BinaryIO, file_filter: FileFilter, name: str, limits: Limits) -> None:
    small = _SmallReads(file, limits.directory_bytes, name)
    with zipfile.ZipFile(small) as archive:
        infos = archive.infolist()
        _check_count(len(infos), name, limits)
        members = [_zip_member(info) for info in infos]
        for member in members:
            _check_name(member, name)
        if sum(member.size for member in members) > _allowed_bytes(file, limits):
            raise _refusal(name, "unpacks to more than the limit")
        prefix = _prefix(members, name)
        for info, member in zip(infos, members, strict=True):
            path = _wanted(member, file_filter, prefix, limits)
            if path:
                file_filter.add(path, archive.read(info))


def _zip_member(info: zipfile.ZipInfo) -> _Member:
    mode = info.external_attr >> 16
    kind: Literal["file", "link", "special", "encrypted", "folder"] = "file"
    if info.is_dir():
        kind = "folder"
    elif stat.S_ISLNK(mode):
        kind = "link"
    elif stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        kind = "special"
    elif info.flag_bits & 1:
        kind = "encrypted"
    # `filename` is cut at a NUL; `orig_filename` has the full name.
    return _Member(info.orig_filename, info.file_size, kind)


def _wanted(member: _Member, file_filter: FileFilter, prefix: str, limits: Limits) -> str:
    """Return the path of a member to read, or "" if it is left out."""
    if member.kind == "folder":
        return ""
    if member.kind != "file":
        file_filter.leave_out(member.kind)
        return ""
    if member.size > limits.member_bytes:
        file_filter.leave_out("too_large")
        return ""
    path = normal(member.name).removeprefix(prefix)
    return path if file_filter.wants(path, member.size) else ""


def _prefix(members: list[_Member], name: str) -> str:
    if name.endswith(".whl"):
        return ""
    return shared_folder(normal(member.name) for member in members if member.kind == "file")


def _allowed_bytes(file: BinaryIO, limits: Limits) -> int:
    packed = file.seek(0, io.SEEK_END)
    file.seek(0)
    return min(limits.total_bytes, max(packed * limits.ratio, _RATIO_COUNTS_FROM))


def _check_count(count: int, name: str, limits: Limits) -> None:
    if count > limits.members:
        raise _refusal(name, f"has more than {limits.members} members")


def _check_name(member: _Member, name: str) -> None:
    if leaves_its_tree(member.name):
        raise _refusal(name, f"has a member that leaves its folder: {member.name[:200]!r}")


def _refusal(name: str, reason: str) -> UnsafeArchiveError:
    return UnsafeArchiveError(f"{name}: the archive {reason}; it was refused, pin another")
