"""Settings are built from plain values, and what does not fit is named."""

from dataclasses import dataclass
from typing import Any, Literal

import pytest

from bench.errors import SettingError
from bench.settings import build


@dataclass(frozen=True)
class Sample:
    """One field of each sort."""

    size: int
    share: float = 0.5
    name: str = ""
    on: bool = False
    mode: Literal["fast", "slow"] = "fast"
    weights: tuple[float, ...] = ()
    words: tuple[str, ...] = ()
    most: int | None = None

    def __post_init__(self) -> None:
        """Refuse a negative size."""
        if self.size < 0:
            message = f"size={self.size}: must not be negative"
            raise ValueError(message)


def test_values_that_fit_are_taken() -> None:
    """A whole number is a number; a list is a tuple."""
    found = build(Sample, {"size": 1, "share": 1, "weights": [1, 2.5], "most": None}, where="x")

    assert found == Sample(1, share=1.0, weights=(1.0, 2.5))
    assert type(found.share) is float


def test_a_list_of_one_and_its_item_mean_each_other() -> None:
    """Nothing else can be meant."""
    found = build(Sample, {"size": [1], "words": "mrr", "mode": ["slow"]}, where="x")

    assert found == Sample(1, words=("mrr",), mode="slow")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"size": "1"}, "x.size=1: must be a whole number"),
        ({"size": True}, "x.size=true: must be a whole number"),
        ({"size": 1.5}, "x.size=1.5: must be a whole number"),
        ({"size": None}, "x.size=null: must be a whole number"),
        ({"size": 1, "share": float("nan")}, "x.share=nan: must be a number"),
        ({"size": 1, "on": "true"}, "x.on=true: must be true or false"),
        ({"size": 1, "mode": "fats"}, "x.mode=fats: not one of its values; did you mean fast"),
        ({"size": 1, "weights": 3}, "x.weights=3: must be a list; write x.weights=[a,b]"),
        ({"size": 1, "name": ["a", "b"]}, "x.name=[a, b]: must be text"),
        ({"size": 1, "words": "a b"}, "x.words=a b: must be a list"),
        ({"size": 1, "sise": 2}, "x.sise: no such setting; did you mean size"),
        ({}, "x.size: must be given"),
        ({"size": "???"}, "x.size: must be given; add x.size=VALUE"),
        ({"size": 1, "name": "???"}, "x.name: must be given; add x.name=VALUE"),
        ({"size": -1}, "x.size=-1: must not be negative"),
    ],
)
def test_what_does_not_fit_is_named_with_its_remedy(values: dict[str, Any], said: str) -> None:
    """Setting, value, what would fit."""
    with pytest.raises(SettingError) as caught:
        build(Sample, values, where="x")

    assert said in caught.value.message
