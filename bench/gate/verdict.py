"""All checks of a gate together: state, exit code, and the lines that explain them."""

from dataclasses import dataclass, field

from bench.compare import shared_questions
from bench.gate.baseline import Allowed, baseline_checks, without_baseline
from bench.gate.checks import Check, State, limit_checks
from bench.gate.limits import Limit
from bench.results import StudyResult

BELOW, NOT_COMPARABLE = 3, 4
_CODES = {State.PASS: 0, State.FAIL: BELOW, State.NOT_COMPARABLE: NOT_COMPARABLE}
_LISTED = 5
_WORST_LAST = (State.PASS, State.INCONCLUSIVE, State.FAIL, State.NOT_COMPARABLE)


@dataclass(frozen=True)
class Asked:
    """All requirements of a gate."""

    limits: tuple[Limit, ...] = ()
    allowed: Allowed = field(default_factory=Allowed)
    of: str = "all"
    strict: bool = False
    """Whether an inconclusive check fails."""


@dataclass(frozen=True)
class Verdict:
    """The result of a gate, with all its checks."""

    study: str
    checks: tuple[Check, ...]
    notes: tuple[str, ...] = ()
    strict: bool = False

    @property
    def state(self) -> State:
        """The worst state of all checks; passed without checks."""
        return max(
            (check.state for check in self.checks), key=_WORST_LAST.index, default=State.PASS
        )

    @property
    def exit_code(self) -> int:
        """0 passed, 3 failed, 4 not comparable. Inconclusive is 0, or 3 with `strict`."""
        inconclusive = BELOW if self.strict else 0
        return _CODES.get(self.state, inconclusive)

    @property
    def lines(self) -> tuple[str, ...]:
        """Lines for the end of a run: checks that did not pass, notes, then the headline."""
        if not self.checks:
            return ()
        told = [line for check in self.checks for line in _told(check)]
        return (*told, *(f"gate: note: {note}" for note in self.notes), self.headline)

    @property
    def headline(self) -> str:
        """The verdict in one line."""
        asked = ", ".join(dict.fromkeys(check.asked for check in self.checks))
        said = {State.PASS: "passed", State.FAIL: "failed"}.get(self.state, str(self.state))
        if self.state is State.INCONCLUSIVE:
            said = f"{said} ({'which --strict fails' if self.strict else 'a warning'})"
        return f"gate: {said} ({asked})"


def judge(study: StudyResult, asked: Asked, *, baseline: StudyResult | None = None) -> Verdict:
    """Check a study against its limits and its baseline."""
    checks = limit_checks(study, asked.limits, of=asked.of)
    notes: tuple[str, ...] = ()
    if baseline is not None:
        checks += baseline_checks(study, baseline, asked.allowed, of=asked.of)
        alone = without_baseline(study, baseline, of=asked.of)
        notes = tuple(f"the baseline has nothing to compare {name} with" for name in alone)
        notes += _about_moved(baseline, study)
        notes += _about_many(sum(check.report is not None for check in checks))
    return Verdict(study.id, tuple(checks), notes, asked.strict)


def _about_moved(baseline: StudyResult, study: StudyResult) -> tuple[str, ...]:
    """Return a note on moved lines, since the next study uses them as they are written."""
    moved = shared_questions(baseline, study).moved
    if not moved:
        return ()
    more = f" and {len(moved) - _LISTED} more" if len(moved) > _LISTED else ""
    named = f"{', '.join(moved[:_LISTED])}{more}"
    return (f"the lines of {named} moved; bring their file up to date (rankgrid fixtures update)",)


def _about_many(trials: int) -> tuple[str, ...]:
    """Return a note on the cost of several trials: they share the error rates of one."""
    if trials < 2:  # noqa: PLR2004 - one trial has the error rate that is promised
        return ()
    said = (
        f"{trials} trials are judged together, so that any of them fails by chance in 2 to 7 % of"
        " runs; gate.of=best tests one trial and detects smaller drops"
    )
    return (said,)


def _told(check: Check) -> list[str]:
    """Return the lines about a check; a limit that holds has none."""
    if check.state is State.PASS and check.report is None:
        return []
    who = f"{check.trial}: " if check.trial else ""
    state = "" if check.state is State.PASS else f"{check.state}: "
    head, *rest = check.lines
    return [
        f"gate: {state}{who}{head}",
        *(f"  {line}" for line in rest),
        # Query ids are untrusted: keep them on one line, and never at its start.
        *(f"  - {' '.join(line.split())}" for line in check.details),
    ]
