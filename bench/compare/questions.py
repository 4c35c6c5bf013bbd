"""The questions that two studies have in common, also where the searched code has changed.

In another tree a question is the same if its text is and its targets are still there: a name that
is found in both, or lines that say the same wherever they are now. All of it is known from the
two results files.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bench.queries import TargetState
from bench.queries.line_marks import parted, same_text
from bench.results import AskedQuestion, QueryKey, QueryResult, StudyResult

_LISTED = 5


class Reason(StrEnum):
    """Why a question cannot be compared in a changed tree."""

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
        """The query as people read it."""
        return "/".join(self.query)


@dataclass(frozen=True)
class SharedQuestions:
    """What two studies record of the questions that both were asked."""

    before: Mapping[QueryKey, AskedQuestion] = field(default_factory=dict)
    after: Mapping[QueryKey, AskedQuestion] = field(default_factory=dict)
    dropped: Mapping[QueryKey, Dropped] = field(default_factory=dict)
    moved: tuple[str, ...] = ()
    """The questions whose lines are no longer where their file says."""

    def are_same(self, a: QueryResult, b: QueryResult) -> bool:
        """Tell whether both were asked the same; older files know only what was written."""
        before, after = self.before.get(a.key), self.after.get(b.key)
        if before is None or after is None:
            return a.asked == b.asked
        return before.question == after.question and all(
            map(_same_target, before.targets, after.targets)
        )


def shared_questions(a: StudyResult, b: StudyResult) -> SharedQuestions:
    """Return the questions of two studies; those that a changed tree has lost are dropped."""
    before, after = a.question_by_key, b.question_by_key
    changed = {name for name in a.corpus_by_name if is_changed_tree(a, b, name)}
    shared = [key for key in before if key in after and key[0] in changed]
    found = (_dropped(before[key], after[key]) for key in shared)
    moved = ("/".join(key) for key in shared if any(one.at for one in after[key].targets))
    dropped = {one.query: one for one in found if one is not None}
    return SharedQuestions(before, after, dropped, tuple(moved))


def is_changed_tree(a: StudyResult, b: StudyResult, repository: str) -> bool:
    """Tell whether both searched a repository, but not the same content of it."""
    before, after = a.corpus_by_name.get(repository), b.corpus_by_name.get(repository)
    return bool(before and after and before.documents != after.documents)


def dropped_lines(dropped: Iterable[Dropped]) -> Iterator[str]:
    """Yield for each reason how many questions were left out, and their ids."""
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
    """Tell whether two targets are one: written in the same way, or lines with the same text."""
    return before.written == after.written or bool(before.lines and _same_lines(before, after))


def _same_lines(before: TargetState, after: TargetState) -> bool:
    return before.lines == after.lines or same_text(parted(before.lines), parted(after.lines))
