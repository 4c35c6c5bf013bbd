"""Words of a query that reveal its answer: names of targets, and shared words."""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from bench.queries.building import Entry
from bench.queries.query import Target
from bench.queries.verification.findings import Finding, about
from retrievers.lexical import tokenize

_FEWEST_LETTERS = 6
_IDENTIFIER = re.compile(r"[A-Za-z0-9]_[A-Za-z0-9]|[a-z][A-Z]|[A-Za-z]\d|[A-Z][A-Z][a-z]")
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a about after all an and any are as at be because been before being both but by can could
        did do does done each for from get had has have how i if in into is it its itself just let
        like may me might more most must my no nor not of on one only or other our out over own
        per shall she should so some such than that the their them then there these they this
        those through to too under until up upon us use used using very want was we were what when
        where whether which while who whom whose why will with within without would you your
        """,
    )
)


def leaks(entry: Entry) -> Iterator[Finding]:
    """Yield the names of targets that occur in the question, unless it uses them on purpose.

    Everyday words may occur in both by chance, so they are only warnings. Names in issues and in
    unreviewed drafts are only warnings as well.
    """
    query = entry.query
    if query.is_exact or entry.form in ("beir", "trec", "characters"):
        return
    for name in dict.fromkeys(_names(query.targets)):
        if sum(map(str.isalpha, name)) < _FEWEST_LETTERS or not _holds(query.text, name):
            continue
        found = entry.form == "issues" or query.category == "issue" or entry.draft
        given = _IDENTIFIER.search(name.strip("_")) and not found
        yield about(
            entry,
            "error" if given else "warning",
            "leak",
            f"the question contains the name of its answer, {name[:80]!r}",
            "say it in other words, or label the query exact",
        )


def lexical_overlap(text: str, answers: Iterable[str]) -> float | None:
    """Return the share of a text's content words that also occur in its answers."""
    words = {word for word in _words(text) if word not in _STOP_WORDS}
    if not words:
        return None
    known = {word for answer in answers for word in _words(answer)}
    return len(words & known) / len(words)


def _words(text: str) -> Iterator[str]:
    return (word for word in tokenize(text, "identifier") if len(word) > 1)


def _names(targets: Iterable[Target]) -> Iterator[str]:
    for target in targets:
        if target.level == "symbol":
            yield re.split(r"[.:#/\\]", target.symbol)[-1]
        else:
            yield PurePosixPath(target.path).stem


def _holds(text: str, name: str) -> bool:
    whole_word = rf"(?<!\w){re.escape(name.casefold())}(?!\w)"
    return re.search(whole_word, text.casefold()) is not None
