"""Quality checks of candidates: leaks of the answer, boilerplate and duplicates."""

import re
from collections import Counter
from collections.abc import Sequence

from bench.authoring.generated.candidates import Candidate, Reading, Rejection
from bench.authoring.generated.plain import name_words
from bench.authoring.generated.standing import Standing
from bench.authoring.generated.wording import is_enough, is_sentence, is_whole
from bench.corpora import Hidden, hide
from bench.queries import find_copies
from bench.queries.verification.wording import lexical_overlap
from retrievers.rules.words import stems

_MOST_WORDS = 30
_SAME_WORDS = 0.8
_ANSWER_WORDS = 0.8
_SHORTEST_NAME = 3
_LONG_NAME = 3
"""Parts of a name."""
_LONG_PART = 4
"""Number of letters that are unlikely to be part of another word by chance."""
_FIRST_PARTS = frozenset(("is", "has", "get", "set", "to"))
_LAST_PARTS = frozenset(("error", "exception"))
_PROSE = ("documentation", "tests", "guides")
"""Sources of prose, which was not written as questions."""
_BOILERPLATE = 3
_REMARK = re.compile(
    r"^\W*(?:TODO|FIXME|XXX|HACK)\b|\b(?:istanbul|eslint|tslint|prettier|noqa|pylint|SPDX)\b"
    r"|\b(?:MIT|BSD|Apache|GPL|MPL)\b.*\blicen[cs]e|\bcopyright\b|\ball rights reserved\b",
    re.IGNORECASE,
)
"""Remarks to lawyers, tools and maintainers."""
_WORD = re.compile(r"[^\W\d_]{2,}")


class Quality:
    """Judge of candidates, one after another. Accepted candidates affect later ones.

    With `fair` questions, it judges candidates for more by wider rules.
    """

    def __init__(
        self,
        reading: Reading,
        candidates: Sequence[Candidate],
        fair: Sequence[Candidate] | None = None,
    ) -> None:
        self._reading = reading
        self._is_wide = fair is not None
        self._often = Counter(_key(one) for one in candidates)
        self._standing = Standing(reading)
        self._kept = [frozenset(_words(one)) for one in fair or ()]

    def rejection(self, one: Candidate) -> Rejection | None:
        """Return why a candidate is not a good question, or remember it as one."""
        words = _words(one)
        rejection = self._of_text(one, words) or self._of_answers(one, words)
        if rejection is None:
            self._kept.append(frozenset(words))
        return rejection

    def _of_text(self, one: Candidate, words: list[str]) -> Rejection | None:
        if not is_enough(one.text):
            return "too short"
        if len(one.text.split()) > _MOST_WORDS:
            return "too long"
        # Names of tests and entries of change logs have no capital letter.
        is_apart = one.source in _PROSE and one.source != "documentation"
        said = one.text[:1].upper() + one.text[1:] if is_apart else one.text
        if not is_whole(one.text) or (one.source in _PROSE and not is_sentence(said)):
            return "not a sentence"
        if self._often[_key(one)] >= _BOILERPLATE or _REMARK.search(one.text):
            return "boilerplate"
        if any(_likeness(frozenset(words), other) >= _SAME_WORDS for other in self._kept):
            return "near duplicate"
        return None

    def _of_answers(self, one: Candidate, words: list[str]) -> Rejection | None:
        if any(self._gives_away(row, words) for row in one.rows):
            return "names its answer"
        if one.source == "documentation" and self._reading.has_names(one.text):
            return "names other code"
        if one.source == "messages":  # its words are in its answer: that is what it is for
            return None
        if one.source in _PROSE and (reason := self._of_standing(one)):
            return reason
        overlap = lexical_overlap(one.text, [self._reading.text(row) for row in one.rows])
        return "only words of its answer" if overlap and overlap > _ANSWER_WORDS else None

    def _of_standing(self, one: Candidate) -> Rejection | None:
        for row in one.rows:
            if reason := self._standing.rejection(row, is_wide=self._is_wide):
                return reason
            if not self._is_wide and self._standing.is_one_of_several(one.text, row):
                return "several answers fit"
        return None

    def _gives_away(self, row: int, words: list[str]) -> bool:
        """Return whether words contain a definition's name, alone or with that of its class."""
        reading, around = self._reading, int(self._reading.symbols.parent[row])
        name = reading.simple(row)
        whole = f"{reading.simple(around)} {name}" if around >= 0 else name
        return _names(name, words) or _names(whole, words)


def _words(one: Candidate) -> list[str]:
    return [word.lower() for word in _WORD.findall(one.text)]


def _key(one: Candidate) -> str:
    return " ".join(_WORD.findall(one.text.lower()))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)


def _names(name: str, words: list[str]) -> bool:
    """Return whether words contain a name: all of its parts, in any order and form.

    Parts that only say what is done with the others do not count. A long name is given away by
    all of its parts but the first or the last one, side by side.
    """
    parts = name_words(name)
    if sum(map(len, parts)) < _SHORTEST_NAME:
        return False
    held = f" {' '.join(words)} "
    told = [parts] if len(parts) < _LONG_NAME else [parts[1:], parts[:-1]]
    if any(f" {' '.join(one)} " in held for one in (["".join(parts)], *told)):
        return True
    telling = _telling(parts)
    joined = "".join(telling)
    if len(joined) >= _LONG_PART and joined in "".join(words):
        return True
    stemmed = set(stems(" ".join(telling)))
    return bool(stemmed) and stemmed <= set(stems(held))


def _telling(parts: list[str]) -> list[str]:
    """Return the parts of a name without common prefixes and suffixes."""
    kept = list(parts)
    while len(kept) > 1 and kept[0] in _FIRST_PARTS:
        del kept[0]
    while len(kept) > 1 and kept[-1] in _LAST_PARTS:
        del kept[-1]
    return kept


def copied_elsewhere(reading: Reading, asked: Sequence[Candidate]) -> frozenset[Candidate]:
    """Return the candidates whose text is still in the tree after all hidden lines are blanked."""
    hidden = {Hidden(part.path, part.start, part.end) for one in asked for part in one.hidden}
    written = [one for one in asked if one.source != "messages"]
    left = hide(reading.documents, hidden)
    found = find_copies([one.text for one in written], left)
    return frozenset(written[number] for number, _ in found)
