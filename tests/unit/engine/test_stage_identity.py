"""A stage's fingerprint covers all that changes its result, and nothing else."""

import json
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.engine import Plan, Read, Record, Stage
from bench.errors import ArtifactError


@dataclass(frozen=True)
class Number:
    """A stored number."""

    value: float


@dataclass(frozen=True)
class Options:
    """A nested parameter."""

    size: int
    source: Any = None


@dataclass(frozen=True)
class Make(Stage[Number]):
    """Makes a number of a parameter and some inputs."""

    kind: ClassVar[str] = "test-make"
    codec: ClassVar[Record[Number]] = Record(Number)

    parameter: Any = None
    inputs_: tuple[Stage[Any], ...] = ()
    name: str = field(default="", compare=False)

    def run(self, _read: Read, /) -> Number:
        """Return one."""
        return Number(1.0)


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=6,
)


@given(plain, plain)
def test_different_parameters_never_share_a_fingerprint(left: object, right: object) -> None:
    """Two recipes are equal exactly if their JSON is."""
    same = json.dumps(left) == json.dumps(right)

    assert (Make(left).fingerprint == Make(right).fingerprint) == same


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        {1: 2},
        {"1": 2},
        [1],
        np.float64(1.0),
        np.int32(1),
        b"bytes",
        {1},
        Options(size=float("nan")),  # type: ignore[arg-type]
        (1, (2, np.int64(3))),
    ],
)
def test_what_has_no_exact_json_is_refused_at_construction(value: object) -> None:
    """The error names the field."""
    with pytest.raises(ArtifactError, match=r"Make\.parameter"):
        Make(value)


def test_a_stage_nested_in_a_dataclass_is_an_input() -> None:
    """Whatever enters the fingerprint is also carried out first."""
    inner = Make(1)

    outer = Make(Options(size=2, source=inner))

    assert outer.inputs == (inner,)
    assert [stage.fingerprint for stage in Plan.reaching([outer]).stages] == [
        inner.fingerprint,
        outer.fingerprint,
    ]


def test_true_one_and_one_point_zero_are_three_parameters() -> None:
    """Python holds them equal; a recipe does not."""
    fingerprints = {Make(value).fingerprint for value in (True, 1, 1.0, "1")}

    assert len(fingerprints) == 4


def test_a_name_for_people_is_not_part_of_the_recipe() -> None:
    """Fields declared with compare=False change nothing."""
    assert Make(1, name="a").fingerprint == Make(1, name="b").fingerprint


def test_a_later_setting_is_part_of_the_recipe_only_where_it_departs_from_its_default() -> None:
    """What was stored before there was such a setting is found again."""

    @dataclass(frozen=True)
    class Grown(Options):
        pooling: str = field(default="model", metadata={"later": True})

    before, after = Make(Grown(1)).recipe, Make(Grown(1, pooling="cls")).recipe

    assert "pooling" not in json.dumps(before)
    assert '"pooling": "cls"' in json.dumps(after)


def test_two_classes_cannot_share_a_kind() -> None:
    """Their results would share addresses."""
    with pytest.raises(ArtifactError, match="test-make"):

        class Other(Stage[Number]):
            kind: ClassVar[str] = "test-make"

            def run(self, _read: Read, /) -> Number:
                return Number(2.0)


def test_dataclasses_of_the_same_fields_but_another_class_differ() -> None:
    """A parameter's class is part of what it is."""

    @dataclass(frozen=True)
    class Settings:
        size: int
        source: Any = None

    assert Make(Options(1)).fingerprint != Make(Settings(1)).fingerprint


def test_a_shared_input_is_planned_once_and_before_its_users() -> None:
    """A DAG shares what a prefix tree cannot."""
    root = Make("root")
    left, right = Make("left", (root,)), Make("right", (root,))
    goal = Make("goal", (left, right))

    stages = Plan.reaching([goal, left]).stages

    done: set[str] = set()
    for stage in stages:
        assert {needed.fingerprint for needed in stage.inputs} <= done
        done.add(stage.fingerprint)
    assert len(stages) == 4


def test_what_is_done_hides_what_only_it_needs() -> None:
    """A stored result needs none of its inputs."""
    root = Make("root")
    left, right = Make("left", (root,)), Make("right")
    goal = Make("goal", (left, right))

    stages = Plan.reaching([goal], done=lambda stage: stage == left).stages

    assert stages == (right, goal)
