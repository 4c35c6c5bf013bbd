"""The store of artifacts: content-checked files under any fsspec URL.

A file is a line with the sha256 of the rest, a line with its cost, a line of JSON that says
what made it, and the payload. It is written under another name and renamed, so a reader sees
all of it or nothing; a file that fails its check counts as absent.
"""

import hashlib
import json
import os
import re
import uuid
from dataclasses import asdict, dataclass, field
from typing import Any

import fsspec
from fsspec.core import url_to_fs

from bench.pipeline.stage import Stage

_COST_BYTES = 4096
"""Enough of a file's beginning to hold its digest and its cost."""


@dataclass(frozen=True)
class Cost:
    """What it took to make an artifact; it travels with the artifact."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Artifact:
    """A stage's stored result, still as bytes, and what it cost."""

    payload: bytes
    cost: Cost


class ArtifactStore:
    """Keeps results under their stage's fingerprint."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._files, self._root = url_to_fs(url)
        self._is_local = isinstance(self._files, fsspec.implementations.local.LocalFileSystem)

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
        content = self.read_checked(_address(kind, fingerprint))
        if content is None:
            return None
        cost, _, rest = content.partition(b"\n")
        return Artifact(rest.partition(b"\n")[2], Cost(**json.loads(cost)))

    def cost(self, stage: Stage[Any]) -> Cost | None:
        """Return what the result of `stage` cost, without reading the result."""
        try:
            head = self._files.cat_file(self._place(stage), start=0, end=_COST_BYTES)
            return Cost(**json.loads(head.split(b"\n", 2)[1]))
        except (FileNotFoundError, IndexError, ValueError, TypeError):
            return None

    def save(self, stage: Stage[Any], payload: bytes, cost: Cost) -> None:
        """Store `payload` as the result of `stage`."""
        inputs = [needed.fingerprint for needed in stage.inputs]
        made_by = json.dumps({**stage.recipe, "inputs": inputs}, sort_keys=True)
        head = f"{json.dumps(asdict(cost))}\n{made_by}\n"
        self.write_checked(self._name(stage), head.encode() + payload)

    def read_checked(self, name: str) -> bytes | None:
        """Return the content of the file `name`, or nothing if it is absent or damaged."""
        try:
            found = self._files.cat_file(f"{self._root}/{name}")
        except FileNotFoundError:
            return None
        digest, _, content = found.partition(b"\n")
        matches = digest == hashlib.sha256(content).hexdigest().encode()
        return content if matches else None

    def write_checked(self, name: str, content: bytes) -> None:
        """Write `content` and its digest to the file `name`, all of it or nothing."""
        whole = hashlib.sha256(content).hexdigest().encode() + b"\n" + content
        place = f"{self._root}/{name}"
        if not self._is_local:  # object stores put a file whole or not at all
            self._files.pipe_file(place, whole)
            return
        os.makedirs(os.path.dirname(place), exist_ok=True)  # noqa: PTH103, PTH120 - fsspec paths
        draft = f"{place}.{uuid.uuid4().hex}.draft"
        self._files.pipe_file(draft, whole)
        os.replace(draft, place)  # noqa: PTH105 - an fsspec path is a string

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
            sizes.setdefault(folder, []).append(int(about["size"]))
        return [(folder, len(own), sum(own)) for folder, own in sorted(sizes.items())]

    def clear(self) -> None:
        """Remove what this class has written, and nothing else."""
        for folder in ("artifacts", "contents"):
            if self._files.exists(f"{self._root}/{folder}"):
                self._files.rm(f"{self._root}/{folder}", recursive=True)

    def _place(self, stage: Stage[Any]) -> str:
        return f"{self._root}/{self._name(stage)}"

    @staticmethod
    def _name(stage: Stage[Any]) -> str:
        return _address(stage.kind, stage.fingerprint)


_ADDRESS = re.compile(r"\w[\w.-]*/[0-9a-f]+", re.ASCII)


def _address(kind: str, fingerprint: str) -> str:
    return f"artifacts/{kind}/{fingerprint[:2]}/{fingerprint}"
