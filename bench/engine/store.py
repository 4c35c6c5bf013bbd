"""The store of artifacts: content-checked files under any fsspec URL.

A file is a line with the sha256 of its name and the rest, a line with its cost and the sha256 of
that, a line of JSON with the recipe, and the payload. The file is written under another name and
renamed, so a reader sees all of it or nothing. A file that fails its check counts as absent: a
damaged one, and a sound one that belongs at another address.

A large payload that has much in common with an earlier one of its kind and repository is kept as a
delta: its file names the artifact that holds the rest, and counts as absent when that is.
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
"""Nearly always enough of a file's beginning to hold its digest and its cost."""
_LARGE_BYTES = 100_000
"""A payload as large as this may be kept as a delta."""


@dataclass(frozen=True)
class Artifact:
    """A stage's stored result, still as bytes, and what it cost."""

    payload: bytes
    cost: Cost


class ArtifactStore:
    """Keeps results under their stage's fingerprint."""

    def __init__(self, url: str, *, most_bytes: int | None = None) -> None:
        self.url = url
        self.most_bytes = most_bytes
        """What studies keep it within; None for any size."""
        self._files, self._root = url_to_fs(url)
        self._is_local = isinstance(self._files, fsspec.implementations.local.LocalFileSystem)
        self.is_private = isinstance(self._files, MemoryFileSystem)
        """Whether no other process can read the store."""

    @property
    def root(self) -> Path | None:
        """Its folder on this machine; None of another kind of store."""
        return Path(self._root) if self._is_local else None

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders on this machine that hold its files; nothing of another kind of store."""
        return tuple(self.root / name for name in FOLDERS) if self.root else ()

    def has(self, stage: Stage[Any]) -> bool:
        """Whether there is a file for `stage`; reading it may still find it damaged."""
        return bool(self._files.exists(self._place(stage)))

    def load(self, stage: Stage[Any]) -> Artifact | None:
        """Return what is stored for `stage`, or nothing if absent or damaged."""
        return self.load_at(stage.kind, stage.fingerprint)

    def load_at(self, kind: str, fingerprint: str) -> Artifact | None:
        """Return the artifact at an address, or nothing if absent or damaged."""
        found = self._file_at(kind, fingerprint)
        if found is None or not found.base:
            return Artifact(found.rest, found.cost) if found else None
        base = self.whole_at(kind, found.base)
        payload = joined(base.rest, found.rest) if base is not None else None
        return None if payload is None else Artifact(payload, found.cost)

    def file_at(self, kind: str, fingerprint: str) -> str | None:
        """Return the path of the file at an address, if there is one, sound or damaged."""
        if not is_address(kind, fingerprint):
            return None
        place = f"{self._root}/{address(kind, fingerprint)}"
        return place if self._files.exists(place) else None

    def cost(self, stage: Stage[Any]) -> Cost | None:
        """Return what the result of `stage` cost, or nothing if that is absent or damaged.

        The result is not read, as a rule: the cost has a digest of its own.
        """
        try:
            head = self._files.cat_file(self._place(stage), start=0, end=_HEAD_BYTES)
        except FileNotFoundError:
            return None
        found = cost_of(head, self._name(stage))
        if found is None:  # it is damaged, or too long
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

    def save(self, stage: Stage[Any], payload: bytes, cost: Cost) -> None:
        """Store `payload` as the result of `stage`."""
        is_large = len(payload) >= _LARGE_BYTES
        kept = self.load(stage) if is_large else None
        if kept and kept.payload == payload:  # deltas may depend on the bytes of this file
            return
        base = self.earlier(stage) if is_large else ""
        earlier = self.whole_at(stage.kind, base) if base else None
        delta = delta_from(earlier.rest, payload) if earlier is not None else None
        if delta is not None:
            self.write_checked(self._name(stage), head_of(stage, cost, base) + delta)
            return
        self.write_checked(self._name(stage), head_of(stage, cost, "") + payload)
        if is_large:
            self.write_checked(_base_name(stage), stage.fingerprint.encode())

    def base(self, stage: Stage[Any]) -> str:
        """Return the fingerprint of the artifact that the one of `stage` is a delta from."""
        found = self._file_at(stage.kind, stage.fingerprint)
        return found.base if found else ""

    def earlier(self, stage: Stage[Any]) -> str:
        """Return the fingerprint of the base of the lineage of `stage`; empty if there is none."""
        base = (self.read_checked(_base_name(stage)) or b"").decode()
        return "" if base == stage.fingerprint else base

    def whole_at(self, kind: str, fingerprint: str) -> ArtifactFile | None:
        """Return the file of a base: one that is itself a delta is none, so no chain grows."""
        found = self._file_at(kind, fingerprint)
        return None if found is None or found.base else found

    def _file_at(self, kind: str, fingerprint: str) -> ArtifactFile | None:
        """Return the file at an address, or nothing if it is absent or damaged."""
        if not is_address(kind, fingerprint):
            return None
        content = self.read_checked(address(kind, fingerprint))
        return None if content is None else parsed(content, kind, fingerprint)

    def read_checked(self, name: str) -> bytes | None:
        """Return the content of the file `name`, or nothing if it is absent or damaged."""
        try:
            found: bytes = self._files.cat_file(f"{self._root}/{name}")
        except FileNotFoundError:
            return None
        except PermissionError as error:
            raise self._forbidden("read from") from error
        digest, _, content = found.partition(b"\n")
        if digest != digest_of_file(name, content):
            return None
        self.mark_used(name)
        return content

    def read_part(self, name: str, start: int, end: int) -> bytes | None:
        """Return some bytes of a content, not checked, or nothing if the file is absent."""
        before = _DIGEST_BYTES + 1
        try:
            found: bytes = self._files.cat_file(
                f"{self._root}/{name}", start=before + start, end=before + end
            )
        except FileNotFoundError:
            return None
        return found

    def write_checked(self, name: str, content: bytes) -> None:
        """Write `content` to the file `name` with a digest of both, all of it or nothing."""
        whole = digest_of_file(name, content) + b"\n" + content
        place = f"{self._root}/{name}"
        if not self._is_local:  # object stores put a file whole or not at all
            try:
                self._files.pipe_file(place, whole)
            except PermissionError as error:
                raise self._forbidden("written to") from error
            return
        self.create()
        write_whole(Path(place), whole, sync=False)  # a torn file fails its digest
        note_bytes(Path(self._root), len(whole))

    def mark_used(self, name: str) -> None:
        """Set the access time of a file, which the system itself may do daily or not at all."""
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
        """Remove the file `name` if it is there."""
        place = f"{self._root}/{name}"
        if self._files.exists(place):
            self._files.rm_file(place)

    def contents(self) -> list[tuple[str, int, int]]:
        """Return the folders of the store with their number of files and their bytes."""
        sizes: dict[str, list[int]] = {}
        for path, about in self._files.find(self._root, detail=True).items():
            folder = "/".join(path.removeprefix(self._root).strip("/").split("/")[:2])
            if not folder.startswith("."):
                sizes.setdefault(folder, []).append(int(about["size"]))
        return [(folder, len(own), sum(own)) for folder, own in sorted(sizes.items())]

    def clear(self) -> None:
        """Remove what this class has written, and nothing else."""
        for folder in FOLDERS:
            if self._files.exists(f"{self._root}/{folder}"):
                self._files.rm(f"{self._root}/{folder}", recursive=True)

    def create(self) -> None:
        """Create the store, and the folder around it, which holds the tracking database."""
        if self.root is not None:
            create_ignored(self.root.parent)
            create_ignored(self.root)

    def _place(self, stage: Stage[Any]) -> str:
        return f"{self._root}/{self._name(stage)}"

    @staticmethod
    def _name(stage: Stage[Any]) -> str:
        return address(stage.kind, stage.fingerprint)


def opened_store(url: str, most_bytes: int | None = None) -> ArtifactStore:
    """Return the store that a user names; a plain path is a folder."""
    place = url if "://" in url else str(Path(url).expanduser().resolve())
    try:
        return ArtifactStore(place, most_bytes=most_bytes)
    except (OSError, ValueError, ImportError) as error:  # of whatever serves such an address
        message = f"store={url}: cannot be opened ({one_line(str(error))})"
        raise SettingError(f"{message}; check the address, or give a folder") from error


def _base_name(stage: Stage[Any]) -> str:
    """Return the name of the file that says which artifact the next of its kind is a delta from.

    It decides only how small the next one is: whoever writes it last is right.
    """
    return f"contents/bases/{stage.lineage}"
