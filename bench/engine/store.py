"""Store of artifacts: content-checked files under any fsspec URL.

A file is a line with the sha256 of its name and the rest, a line with its cost and the sha256 of
that, a line of JSON with the recipe, and the payload. The file is written under another name and
renamed, so a reader sees all of it or nothing. A file that fails its check counts as absent: it is
damaged, or belongs at another address.

A large payload that is similar to an earlier one of its kind and repository is stored as a delta.
Its file names the artifact with the rest, and counts as absent if that artifact is absent.
"""

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fsspec
from fsspec.core import url_to_fs
from fsspec.implementations.memory import MemoryFileSystem

from bench.engine.artifact_file import (
    HEAD_LINES,
    ArtifactFile,
    Cost,
    address,
    cost_of,
    digest_of_file,
    head_of,
    is_address,
    parsed,
)
from bench.engine.deltas import delta_from, joined
from bench.engine.stage import Stage
from bench.engine.usage import note_bytes
from bench.errors import OutputError, SettingError
from bench.files import create_ignored, write_whole
from bench.printable import one_line

FOLDERS = ("artifacts", "contents")
_DIGEST_BYTES = 64
_HEAD_BYTES = 4096
"""Bytes at the beginning of a file that nearly always contain its digest and its cost."""
_LARGE_BYTES = 100_000
"""Smallest payload, in bytes, that may be stored as a delta."""


@dataclass(frozen=True)
class Artifact:
    """Stored result of a stage, as bytes, with its cost."""

    payload: bytes
    cost: Cost


@dataclass(frozen=True)
class Base:
    """Payload that a delta may start from, with its fingerprint."""

    fingerprint: str
    payload: bytes


