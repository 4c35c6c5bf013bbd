"""Questions that two studies have in common, even if the searched code has changed.

A question is the same in another tree if its text is the same and its targets still exist: a name
that is found in both trees, or lines with the same text, at any position. All of this comes from
the two results files.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bench.queries import TargetState
from bench.queries.line_marks import parted, same_text
from bench.results import AskedQuestion, QueryKey, QueryResult, StudyResult

_LISTED = 5


class Reason(StrEnum):
    """Reason why a question cannot be compared in a changed tree."""

    GONE = "gone"
    REWRITTEN = "rewritten"
    AMBIGUOUS = "ambiguous"
    OUTSIDE = "outside"
    NEW = "new"


@dataclass(frozen=True)
class Dropped:
    """A question that only one of two trees answers, and the target that differs."""

    query: QueryKey
    reason: Reason
    target: str

    @property
    def name(self) -> str:
        """The query as repository/id."""
        return "/".join(self.query)


@dataclass(frozen=True)
class SharedQuestions:
    """The recorded questions of two studies."""

    before: Mapping[QueryKey, AskedQuestion] = field(default_factory=dict)
    after: Mapping[QueryKey, AskedQuestion] = field(default_factory=dict)
    dropped: Mapping[QueryKey, Dropped] = field(default_factory=dict)
    moved: tuple[str, ...] = ()
    """Questions whose lines have moved from the position in their file."""

    def are_same(self, a: QueryResult, b: QueryResult) -> bool:
        """Return whether both queries are the same; older files record only the written form."""
        before, after = self.before.get(a.key), self.after.get(b.key)
        if before is None or after is None:
            return a.asked == b.asked
        return before.question == after.question and all(
            map(_same_target, before.targets, after.targets)
        )


def shared_questions(a: StudyResult, b: StudyResult) -> SharedQuestions:
    """Return the questions of two studies. Questions lost by changes of the code are dropped."""
    before, after = a.question_by_key, b.question_by_key
    changed = {name for name in a.corpus_by_name if is_changed_tree(a, b, name)}
    shared = [key for key in before if key in after and key[0] in changed]
    found = (_dropped(before[key], after[key]) for key in shared)
    moved = ("/".join(key) for key in shared if any(one.at for one in after[key].targets))
    dropped = {one.query: one for one in found if one is not None}
    return SharedQuestions(before, after, dropped, tuple(moved))


def is_changed_tree(a: StudyResult, b: StudyResult, repository: str) -> bool:
    """Return whether both studies searched a repository, but with different content."""
    before, after = a.corpus_by_name.get(repository), b.corpus_by_name.get(repository)
    return bool(before and after and before.documents != after.documents)


def dropped_lines(dropped: Iterable[Dropped]) -> Iterator[str]:
    """Yield the number of excluded questions and their ids, for each reason."""
    of_reason: dict[Reason, list[str]] = {}
    for one in dropped:
        of_reason.setdefault(one.reason, []).append(one.name)
    for reason in Reason:
        names = of_reason.get(reason, [])
        if names:
            more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
            yield f"{len(names)} {_MEANING[reason]}: {', '.join(names[:_LISTED])}{more}"


_MEANING = {
    Reason.GONE: "gone (a target is no longer in the code)",
    Reason.REWRITTEN: "rewritten (fewer than half of a target's lines are left)",
    Reason.AMBIGUOUS: "ambiguous (a target is now found in several places)",
    Reason.OUTSIDE: "outside its file (the lines of a target are beyond its end)",
    Reason.NEW: "new (a target is not in the code of the baseline)",
}


def _dropped(before: AskedQuestion, after: AskedQuestion) -> Dropped | None:
    for old, new in zip(before.targets, after.targets, strict=False):
        reason = _reason(old, new)
        if reason is not None:
            return Dropped(after.key, reason, new.written)
    return None


def _reason(before: TargetState, after: TargetState) -> Reason | None:
    if before.lost:
        return Reason.NEW
    if after.lost:
        return Reason(after.lost)
    return None if _same_lines(before, after) else Reason.REWRITTEN


def _same_target(before: TargetState, after: TargetState) -> bool:
    """Return whether two targets are the same: written identically, or lines with equal text."""
    return before.written == after.written or bool(before.lines and _same_lines(before, after))


def _same_lines(before: TargetState, after: TargetState) -> bool:
    return before.lines == after.lines or same_text(parted(before.lines), parted(after.lines))
