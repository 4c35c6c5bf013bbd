"""Digests of lines, to find a piece of text in another tree.

A results file stores the marks of line targets instead of their text. Marks are short and do not
reveal the code. White space within a line is ignored, and blank lines match nothing.
"""

import difflib
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b

_DIGITS = 6
_BLANK = "0" * _DIGITS
_KEPT = 0.5
"""Share of lines that must remain for the text to be the same, without blank lines."""

Lines = tuple[int, int]
"""First and last line, from 1, inclusive."""


def marks_of(text: str) -> tuple[str, ...]:
    """Return a mark for each line of a text."""
    return tuple(map(_mark, text.removesuffix("\n").split("\n")))


def joined(marks: Sequence[str]) -> str:
    """Return marks joined into a single string."""
    return "".join(marks)


def parted(word: str) -> tuple[str, ...]:
    """Split a string made by `joined` into marks."""
    return tuple(word[start : start + _DIGITS] for start in range(0, len(word), _DIGITS))


def is_telling(marks: Sequence[str]) -> bool:
    """Return whether lines identify a text in any file; a single line may match by chance."""
    return sum(mark != _BLANK for mark in marks) > 1


def same_text(before: Sequence[str], after: Sequence[str]) -> bool:
    """Return whether at least half of the lines remain, in order."""
    return tuple(before) == tuple(after) or _kept(before, after) >= _KEPT


def exact_places(wanted: Sequence[str], rows: Sequence[str]) -> tuple[Lines, ...]:
    """Return the places in a file with exactly these lines."""
    own, first, size = tuple(wanted), wanted[0], len(wanted)
    starts = (
        row
        for row in range(len(rows) - size + 1)
        if rows[row] == first and tuple(rows[row : row + size]) == own
    )
    return tuple((start + 1, start + size) for start in starts)


def near_places(wanted: Sequence[str], rows: Sequence[str]) -> tuple[Lines, ...]:
    """Return the places in a file with most of these lines; none if fewer than half remain."""
    votes = _votes(wanted, rows)
    if not votes:
        return ()
    most = max(votes.values())
    shifts = sorted(shift for shift, vote in votes.items() if vote == most)
    # Votes do not see the order of lines, so equally frequent shifts are compared in full.
    found = [(one, _kept_at(wanted, rows, one)) for one in shifts]
    best = max(share for _, (share, _) in found)
    if best < _KEPT:
        return ()
    return tuple(dict.fromkeys(lines for _, (share, lines) in found if share == best))


def _mark(line: str) -> str:
    text = " ".join(line.split())
    if not text:
        return _BLANK
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGITS // 2).hexdigest()


def _votes(wanted: Sequence[str], rows: Sequence[str]) -> Counter[int]:
    """Count the equal lines for each shift of the lines.

    Lines that are frequent in the file are skipped, because they say little about the position.
    """
    places: dict[str, list[int]] = {}
    for number, mark in enumerate(rows):
        places.setdefault(mark, []).append(number)
    votes: Counter[int] = Counter()
    for number, mark in enumerate(wanted):
        at = places.get(mark, []) if mark != _BLANK else []
        for place in at if len(at) <= len(wanted) else []:
            votes[place - number] += 1
    return votes


def _kept_at(wanted: Sequence[str], rows: Sequence[str], shift: int) -> tuple[float, Lines]:
    """Return the share of lines that agree with a shift, and their range in the file."""
    size = len(wanted)
    low, high = max(shift - size, 0), min(shift + 2 * size, len(rows))
    blocks = _blocks(wanted, rows[low:high])
    first, last = blocks[0], blocks[-1]
    # Edited lines at either end belong to the text, within the bounds of the file.
    start = max(low + first.b - first.a, 0)
    end = min(low + last.b + size - last.a, len(rows))
    return _share(wanted, blocks), (start + 1, end)


def _kept(before: Sequence[str], after: Sequence[str]) -> float:
    blocks = _blocks(before, after)
    return _share(before, blocks) if blocks else 0.0


def _blocks(before: Sequence[str], after: Sequence[str]) -> list[difflib.Match]:
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return [one for one in matcher.get_matching_blocks() if one.size]


def _share(wanted: Sequence[str], blocks: Sequence[difflib.Match]) -> float:
    told = sum(mark != _BLANK for mark in wanted)
    kept = sum(mark != _BLANK for one in blocks for mark in wanted[one.a : one.a + one.size])
    return kept / told if told else 0.0
