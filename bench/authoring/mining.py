"""Drafts of queries from a repository's history: a message, and the code that it changed.

The question of a draft is the commit's message, or the issue that it names. The targets are the
functions that the commit changes, in the state of its parent, before the change. All results are
drafts, because a message may say little about its change.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from bench.authoring.changes import changed_code
from bench.authoring.messages import references, says_nothing, subject_of, whole_of
from bench.authoring.patches import Section, sections_of
from bench.corpora.history import Commit, History
from bench.corpora.rules import BY_NAME
from bench.queries import Entry, Query, Target
from bench.queries.located import Place
from bench.study.origins import MINED
from retrievers.source import language_of

_ID_DIGITS = 12
_BULK = 10
"""Changes with more than this many times `most_files` are skipped before their patch is read."""
_TEST = re.compile(
    r"""
    (?:^|/)(?:tests?|specs?|__tests__|testing|testdata)/ | (?:^|/)(?:test_[^/]*|conftest\.py)$
    | [_.-](?:tests?|spec)\.[^/.]+$ | (?:Tests?|Spec)\.(?:java|cs|kt|swift|php|scala|groovy)$
    """,
    re.VERBOSE,
)

Reason = Literal[
    "merge",
    "first commit",
    "says nothing",
    "duplicate",
    "bulk",
    "no code",
    "test only",
    "generated or vendored",
    "formatting only",
    "only new code",
]


@dataclass(frozen=True)
class Mining:
    """Conditions for drafts."""

    most_drafts: int = 100
    most_files: int = 5
    """Maximal number of changed files of code without tests; changes of more are bulk changes."""
    most_targets: int = 8
    fewest_words: int = 4
    """Least number of words in a message's subject."""
    text: Literal["subject", "message"] = "subject"


@dataclass(frozen=True)
class Mined:
    """The drafts, newest first, and the number of excluded commits by reason."""

    drafts: tuple[Entry, ...]
    left_out: Mapping[Reason, int]


def mine(history: History, mining: Mining, *, linked: Mapping[str, str], name: str = "") -> Mined:
    """Return drafts of queries; `linked` has the texts of issues by number.

    `name` is the name of the repository, for suites of several.
    """
    drafts: list[Entry] = []
    left_out: Counter[Reason] = Counter()
    asked: set[str] = set()
    for commit in history.commits:
        if len(drafts) == mining.most_drafts:
            break
        found = _draft(history, commit, mining, linked)
        if isinstance(found, Query) and _spoken(found) in asked:
            found = "duplicate"
        if isinstance(found, Query):
            asked.add(_spoken(found))
            place = Place(name, 1)
            drafts.append(Entry(found, name, place, "queries", commit.parents[0], draft=True))
        else:
            left_out[found] += 1
    return Mined(tuple(drafts), dict(left_out.most_common()))


def _spoken(query: Query) -> str:
    return " ".join(query.text.casefold().split())


def _draft(
    history: History, commit: Commit, mining: Mining, linked: Mapping[str, str]
) -> Query | Reason:
    if len(commit.parents) != 1:
        return "merge" if commit.parents else "first commit"
    issue = next((linked[one] for one in references(commit.message) if one in linked), "")
    if not issue and says_nothing(commit.message, fewest_words=mining.fewest_words):
        return "says nothing"
    found = _targets(history, commit, mining)
    if not isinstance(found, tuple):
        return found
    said = subject_of(commit.message) if mining.text == "subject" else whole_of(commit.message)
    identifier, notes = commit.id[:_ID_DIGITS], f"mined from commit {commit.id}"
    return Query(identifier, issue or said, found, tags=(MINED,), notes=notes)


def _targets(history: History, commit: Commit, mining: Mining) -> tuple[Target, ...] | Reason:
    paths = history.changed_paths(commit)
    reason = _unanswerable(paths, mining)
    if reason:
        return reason
    changed = _answering(sections_of(history.patch(commit)))
    if isinstance(changed, str):
        return changed
    if len(changed) > mining.most_files:
        return "bulk"
    documents = history.documents(commit.parents[0], [one.old_path for one in changed])
    if not len(documents):
        return "generated or vendored"
    targets = changed_code(changed, documents)
    return targets if 0 < len(targets) <= mining.most_targets else _wrong_count(targets)


def _wrong_count(targets: tuple[Target, ...]) -> Reason:
    return "bulk" if targets else "only new code"


def _unanswerable(paths: tuple[str, ...], mining: Mining) -> Reason | None:
    """Return the reason why none of the changed files can be an answer, judged by their names."""
    code = [path for path in paths if language_of(path)]
    own = [path for path in code if not any(holds(path, 0) for _, holds in BY_NAME)]
    if len(paths) > mining.most_files * _BULK:
        return "bulk"
    if not code:
        return "no code"
    if not own:
        return "generated or vendored"
    return "test only" if all(map(is_test, own)) else None


def _answering(sections: Sequence[Section]) -> list[Section] | Reason:
    """Return the files with changed code, or the reason why there are none."""
    code = [one for one in sections if language_of(one.old_path) and not is_test(one.old_path)]
    if not code:
        return "only new code" if any(not one.old_path for one in sections) else "formatting only"
    changed = [one for one in code if not one.is_formatting]
    return changed or "formatting only"


def is_test(path: str) -> bool:
    """Return whether the name of a file marks it as a test."""
    return _TEST.search(path) is not None
