"""The order of a plan's stages and what becomes of those that cannot run."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.engine import (
    Codec,
    Failure,
    Fingerprint,
    NoObserver,
    Outcome,
    Plan,
    Pool,
    Read,
    Record,
    Stage,
    Task,
    carry_out,
)
from bench.engine.scheduler import seconds_to_goal
from bench.engine.task import left_after


@dataclass(frozen=True)
class _Nothing:
    """No result."""


@dataclass(frozen=True)
class _Step(Stage[_Nothing]):
    kind: ClassVar[str] = "schedule_step"
    codec: ClassVar[Codec[Any]] = Record(_Nothing)
    name: str
    after: tuple[Stage[Any], ...] = ()

    @property
    def subject(self) -> str:
        return self.name

    def run(self, read: Read, /) -> _Nothing:
        return _Nothing()


@dataclass(frozen=True)
class _LongStep(_Step):
    kind: ClassVar[str] = "schedule_long_step"


@dataclass(frozen=True)
class _StepAlone(_Step):
    kind: ClassVar[str] = "schedule_step_alone"
    exclusive: ClassVar[bool] = True


@dataclass(frozen=True)
class _FillingStep(_Step):
    kind: ClassVar[str] = "schedule_filling_step"
    fills: bool = field(default=False, compare=False)

    @property
    def leaves_more(self) -> bool:
        return self.fills


class _FakePool(Pool):
    """Finishes one task at a time, the one that was started first."""

    description = "pretends"

    def __init__(self, slots: int, failing: tuple[str, ...] = ()) -> None:
        self.slots = self.workers = slots
        self.started: list[str] = []
        self.finished_names: list[str] = []
        self.groups: list[list[str]] = []
        self.together: list[set[str]] = []
        self.given: dict[str, dict[Fingerprint, bytes]] = {}
        self.calls: list[str] = []
        self._failing = failing
        self._groups: deque[tuple[Task, ...]] = deque()

    def start(self, *tasks: Task) -> str:
        for task in tasks:
            name = task.stage.subject
            self.started.append(name)
            self.given[name] = dict(task.given)
        self.groups.append([task.stage.subject for task in tasks])
        self._groups.append(tasks)
        self.together.append({task.stage.subject for group in self._groups for task in group})
        return "somebody"

    def finished(self, timeout: float) -> list[Outcome]:
        group = self._groups.popleft()
        stage = group[0].stage
        if stage.subject == "interrupted":
            raise KeyboardInterrupt
        self.finished_names.append(stage.subject)
        outcome = Outcome(stage.fingerprint, payload=stage.subject.encode())
        if stage.subject in self._failing:
            outcome = Outcome(stage.fingerprint, failure=Failure("it burns"))
        if left := left_after(outcome, group):
            self._groups.appendleft(left)
        return [outcome]

    def cancel(self) -> None:
        self.calls.append("cancel")

    def close(self) -> None:
        self.calls.append("close")


def test_the_longest_remaining_path_is_the_sum_of_its_kinds() -> None:
    """By hand: b 1, a 1 + 1; c 5, a 1 + 5; the longer one counts."""
    top = _Step("a")
    short, long = _Step("b", (top,)), _LongStep("c", (top,))
    plan = Plan.reaching([short, long])

    found = seconds_to_goal(plan, {"schedule_long_step": 5.0})

    assert found == {top.fingerprint: 6.0, short.fingerprint: 1.0, long.fingerprint: 5.0}


@pytest.mark.parametrize("first_fills", [True, False])
def test_of_equal_stages_the_one_that_leaves_more_is_run(*, first_fills: bool) -> None:
    """Two trials share a stage, and one of them reads what it leaves in a cache."""
    shared = [_FillingStep("a", fills=fills) for fills in (first_fills, not first_fills)]
    goals = [_Step(name, (stage,)) for name, stage in zip("bc", shared, strict=True)]

    plan = Plan.reaching(goals)

    assert len({stage.fingerprint for stage in shared}) == 1
    assert [stage.leaves_more for stage in plan.stages] == [True, False, False]


def test_the_stage_with_the_most_work_behind_it_is_started_first() -> None:
    """First come, first served would leave the long chain for the end."""
    chain = _Step("c", (_Step("b", (_Step("a"),)),))
    plan = Plan.reaching([_Step("x"), _Step("y"), chain])
    pool = _FakePool(slots=1)

    carry_out(plan, "memory://", pool, NoObserver())

    assert pool.started == ["a", "b", "x", "y", "c"]


def test_expected_seconds_decide_the_order() -> None:
    """A caller knows which kinds take long."""
    plan = Plan.reaching([_Step("short"), _LongStep("long")])
    pool = _FakePool(slots=1)

    carry_out(plan, "memory://", pool, NoObserver(), expected_seconds={"schedule_long_step": 9.0})

    assert pool.started == ["long", "short"]


def test_no_more_is_started_than_there_are_slots() -> None:
    """What is not handed out can still be overtaken."""
    plan = Plan.reaching([_Step(name) for name in "abcdef"])
    pool = _FakePool(slots=3)

    carry_out(plan, "memory://", pool, NoObserver())

    assert max(map(len, pool.together)) == 3


def test_short_stages_travel_in_groups_spread_over_the_slots() -> None:
    """By hand: six are ready for two slots, three each; a group lasts 100 ms at most."""
    plan = Plan.reaching([_Step(name) for name in "abcdef"])
    even, full = _FakePool(slots=2), _FakePool(slots=2)

    carry_out(plan, "memory://", even, NoObserver(), expected_seconds={_Step.kind: 0.001})
    carry_out(plan, "memory://", full, NoObserver(), expected_seconds={_Step.kind: 0.04})

    assert even.groups == [["a", "b", "c"], ["d", "e", "f"]]
    assert full.groups == [["a", "b"], ["c", "d"], ["e", "f"]]


def test_long_and_exclusive_stages_travel_alone() -> None:
    """Also behind a short one, and where nothing is known of their kind."""
    plan = Plan.reaching(
        [_Step("a"), _Step("b"), _LongStep("l"), _StepAlone("m"), _StepAlone("n")]
    )
    pool = _FakePool(slots=1)

    carry_out(plan, "memory://", pool, NoObserver(), expected_seconds={_Step.kind: 0.001})

    assert pool.groups == [["l"], ["a", "b"], ["m"], ["n"]]


def test_short_stages_travel_behind_their_inputs() -> None:
    """Behind a long one as well; not one that also waits for a stage of another group."""
    long, other = _LongStep("l"), _LongStep("k")
    near, both = _Step("near", (long,)), _Step("both", (long, other))
    goals = [_Step("far", (near,)), _Step("behind", (both,)), _StepAlone("m", (near,))]
    pool = _FakePool(slots=2)

    carry_out(
        Plan.reaching(goals),
        "memory://",
        pool,
        NoObserver(),
        expected_seconds={_Step.kind: 0.04, _StepAlone.kind: 0.001},
    )

    assert pool.groups == [["l", "near", "far"], ["k"], ["both", "behind"], ["m"]]


def test_a_group_behind_an_input_is_bounded() -> None:
    """By hand: two of 40 ms fit into 100 ms, three do not."""
    chain: tuple[Stage[Any], ...] = ()
    for name in "abcde":
        chain = (_Step(name, chain),)
    pool = _FakePool(slots=1)

    carry_out(
        Plan.reaching(chain), "memory://", pool, NoObserver(), expected_seconds={_Step.kind: 0.04}
    )

    assert pool.groups == [["a", "b"], ["c", "d"], ["e"]]


def test_exclusive_stages_come_last_and_alone() -> None:
    """One at a time, and what waits for them after them."""
    alone = [_StepAlone("m"), _StepAlone("n", (_Step("a"),))]
    plan = Plan.reaching([*alone, _Step("b"), _Step("z", tuple(alone))])
    pool = _FakePool(slots=4)

    carry_out(plan, "memory://", pool, NoObserver())

    assert set(pool.started[:2]) == {"a", "b"}
    assert set(pool.started[2:4]) == {"m", "n"}
    assert pool.together[2:] == [{name} for name in pool.started[2:]]
    assert pool.started[4] == "z"


def test_results_travel_with_the_tasks_that_need_them() -> None:
    """And are let go of when nobody needs them any more."""
    top = _Step("a")
    goal = _Step("b", (top,))
    pool = _FakePool(slots=1)

    outcomes = carry_out(Plan.reaching([goal]), "memory://", pool, NoObserver())

    assert pool.given == {"a": {}, "b": {top.fingerprint: b"a"}}
    assert outcomes[top.fingerprint].payload is None
    assert outcomes[goal.fingerprint].payload == b"b"


def test_a_goal_keeps_its_payload_although_another_goal_needs_it() -> None:
    """Whoever asked for both results may have no other way to them."""
    first = _Step("a")
    second = _Step("b", (first,))
    pool = _FakePool(slots=1)

    outcomes = carry_out(Plan.reaching([first, second]), "memory://", pool, NoObserver())

    assert outcomes[first.fingerprint].payload == b"a"
    assert outcomes[second.fingerprint].payload == b"b"


def test_a_failure_stops_what_is_behind_it_only() -> None:
    """The reason names the first that failed, its subject and its cause."""
    burnt = _Step("burnt")
    near, beside = _Step("near", (burnt,)), _Step("beside")
    far = _Step("far", (near, beside))
    pool = _FakePool(slots=2, failing=("burnt",))

    outcomes = carry_out(Plan.reaching([far]), "memory://", pool, NoObserver())

    assert sorted(pool.started) == ["beside", "burnt"]
    reason = Failure("not run: schedule_step burnt failed: it burns", skipped=True)
    assert outcomes[near.fingerprint].failure == reason
    assert outcomes[far.fingerprint].failure == reason
    assert outcomes[beside.fingerprint].failure is None


def test_an_interrupted_loop_closes_the_crew_and_goes_on_being_interrupted() -> None:
    """Nobody else would end the workers."""
    pool = _FakePool(slots=1)

    with pytest.raises(KeyboardInterrupt):
        carry_out(Plan.reaching([_Step("interrupted")]), "memory://", pool, NoObserver())

    assert pool.calls == ["cancel", "close"]


def test_an_empty_plan_is_done() -> None:
    """A warm second run has nothing to do."""
    pool = _FakePool(slots=1)

    outcomes = carry_out(Plan(()), "memory://", pool, NoObserver())

    assert outcomes == {}
    assert pool.calls == []


@given(
    st.lists(st.tuples(st.sets(st.integers(0, 30)), st.booleans()), min_size=1, max_size=25),
    st.integers(1, 4),
    st.sets(st.integers(0, 24)),
    st.sampled_from([1.0, 0.04, 0.001]),
)
def test_every_stage_of_any_plan_is_settled_after_its_inputs(
    shape: list[tuple[set[int], bool]], slots: int, failing: set[int], seconds: float
) -> None:
    """Each runs once after all its inputs, unless one of those failed."""
    stages: list[_Step] = []
    for place, (inputs, is_exclusive) in enumerate(shape):
        kind = _StepAlone if is_exclusive else _Step
        after = tuple(stages[number] for number in sorted(inputs) if number < place)
        stages.append(kind(str(place), after))
    pool = _FakePool(slots, failing=tuple(map(str, failing)))

    short = {_Step.kind: seconds, _StepAlone.kind: seconds}
    outcomes = carry_out(
        Plan.reaching(stages), "memory://", pool, NoObserver(), expected_seconds=short
    )

    spoilt: set[str] = set()
    for stage in stages:
        is_skipped = any(needed.subject in spoilt for needed in stage.after)
        assert (stage.name in pool.finished_names) is not is_skipped
        if is_skipped or stage.name in map(str, failing):
            spoilt.add(stage.name)
        assert (outcomes[stage.fingerprint].failure is not None) is (stage.name in spoilt)
        if not is_skipped:
            before = pool.finished_names[: pool.finished_names.index(stage.name)]
            assert {needed.subject for needed in stage.after} <= set(before)
    assert len(pool.started) == len(set(pool.started))
