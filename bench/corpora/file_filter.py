"""What every source puts its files through: the rules, a count of what they leave out, the rest.

A source asks `wants` before it reads a file, so that what a name or a size rules out is never
read, and then hands the content to `add`.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

from bench.corpora.file_choice import EVERY_FILE, FileChoice, patterns_of
from bench.corpora.rules import BY_NAME, BY_TEXT, OWN_FILE
from bench.corpora.text import decode, holds_nul
from retrievers.interface import Documents

_UNSHOWABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True)
class Checkout:
    """A repository's documents, and how many other files each rule left out."""

    documents: Documents
    left_out: dict[str, int] = field(default_factory=dict)
    own_files: tuple[str, ...] = ()
    """Files that rankgrid wrote, suites and files of queries, which are left out."""
    idle: tuple[str, ...] = ()
    """The patterns of `exclude` that leave out no file which would be searched without them."""


class FileFilter:
    """Keeps the texts that are worth indexing and counts what it leaves out, by rule.

    What is in `exclude` are places of rankgrid's own; `files` is the choice of the user, whose
    patterns cannot take them back.
    """

    def __init__(self, exclude: tuple[str, ...] = (), files: FileChoice = EVERY_FILE) -> None:
        self._excluded = patterns_of(exclude, "exclude")
        self._files = files
        self._texts: dict[str, str] = {}
        self._left_out: Counter[str] = Counter()
        self._own_files: list[str] = []
        # A pattern that begins with `!` takes files back: whether it does anything is not known.
        self._idle = [one for one in files.exclude if not one.startswith("!")]

    def leave_out(self, rule: str) -> None:
        """Count a file, or a folder that was not entered, under a rule."""
        self._left_out[rule] += 1

    def wants(self, path: str, size: int) -> bool:
        """Whether a file may become a document, as far as its name and size can say."""
        rule = self._rule_by_name(path, size)
        if rule:
            self.leave_out(rule)
        return not rule

    def add(self, path: str, content: bytes) -> None:
        """Keep a file, or count the rule that leaves it out."""
        self.take(path, judged(path, content))

    def take(self, path: str, file: "JudgedFile") -> None:
        """Keep a file that was judged before, or count the rule that leaves it out."""
        if file.rule:
            self.leave_out(file.rule)
        else:
            self._texts[path] = file.text
        if file.rule == OWN_FILE:
            self._own_files.append(path)

    def checkout(self) -> Checkout:
        """Return what was kept, and the counts of what was not."""
        documents = Documents.of(list(self._texts.items()))
        left_out = dict(sorted(self._left_out.items()))
        return Checkout(documents, left_out, tuple(sorted(self._own_files)), tuple(self._idle))

    def _rule_by_name(self, path: str, size: int) -> str:
        if _UNSHOWABLE.search(path):
            return "unreadable_name"
        if self._excluded.excludes(path):
            return "excluded"
        chosen = self._files.rule(path)
        if self._idle and chosen == "excluded":
            effective = self._files.excluding(path)
            self._idle = [one for one in self._idle if one not in effective]
        return chosen or _rule_of_name(path, size)


@dataclass(frozen=True, slots=True)
class JudgedFile:
    """The text of a file, or the rule that leaves it out; its path and its content decide."""

    text: str
    rule: str = ""


def judged(path: str, content: bytes) -> JudgedFile:
    """Return the text of a file, or the rule that leaves it out."""
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
