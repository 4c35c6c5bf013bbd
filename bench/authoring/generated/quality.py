"""Which candidates are questions: none that gives its answer away or says nothing."""

import re
from collections import Counter
from collections.abc import Sequence

from bench.authoring.generated.candidates import Candidate, Reading, Rejection
from bench.authoring.generated.plain import HOLE, name_words
from bench.corpora import Hidden, hide
from bench.queries import find_copies
from bench.queries.verification.wording import lexical_overlap
from retrievers.rules.words import stems

_FEWEST_WORDS = 4
_SAME_WORDS = 0.8
_ANSWER_WORDS = 0.8
_SHORTEST_NAME = 3
_SEVERAL, _LONG_NAME = 2, 3
"""Parts of a name."""
_BOILERPLATE = 3
_TORN = re.compile(
    r"(?:\b(?:the|an?|of|from|to|with|for|by|in|or|and|as|is|be|that|which)\s*(?:[,.;:)]|$))"
    r"|\b(?:from|with|for|by|of|to|the|an?)\s+(?:from|with|for|by|of|and|or|is|are)\b"
    r"|\b(?:when|if|unless|until|after|before|because)\s+(?:is|are|was)\b"
    r"|\bthis\b(?!\s+(?:is|was|will|can|may|must|should|has|does|lets|allows|returns)\b)|\bself\."
    r"|\s=\s|^(?:if|when|unless|until|because|while)\b[^,]*$|\bsee$"
    rf"|{HOLE}|\s[,.;!?](?:\s|$)|^[,)]|\(\s*\)|^(?:and|or|is|are|was|to|of)\b",
    re.IGNORECASE,
)
"""What a name leaves behind that was taken out of a sentence."""
_REMARK = re.compile(
    r"^\W*(?:TODO|FIXME|XXX|HACK)\b|\b(?:istanbul|eslint|tslint|prettier|noqa|pylint|SPDX)\b"
    r"|\b(?:MIT|BSD|Apache|GPL|MPL)\b.*\blicen[cs]e|\bcopyright\b|\ball rights reserved\b",
    re.IGNORECASE,
)
"""What a comment says to lawyers, to tools, and to those who work on the code."""
_BESIDE = re.compile(
    r"^(?:this|these|that|those|they|it|here)\b|\b(?:above|below|following)\b", re.IGNORECASE
)
"""What a paragraph says of the text around it, which nobody who asks has read."""
_WORD = re.compile(r"[^\W\d_]{2,}")


class Quality:
    """Judges candidates one after another; what was kept counts for what follows."""

    def __init__(self, reading: Reading, candidates: Sequence[Candidate]) -> None:
        self._reading = reading
        self._often = Counter(_key(one) for one in candidates)
        self._kept: list[frozenset[str]] = []

    def rejection(self, one: Candidate) -> Rejection | None:
        """Return why a candidate is not a good question, or remember it as one."""
        words = [word.lower() for word in _WORD.findall(one.text)]
        rejection = self._of_text(one, words) or self._of_answers(one, words)
        if rejection is None:
            self._kept.append(frozenset(words))
        return rejection

    def _of_text(self, one: Candidate, words: list[str]) -> Rejection | None:
        if len(words) < _FEWEST_WORDS:
            return "too short"
        if len(words) * 2 < len(one.text.split()) or _TORN.search(one.text):
            return "not a sentence"
        if one.source == "guides" and _BESIDE.search(one.text):
            return "not a sentence"
        if self._often[_key(one)] >= _BOILERPLATE or _REMARK.search(one.text):
            return "boilerplate"
        if any(_likeness(frozenset(words), other) >= _SAME_WORDS for other in self._kept):
            return "near duplicate"
        return None

    def _of_answers(self, one: Candidate, words: list[str]) -> Rejection | None:
        if any(_names(self._reading.simple(row), words) for row in one.rows):
            return "names its answer"
        if one.source == "documentation" and self._reading.has_names(one.text):
            return "names other code"
        if one.source == "messages":  # its words are in its answer: that is what it is for
            return None
        overlap = lexical_overlap(one.text, [self._reading.text(row) for row in one.rows])
        return "only words of its answer" if overlap and overlap > _ANSWER_WORDS else None


def _key(one: Candidate) -> str:
    return " ".join(_WORD.findall(one.text.lower()))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)


def _names(name: str, words: list[str]) -> bool:
    """Tell whether words hold a name: all of its parts, in any order and form.

    A long name is given away by all of its parts but the first or the last one, side by side.
    """
    parts = name_words(name)
    if sum(map(len, parts)) < _SHORTEST_NAME:
        return False
    held = f" {' '.join(words)} "
    told = [parts] if len(parts) < _LONG_NAME else [parts[1:], parts[:-1]]
    if any(f" {' '.join(one)} " in held for one in (["".join(parts)], *told)):
        return True
    stemmed = set(stems(name))
    return len(stemmed) >= min(len(parts), _SEVERAL) and stemmed <= set(stems(held))


def copied_elsewhere(reading: Reading, asked: Sequence[Candidate]) -> frozenset[Candidate]:
    """Return the candidates that the tree has word for word when what all of them hide is gone."""
    hidden = {Hidden(part.path, part.start, part.end) for one in asked for part in one.hidden}
    written = [one for one in asked if one.source != "messages"]
    left = hide(reading.documents, hidden)
    found = find_copies([one.text for one in written], left)
    return frozenset(written[number] for number, _ in found)
