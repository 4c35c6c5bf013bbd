"""Rules as settings: what is allowed, what is off, and what makes no difference."""

import math

import pytest

from retrievers.errors import RulesError
from retrievers.rules import OFF, Rules


def test_the_defaults_are_the_recipe() -> None:
    rules = Rules()

    assert (rules.name_boost, rules.definition_boost, rules.test_penalty) == (1.0, 0.5, 0.5)
    assert (rules.path_boost, rules.frame_boost) == (0.3, 0.5)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name_boost", -0.1),
        ("name_boost", math.inf),
        ("name_boost", math.nan),
        ("definition_boost", -1.0),
        ("definition_boost", math.nan),
        ("path_boost", -1.0),
        ("frame_boost", math.inf),
        ("test_penalty", 1.1),
        ("prose_penalty", 1.1),
        ("data_penalty", -0.1),
        ("test_penalty", math.nan),
    ],
)
def test_a_value_that_is_not_allowed_is_named_in_one_line(name: str, value: object) -> None:
    with pytest.raises(RulesError, match=f"^{name}={value} .*; (choose|use) .*$"):
        Rules(**{name: value})  # type: ignore[arg-type]


def test_rules_change_nothing_when_each_is_off() -> None:
    assert Rules(**OFF).change_nothing


@pytest.mark.parametrize("name", list(OFF))
def test_one_rule_that_is_on_changes_something(name: str) -> None:
    weights = {**OFF, name: 0.5}

    assert not Rules(**weights).change_nothing
