"""File format of artifacts: a line with the cost, a line with the recipe, and the payload.

The line with the cost has a digest of its own, so that a plan does not need to read the payload.
The store writes and checks one more line at the beginning: the digest of the name and the rest.
"""

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.engine.stage import Stage, fingerprint_of

_PARTS = 3
_ADDRESS = re.compile(r"\w[\w.-]*/[0-9a-f]+", re.ASCII)
_BASE = "base"
"""Key of a delta's base in the line with the cost; its value is a fingerprint."""
_OF_THE_WORKER = "peak_bytes"
"""Key that earlier versions stored: the peak memory of a process, not of a stage."""


@dataclass(frozen=True)
class Cost:
    """Cost of making an artifact, stored with the artifact."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    taken_bytes: int | None = None
    """Peak memory in bytes beyond what the process held before; None if not known."""
    counts: dict[str, int] = field(default_factory=dict)
    setup_cpu_seconds: float = 0.0
    """CPU-seconds before the work: reading the inputs, and loading a model the first time."""


@dataclass(frozen=True)
class ArtifactFile:
    """Content of a sound file; `rest` is the payload, or its delta from the payload of a base."""

    rest: bytes
    cost: Cost
    base: str
    """Fingerprint of the artifact that a delta depends on; empty for a whole payload."""
    inputs: tuple[str, ...]
    """Fingerprints of the inputs."""
    version: object
    """Version of the stage that made it."""


def address(kind: str, fingerprint: str) -> str:
    """Return the name of the file of an artifact."""
    return f"artifacts/{kind}/{fingerprint[:2]}/{fingerprint}"


def is_address(kind: str, fingerprint: str) -> bool:
    """Whether an address has a valid form; it may come from an untrusted file."""
    return bool(_ADDRESS.fullmatch(f"{kind}/{fingerprint}"))


def head_of(stage: Stage[Any], cost: Cost, base: str) -> bytes:
    """Return the lines before the payload or its delta."""
    amounts = {**asdict(cost), _BASE: base} if base else asdict(cost)
    inputs = [needed.fingerprint for needed in stage.inputs]
    made_by = json.dumps({**stage.recipe, "inputs": inputs}, sort_keys=True)
    name, text = address(stage.kind, stage.fingerprint), json.dumps(amounts).encode()
    return digest_of_file(name, text) + b" " + text + b"\n" + made_by.encode() + b"\n"


def parsed(content: bytes, kind: str, fingerprint: str) -> ArtifactFile | None:
    """Return the parsed file, or None if it does not belong at this address."""
    lines = content.split(b"\n", _PARTS - 1)
    if len(lines) != _PARTS:
        return None
    maker = _maker_in(lines[1], kind, fingerprint)
    found = _cost_in(lines[0], address(kind, fingerprint))
    return None if found is None or maker is None else ArtifactFile(lines[2], *found, *maker)


def cost_of(beginning: bytes, name: str) -> tuple[Cost, str] | None:
    """Return the cost and the base from the beginning of a file; None if they are damaged."""
    lines = beginning.split(b"\n", _PARTS - 1)
    return _cost_in(lines[1], name) if len(lines) == _PARTS else None


def digest_of_file(name: str, *pieces: bytes) -> bytes:
    """Return the digest of a name and a content, so that a renamed file fails its check."""
    whole = hashlib.sha256(f"{name}\n".encode())
    for piece in pieces:
        whole.update(piece)
    return whole.hexdigest().encode()


def _cost_in(line: bytes, name: str) -> tuple[Cost, str] | None:
    """Return the cost and the base from a line of the file `name`; None if damaged."""
    digest, _, text = line.partition(b" ")
    if digest != digest_of_file(name, text):
        return None
    try:
        amounts = json.loads(text)
        amounts.pop(_OF_THE_WORKER, None)
        base = str(amounts.pop(_BASE, ""))
        return Cost(**amounts), base
    except (ValueError, TypeError, AttributeError):
        return None


def _maker_in(line: bytes, kind: str, fingerprint: str) -> tuple[tuple[str, ...], object] | None:
    """Return the inputs and the version of a recipe; None if it does not belong at the address."""
    try:
        recipe = json.loads(line)
        inputs = tuple(map(str, recipe.pop("inputs")))
        belongs = recipe["stage"] == kind and fingerprint_of(recipe) == fingerprint
        version = recipe["version"]
    except (ValueError, TypeError, KeyError):
        return None
    return (inputs, version) if belongs else None
