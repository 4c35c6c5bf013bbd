"""The store of artifacts: content-checked files under any fsspec URL.

A file is a line with the sha256 of its name and the rest, a line with its cost and the sha256 of
that, a line of JSON with the recipe, and the payload. The file is written under another name and
renamed, so a reader sees all of it or nothing. A file that fails its check counts as absent: a
damaged one, and a sound one that belongs at another address.
"""

import hashlib
import json
import os
import re
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import fsspec
from fsspec.core import url_to_fs
from fsspec.implementations.memory import MemoryFileSystem

from bench.engine.stage import Stage, fingerprint_of
from bench.engine.usage import note_bytes
from bench.errors import OutputError, SettingError
from bench.files import create_ignored, write_whole
from bench.printable import one_line

FOLDERS = ("artifacts", "contents")
_DIGEST_BYTES = 64
_HEAD_BYTES = 4096
"""Nearly always enough of a file's beginning to hold its digest and its cost."""


@dataclass(frozen=True)
class Cost:
    """What it took to make an artifact; it travels with the artifact."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    taken_bytes: int | None = None
    """The most memory that making it took beyond what its process held; None if not known."""
    counts: dict[str, int] = field(default_factory=dict)
    setup_cpu_seconds: float = 0.0
    """CPU-seconds before the work: reading the inputs, and loading a model the first time."""


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
        if not _ADDRESS.fullmatch(f"{kind}/{fingerprint}"):  # it may come from a file of others
            return None
        name = _address(kind, fingerprint)
        content = self.read_checked(name)
        lines = content.split(b"\n", 2) if content is not None else []
        if len(lines) != _PARTS or not _makes(lines[1], kind, fingerprint):
            return None
        cost = _cost_in(lines[0], name)
        return None if cost is None else Artifact(lines[2], cost)

    def file_at(self, kind: str, fingerprint: str) -> str | None:
        """Return the path of the file at an address, if there is one, sound or damaged."""
        if not _ADDRESS.fullmatch(f"{kind}/{fingerprint}"):
            return None
        place = f"{self._root}/{_address(kind, fingerprint)}"
        return place if self._files.exists(place) else None

    def cost(self, stage: Stage[Any]) -> Cost | None:
        """Return what the result of `stage` cost, or nothing if that is absent or damaged.

        The result is not read, as a rule: the cost has a digest of its own.
        """
        try:
            head = self._files.cat_file(self._place(stage), start=0, end=_HEAD_BYTES)
        except FileNotFoundError:
            return None
        lines = head.split(b"\n", 2)
        cost = _cost_in(lines[1], self._name(stage)) if len(lines) == _PARTS else None
        if cost is None:  # it is damaged, or too long
            artifact = self.load(stage)
            return artifact.cost if artifact else None
        self.mark_used(self._name(stage))
        return cost

    def save(self, stage: Stage[Any], payload: bytes, cost: Cost) -> None:
        """Store `payload` as the result of `stage`."""
        inputs = [needed.fingerprint for needed in stage.inputs]
        made_by = json.dumps({**stage.recipe, "inputs": inputs}, sort_keys=True)
        name, text = self._name(stage), json.dumps(asdict(cost)).encode()
        head = _digest(name, text) + b" " + text + b"\n" + made_by.encode() + b"\n"
        self.write_checked(name, head + payload)

    def read_checked(self, name: str) -> bytes | None:
        """Return the content of the file `name`, or nothing if it is absent or damaged."""
        try:
            found: bytes = self._files.cat_file(f"{self._root}/{name}")
        except FileNotFoundError:
            return None
        except PermissionError as error:
            raise self._forbidden("read from") from error
        digest, _, content = found.partition(b"\n")
        if digest != _digest(name, content):
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
        whole = _digest(name, content) + b"\n" + content
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
        return _address(stage.kind, stage.fingerprint)


def opened_store(url: str, most_bytes: int | None = None) -> ArtifactStore:
    """Return the store that a user names; a plain path is a folder."""
    place = url if "://" in url else str(Path(url).expanduser().resolve())
    try:
        return ArtifactStore(place, most_bytes=most_bytes)
    except (OSError, ValueError, ImportError) as error:  # of whatever serves such an address
        message = f"store={url}: cannot be opened ({one_line(str(error))})"
        raise SettingError(f"{message}; check the address, or give a folder") from error


_ADDRESS = re.compile(r"\w[\w.-]*/[0-9a-f]+", re.ASCII)


_PARTS = 3
_OF_THE_WORKER = "peak_bytes"
"""What earlier versions stored: the high-water mark of a process, not of a stage."""


def _address(kind: str, fingerprint: str) -> str:
    return f"artifacts/{kind}/{fingerprint[:2]}/{fingerprint}"


def _digest(name: str, content: bytes) -> bytes:
    """Return the digest of a content under its name: under another name it is not the same."""
    whole = hashlib.sha256(f"{name}\n".encode())
    whole.update(content)
    return whole.hexdigest().encode()


def _cost_in(line: bytes, name: str) -> Cost | None:
    """Return the cost that a line of the file `name` holds, or nothing if it is damaged."""
    digest, _, text = line.partition(b" ")
    if digest != _digest(name, text):
        return None
    try:
        amounts = json.loads(text)
        amounts.pop(_OF_THE_WORKER, None)
        return Cost(**amounts)
    except (ValueError, TypeError, AttributeError):
        return None


def _makes(line: bytes, kind: str, fingerprint: str) -> bool:
    """Whether the recipe in a line is the one that belongs at an address."""
    try:
        recipe = json.loads(line)
        del recipe["inputs"]
        return recipe["stage"] == kind and fingerprint_of(recipe) == fingerprint
    except (ValueError, TypeError, KeyError):
        return False