class ArtifactStore:
    """Stored results, addressed by the fingerprints of their stages."""

    def __init__(self, url: str, *, most_bytes: int | None = None) -> None:
        self.url = url
        self.most_bytes = most_bytes
        """Size limit in bytes that studies enforce; None for no limit."""
        self._files, self._root = url_to_fs(url)
        self._is_local = isinstance(self._files, fsspec.implementations.local.LocalFileSystem)
        self.is_private = isinstance(self._files, MemoryFileSystem)
        """Whether no other process can read the store."""

    @property
    def root(self) -> Path | None:
        """Folder of a local store; None for other stores."""
        return Path(self._root) if self._is_local else None

    @property
    def folders(self) -> tuple[Path, ...]:
        """Folders of a local store that hold its files; empty for other stores."""
        return tuple(self.root / name for name in FOLDERS) if self.root else ()

    def has(self, stage: Stage[Any]) -> bool:
        """Whether there is a file for `stage`; reading it may still find it damaged."""
        return bool(self._files.exists(self._place(stage)))

    def load(self, stage: Stage[Any]) -> Artifact | None:
        """Return the artifact of `stage`, or None if it is absent or damaged."""
        return self.load_at(stage.kind, stage.fingerprint)

    def load_at(self, kind: str, fingerprint: str) -> Artifact | None:
        """Return the artifact at an address, or None if it is absent or damaged."""
        found = self._file_at(kind, fingerprint)
        if found is None or not found.base:
            return Artifact(found.rest, found.cost) if found else None
        base = self.whole_at(kind, found.base)
        payload = joined(base.rest, found.rest) if base is not None else None
        return None if payload is None else Artifact(payload, found.cost)

    def file_at(self, kind: str, fingerprint: str) -> str | None:
        """Return the path of the file at an address, sound or damaged; None without a file."""
        if not is_address(kind, fingerprint):
            return None
        place = f"{self._root}/{address(kind, fingerprint)}"
        return place if self._files.exists(place) else None

    def cost(self, stage: Stage[Any]) -> Cost | None:
        """Return the cost of the result of `stage`, or None if the result is absent or damaged.

        The payload is usually not read, because the cost has a digest of its own.
        """
        try:
            head = self._files.cat_file(self._place(stage), start=0, end=_HEAD_BYTES)
        except FileNotFoundError:
            return None
        found = cost_of(head, self._name(stage))
        if found is None:  # damaged, or longer than the bytes that were read
            artifact = self.load(stage)
            return artifact.cost if artifact else None
        cost, base = found
        if base:
            name = address(stage.kind, base)
            if not self._files.exists(f"{self._root}/{name}"):
                return None
            self.mark_used(name)
        self.mark_used(self._name(stage))
        return cost

    def save(
        self, stage: Stage[Any], payload: bytes, cost: Cost, *, base: Base | None = None
    ) -> None:
        """Store `payload` as the result of `stage`; `base` is its base if that was read before."""
        is_large = len(payload) >= _LARGE_BYTES
        kept = self.load(stage) if is_large else None
        if kept and kept.payload == payload:  # deltas may depend on the bytes of this file
            return
        if is_large and base is None:
            base = self._base_for(stage)
        delta = delta_from(base.payload, payload) if is_large and base is not None else None
        if base is not None and delta is not None:
            self.write_checked(self._name(stage), head_of(stage, cost, base.fingerprint) + delta)
            return
        # Too different from the base, or without one. A large payload is the base of later deltas.
        self.write_checked(self._name(stage), head_of(stage, cost, ""), payload)
        if is_large:
            self.write_checked(_base_name(stage), stage.fingerprint.encode())

    def _base_for(self, stage: Stage[Any]) -> Base | None:
        fingerprint = self.earlier(stage)
        found = self.whole_at(stage.kind, fingerprint) if fingerprint else None
        return None if found is None else Base(fingerprint, found.rest)

    def base(self, stage: Stage[Any]) -> str:
        """Return the fingerprint of the base of the stored delta; empty for a whole payload."""
        found = self._file_at(stage.kind, stage.fingerprint)
        return found.base if found else ""

    def earlier(self, stage: Stage[Any]) -> str:
        """Return the fingerprint of the other base in the lineage of `stage`, if any; else
        empty."""
        base = (self.read_checked(_base_name(stage)) or b"").decode()
        return "" if base == stage.fingerprint else base

    def whole_at(self, kind: str, fingerprint: str) -> ArtifactFile | None:
        """Return the file of a base; None for a delta, so that deltas do not form chains."""
        found = self._file_at(kind, fingerprint)
        return None if found is None or found.base else found

    def _file_at(self, kind: str, fingerprint: str) -> ArtifactFile | None:
        """Return the file at an address, or None if it is absent or damaged."""
        if not is_address(kind, fingerprint):
            return None
        found = self._parts(address(kind, fingerprint), HEAD_LINES)
        return None if found is None else parsed(*found, kind, fingerprint)

    def read_checked(self, name: str) -> bytes | None:
        """Return the content of the file `name`, or None if it is absent or damaged."""
        found = self._parts(name, 0)
        return None if found is None else found[1]

    def _parts(self, name: str, lines: int) -> tuple[list[bytes], bytes] | None:
        """Return the first lines of a content and the rest; None if it is absent or damaged."""
        place = f"{self._root}/{name}"
        try:
            found = _divided(Path(place), lines + 1) if self._is_local else None
            found = found or self._files.cat_file(place).split(b"\n", lines + 1)
        except FileNotFoundError:
            return None
        except PermissionError as error:
            raise self._forbidden("read from") from error
        if len(found) < lines + 2:
            return None
        digest, *head, rest = found
        pieces = [piece for line in head for piece in (line, b"\n")]
        if digest != digest_of_file(name, *pieces, rest):
            return None
        self.mark_used(name)
        return head, rest

    def read_part(self, name: str, start: int, end: int) -> bytes | None:
        """Return part of a content, unchecked, or None if the file is absent."""
        before = _DIGEST_BYTES + 1
        try:
            found: bytes = self._files.cat_file(
                f"{self._root}/{name}", start=before + start, end=before + end
            )
        except FileNotFoundError:
            return None
        return found

    def write_checked(self, name: str, *pieces: bytes) -> None:
        """Write a content to the file `name` with a digest of both, atomically.

        It may come in pieces, because joining a large one with its head would copy it.
        """
        whole = (digest_of_file(name, *pieces), b"\n", *pieces)
        place = f"{self._root}/{name}"
        if not self._is_local:  # object stores put a file whole or not at all
            try:
                self._files.pipe_file(place, b"".join(whole))
            except PermissionError as error:
                raise self._forbidden("written to") from error
            return
        self.create()
        write_whole(Path(place), *whole, sync=False)  # a torn file fails its digest
        note_bytes(Path(self._root), sum(map(len, whole)))

    def mark_used(self, name: str) -> None:
        """Set the access time of a file, which the system itself may update daily or never."""
        if self._is_local:
            place = f"{self._root}/{name}"
            with suppress(OSError):  # a store of another user, or one that only can be read
                os.utime(place, ns=(time.time_ns(), Path(place).stat().st_mtime_ns))

    def _forbidden(self, what: str) -> OutputError:
        message = f"store={self.url}: it cannot be {what} by this user."
        return OutputError(f"{message} Change its permissions, or use another store.")

    def names(self, folder: str) -> list[str]:
        """Return the names of the files in `folder`, sorted."""
        place = f"{self._root}/{folder}"
        if not self._files.isdir(place):
            return []
        found = (path.rpartition("/")[2] for path in self._files.ls(place, detail=False))
        return sorted(f"{folder}/{name}" for name in found if not name.endswith(".draft"))

    def remove(self, name: str) -> None:
        """Remove the file `name` if it exists."""
        place = f"{self._root}/{name}"
        if self._files.exists(place):
            self._files.rm_file(place)

    def contents(self) -> list[tuple[str, int, int]]:
        """Return the folders of the store with their number of files and their size in bytes."""
        sizes: dict[str, list[int]] = {}
        for path, about in self._files.find(self._root, detail=True).items():
            folder = "/".join(path.removeprefix(self._root).strip("/").split("/")[:2])
            if not folder.startswith("."):
                sizes.setdefault(folder, []).append(int(about["size"]))
        return [(folder, len(own), sum(own)) for folder, own in sorted(sizes.items())]

    def clear(self) -> None:
        """Remove the folders that this class writes, and nothing else."""
        for folder in FOLDERS:
            if self._files.exists(f"{self._root}/{folder}"):
                self._files.rm(f"{self._root}/{folder}", recursive=True)

    def create(self) -> None:
        """Create a local store and its parent folder, which also holds the tracking database."""
        if self.root is not None:
            create_ignored(self.root.parent)
            create_ignored(self.root)

    def _place(self, stage: Stage[Any]) -> str:
        return f"{self._root}/{self._name(stage)}"

    @staticmethod
    def _name(stage: Stage[Any]) -> str:
        return address(stage.kind, stage.fingerprint)


def _divided(place: Path, lines: int) -> list[bytes] | None:
    """Return the first lines of a file and the rest; None if the lines are long.

    The rest is read by itself, because dividing a large content copies it.
    """
    with place.open("rb", buffering=0) as file:
        *head, rest = file.read(_HEAD_BYTES).split(b"\n", lines)
        if len(head) < lines:
            return None
        file.seek(-len(rest), os.SEEK_CUR)
        return [*head, file.readall()]


def opened_store(url: str, most_bytes: int | None = None) -> ArtifactStore:
    """Return the store at a URL or in a folder."""
    place = url if "://" in url else str(Path(url).expanduser().resolve())
    try:
        return ArtifactStore(place, most_bytes=most_bytes)
    except (OSError, ValueError, ImportError) as error:  # of whatever serves such an address
        message = f"store={url}: cannot be opened ({one_line(str(error))})"
        raise SettingError(f"{message}; check the address, or give a folder") from error


def _base_name(stage: Stage[Any]) -> str:
    """Return the name of the file with the fingerprint of the base for later deltas.

    The base affects only the size of the next artifact, so that the last writer may win.
    """
    return f"contents/bases/{stage.lineage}"
