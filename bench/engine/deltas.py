"""What a payload has in common with an earlier one: runs of bytes, kept as places in older files.

The documents of a commit, their tokens, lines and symbols are nearly those of the commit before,
some bytes further on. A delta names the runs that are the same and holds the others. How well two
payloads are matched decides only how large the delta is: the joined bytes are checked by whoever
reads them.
"""

import hashlib
import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

_SHORTEST = 32
"""Bytes of the shortest run that is worth a place of its own."""
_PROBES = (0, 16, 64, 256, 1024, 4096, 16384, 65536, 262144)
"""How many bytes after a difference the payloads may agree again."""
_NEAR = 65_536
"""How far from its old place, besides the bytes that differ, a run is looked for."""
_BLOCK = 1 << 20
_MOST_SHARE = 0.5
"""Of a payload that may be new; a larger delta is not worth the files that it depends on."""
_MOST_RUNS = 50_000
_RUN_BYTES = 24


class Run(NamedTuple):
    """Bytes of a file: the number of the file among those that a delta names, and where."""

    file: int
    start: int
    length: int


class Match(NamedTuple):
    """Equal bytes of a new payload and an old one."""

    new: int
    old: int
    length: int


@dataclass(frozen=True)
class Delta:
    """A payload as runs of files; file 0 is the delta's own, which holds what is new."""

    runs: tuple[Run, ...]
    new: bytes
    digest: str

    def encode(self) -> bytes:
        """Return the bytes that are stored; own runs then count from their beginning."""
        about = {"sha256": self.digest, "runs": len(self.runs)}
        line = json.dumps(about).encode() + b"\n"
        shift = len(line) + _RUN_BYTES * len(self.runs)
        placed = [(file, start + shift * (not file), size) for file, start, size in self.runs]
        return line + np.array(placed, "<i8").tobytes() + self.new


def decoded_runs(stored: bytes) -> tuple[tuple[Run, ...], str]:
    """Return the runs of a stored delta, and the digest of what they make."""
    line, _, rest = stored.partition(b"\n")
    about = json.loads(line)
    table = np.frombuffer(rest, "<i8", 3 * about["runs"]).reshape(-1, 3)
    return tuple(Run(*row) for row in table.tolist()), about["sha256"]


def joined(runs: Sequence[Run], files: Sequence[bytes], digest: str) -> bytes | None:
    """Return the payload that the runs of some files make, or nothing if it is another one."""
    payload = b"".join([files[file][start : start + size] for file, start, size in runs])
    return payload if digest_of_payload(payload) == digest else None


def digest_of_payload(payload: bytes) -> str:
    """Return the digest that a payload is checked by."""
    return hashlib.sha256(payload).hexdigest()


@dataclass(frozen=True)
class Earlier:
    """An earlier payload, and the runs of files that it is made of."""

    payload: bytes
    runs: tuple[Run, ...]
    """Files count from 1, as those that a delta names."""


def delta_from(earlier: Earlier, payload: bytes) -> Delta | None:
    """Return a payload as runs of the files of an earlier one; None if too much of it is new."""
    places = _Places(earlier.runs)
    runs, new, end = list[Run](), list[bytes](), 0
    matches = [*_matches(earlier.payload, payload), Match(len(payload), 0, 0)]
    size = 0
    for match in matches:
        if match.new > end:
            runs.append(Run(0, size, match.new - end))
            new.append(payload[end : match.new])
            size += match.new - end
        runs.extend(places.of(match))
        end = match.new + match.length
    if size + _RUN_BYTES * len(runs) > _MOST_SHARE * len(payload):
        return None
    return Delta(tuple(_merged(runs)), b"".join(new), digest_of_payload(payload))


class _Places:
    """Where the bytes of an earlier payload are kept."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs
        ends = np.cumsum([run.length for run in runs], dtype=np.int64)
        self._starts: list[int] = [0, *ends.tolist()]

    def of(self, match: Match) -> Iterator[Run]:
        """Return the runs of the files that hold matched bytes."""
        place, end = match.old, match.old + match.length
        number = bisect_right(self._starts, place) - 1
        while place < end:
            file, start, length = self._runs[number]
            within = place - self._starts[number]
            taken = min(end - place, length - within)
            yield Run(file, start + within, taken)
            place += taken
            number += 1


def _merged(runs: Sequence[Run]) -> Iterator[Run]:
    """Return runs without borders between those that follow each other in their file."""
    last: Run | None = None
    for run in runs:
        if last and last.file == run.file and last.start + last.length == run.start:
            last = Run(last.file, last.start, last.length + run.length)
            continue
        if last:
            yield last
        last = run
    if last:
        yield last


def _matches(old: bytes, new: bytes) -> Iterator[Match]:
    """Return runs that both payloads have, in the order of the new one; not all that there are."""
    here, there, unmatched = 0, 0, 0
    for _ in range(_MOST_RUNS):
        if here >= len(new) or unmatched > _MOST_SHARE * len(new):
            return
        found = _next_match(old, new, here, there)
        if found is None:
            unmatched += _PROBES[-1]
            here, there = here + _PROBES[-1], there + _PROBES[-1]
            continue
        unmatched += found.new - here
        here, there = found.new + found.length, found.old + found.length
        yield found


def _next_match(old: bytes, new: bytes, here: int, there: int) -> Match | None:
    """Return the next run after two places, or nothing if there is none near."""
    for skipped in _PROBES:
        probe = new[here + skipped : here + skipped + _SHORTEST]
        if len(probe) < _SHORTEST:
            return None
        place = there + skipped
        if old[place : place + _SHORTEST] != probe:
            place = old.find(probe, max(0, there - _NEAR), there + 4 * skipped + _NEAR)
        if place >= 0:
            back = _common_before(old, new, place, min(skipped, place), here + skipped)
            start = here + skipped - back
            return Match(
                start, place - back, back + _common_after(old, new, place, here + skipped)
            )
    return None


def _common_before(old: bytes, new: bytes, place: int, most: int, end: int) -> int:
    """Return how many bytes before two places are the same."""
    first, second = old[place - most : place], new[end - most : end]
    differing = np.flatnonzero(_bytes_of(first) != _bytes_of(second))
    return most - 1 - int(differing[-1]) if len(differing) else most


def _common_after(old: bytes, new: bytes, place: int, start: int) -> int:
    """Return how many bytes from two places on are the same."""
    length, block = 0, 256
    while True:
        first = old[place + length : place + length + block]
        second = new[start + length : start + length + block]
        if first != second or not first:
            size = min(len(first), len(second))
            differing = np.flatnonzero(_bytes_of(first)[:size] != _bytes_of(second)[:size])
            return length + (int(differing[0]) if len(differing) else size)
        length, block = length + len(first), min(4 * block, _BLOCK)


def _bytes_of(content: bytes) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.frombuffer(content, np.uint8)
