"""The file filter of all sources, with counts of excluded files by rule.

A source calls `wants` before it reads a file, so that files excluded by name or size are never
read. It then passes the content to `add`.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from bench.corpora.file_choice import EVERY_FILE, FileChoice, patterns_of
from bench.corpora.rules import BY_NAME, BY_TEXT, OWN_FILE
from bench.corpora.text import decode, holds_nul
from retrievers.interface import Documents

_UNSHOWABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True)
class Checkout:
    """Documents of a repository, and the number of excluded files by rule."""

    documents: Documents
    left_out: dict[str, int] = field(default_factory=dict)
    own_files: tuple[str, ...] = ()
    """Excluded files that rankgrid wrote, suites and query files."""
    idle: tuple[str, ...] = ()
    """Patterns of `exclude` that have no effect on the searched files."""


class FileFilter:
    """Keeps text files worth indexing, and counts excluded files by rule.

    `exclude` has rankgrid's own paths. `files` is the user's selection, which cannot include them
    again.
    """

    def __init__(self, exclude: tuple[str, ...] = (), files: FileChoice = EVERY_FILE) -> None:
        self._excluded = patterns_of(exclude, "exclude")
        self._files = files
        self._contents: dict[str, bytes | memoryview] = {}
        self._left_out: Counter[str] = Counter()
        self._own_files: list[str] = []
        # Patterns that begin with `!` include files again, so their effect is not tracked.
        self._idle = [one for one in files.exclude if not one.startswith("!")]

    def leave_out(self, rule: str) -> None:
        """Count a file, or a folder that was not entered, as excluded by a rule."""
        self._left_out[rule] += 1

    def wants(self, path: str, size: int, *, was_kept: bool = False) -> bool:
        """Return True if a file's name and size allow it; count it otherwise.

        A file that was kept earlier, perhaps with another selection, passes the rules for names.
        """
        rule = self._rule_by_choice(path) or ("" if was_kept else _rule_of_name(path, size))
        if rule:
            self.leave_out(rule)
        return not rule

    def add(self, path: str, content: bytes) -> None:
        """Keep a file, or count the rule that excludes it."""
        self.take(path, judged(path, content))

    def take(self, path: str, file: "JudgedFile") -> None:
        """Keep an already judged file, or count the rule that excludes it."""
        if file.rule:
            self.leave_out(file.rule)
        else:
            self.keep(path, file.text.encode("utf-8", "surrogatepass"))
        if file.rule == OWN_FILE:
            self._own_files.append(path)

    def keep(self, path: str, content: bytes | memoryview) -> None:
        """Keep a document, given its text as UTF-8."""
        self._contents[path] = content

    def checkout(self) -> Checkout:
        """Return the kept documents and the counts of excluded files."""
        paths = sorted(self._contents)
        pieces = [self._contents[path] for path in paths]
        documents = Documents(
            paths=tuple(paths),
            content=np.frombuffer(b"".join(pieces), np.uint8),
            ends=np.cumsum([*map(len, pieces)], dtype=np.int64),
        )
        left_out = dict(sorted(self._left_out.items()))
        return Checkout(documents, left_out, tuple(sorted(self._own_files)), tuple(self._idle))

    def _rule_by_choice(self, path: str) -> str:
        if _UNSHOWABLE.search(path):
            return "unreadable_name"
        if self._excluded.excludes(path):
            return "excluded"
        chosen = self._files.rule(path)
        if self._idle and chosen == "excluded":
            effective = self._files.excluding(path)
            self._idle = [one for one in self._idle if one not in effective]
        return chosen


@dataclass(frozen=True, slots=True)
class JudgedFile:
    """Text of a file, or the rule that excludes it. Both depend only on its path and content."""

    text: str
    rule: str = ""


def judged(path: str, content: bytes) -> JudgedFile:
    """Return the text of a file, or the rule that excludes it."""
    if holds_nul(content):
        return JudgedFile("", "binary")
    text = decode(content, is_python=path.endswith((".py", ".pyi")))
    if text is None:
        return JudgedFile("", "undecodable")
    rule = next((name for name, holds in BY_TEXT if holds(path, text)), "")
    return JudgedFile("" if rule else text, rule)


@lru_cache(maxsize=50_000)
def _rule_of_name(path: str, size: int) -> str:
    return next((name for name, holds in BY_NAME if holds(path, size)), "")
