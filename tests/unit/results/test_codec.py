"""Dataclasses become JSON and come back; what does not fit is named by its place."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Literal

import pytest

from bench.errors import SettingError
from bench.results.codec import NOT_STORED, Rank, encode, key
from bench.results.decoding import MisfitError, decode


class Colour(StrEnum):
    """A choice by its value."""

    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Part:
    """A part that refuses a name, as settings do."""

    name: str
    size: int = 0

    def __post_init__(self) -> None:
        if self.name == "forbidden":
            raise SettingError("name=forbidden:\nchoose another")


@dataclass(frozen=True, kw_only=True)
class Whole:
    """One field of every kind."""

    COMPUTED: ClassVar[Mapping[str, str]] = {"count": "inner"}

    title: str = field(metadata=key("heading"))
    place: str = field(metadata=key(under="inner"))
    extras: Mapping[str, object] = field(metadata=key(under="inner", rest=True))
    parts: tuple[Part, ...] = ()
    span: tuple[float | None, float | None] = (None, None)
    rank: Rank | None = None
    colour: Colour = Colour.RED
    mode: Literal["on", "off"] = "on"
    by_name: Mapping[str, Part] = field(default_factory=dict)
    maybe: Part | None = field(default=None, metadata=key(blank=True))
    rare: float | None = field(default=None, metadata=key(absent=True))
    secret: str = field(default="", metadata=NOT_STORED)
    is_new: bool = False
    numbers: Mapping[str, float | None] = field(metadata=key(rest=True))

    @property
    def count(self) -> int:
        """How many parts there are, for those who read the file."""
        return len(self.parts)


@dataclass(frozen=True)
class Limit:
    """A setting that must not be 0."""

    most: float


@dataclass(frozen=True)
class Limits:
    """A field that is exact, and one that is not."""

    limit: Limit = field(metadata=key(exact=True))
    rounded: float


WHOLE = Whole(
    title="t",
    place="here",
    extras={"depth": 3, "weights": [0.5, 0.5]},
    parts=(Part("a", 1), Part("b")),
    span=(0.5, None),
    rank=2,
    colour=Colour.BLUE,
    mode="off",
    by_name={"x": Part("c")},
    maybe=Part("d"),
    rare=0.25,
    is_new=True,
    numbers={"mrr": 0.5, "count": 3, "none": None},
)


def test_what_is_written_is_read_back() -> None:
    assert decode(Whole, encode(WHOLE)) == WHOLE


def test_the_file_has_the_names_that_fields_are_stored_under() -> None:
    assert encode(WHOLE) == {
        "heading": "t",
        "inner": {"place": "here", "depth": 3, "weights": [0.5, 0.5], "count": 2},
        "parts": [{"name": "a", "size": 1}, {"name": "b", "size": 0}],
        "span": [0.5, None],
        "rank": 2,
        "colour": "blue",
        "mode": "off",
        "by_name": {"x": {"name": "c", "size": 0}},
        "maybe": {"name": "d", "size": 0},
        "rare": 0.25,
        "is_new": True,
        "mrr": 0.5,
        "count": 3,
        "none": None,
    }


def test_none_is_null_or_left_out_or_an_empty_object() -> None:
    least = Whole(title="t", place="p", extras={}, numbers={}, secret="not told")  # noqa: S106

    found = encode(least)

    assert found["rank"] is None
    assert found["maybe"] == {}
    assert {"rare", "secret"}.isdisjoint(found)
    assert decode(Whole, found) == Whole(title="t", place="p", extras={}, numbers={})


def test_numbers_have_four_decimals_and_are_null_where_json_has_none() -> None:
    assert encode((0.123456, float("nan"), float("inf"))) == [0.1235, None, None]


def test_an_exact_field_keeps_all_decimals_of_what_it_holds() -> None:
    limits = Limits(Limit(0.000001), 0.000001)

    assert encode(limits) == {"limit": {"most": 0.000001}, "rounded": 0.0}


def test_parts_that_no_field_asks_for_are_ignored() -> None:
    assert decode(Part, {"name": "a", "later": 1}) == Part("a")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"heading": 3}, "heading must be text"),
        ({"heading": "\ud800"}, "heading must be text"),
        ({"inner": None}, "inner must be an object"),
        ({"inner": {}}, "inner.place is missing"),
        ({"inner": {"place": "p", "depth": {}}}, "inner.depth must be a plain value"),
        ({"parts": {}}, "parts must be a list"),
        ({"parts": [{"name": "a"}, {}]}, "parts[1].name is missing"),
        ({"parts": [{"name": "a", "size": -1}]}, "parts[0].size must be a whole number from 0 up"),
        ({"parts": [{"name": "a", "size": True}]}, "parts[0].size must be a whole number"),
        ({"parts": [{"name": "forbidden"}]}, "parts[0] is not as a study writes it (name="),
        ({"span": [1]}, "span must be a list of 2"),
        ({"span": [1, "2"]}, "span[1] must be a number or null"),
        ({"rank": 0}, "rank must be a whole number from 1 up or null"),
        ({"colour": "green"}, "colour must be red or blue"),
        ({"mode": []}, "mode must be on or off"),
        ({"by_name": {"x": {"name": None}}}, "by_name.x.name must be text"),
        ({"is_new": 1}, "is_new must be true or false"),
        ({"mrr": 10**400}, "mrr must be a number or null"),
        ({"mrr": float("nan")}, "mrr must be a number or null"),
        ({"a\nb": "x"}, "'a\\nb' must be a number or null"),
    ],
)
def test_the_part_that_does_not_fit_is_named(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(MisfitError) as refused:
        decode(Whole, {**encode(WHOLE), **changes})

    assert str(refused.value).startswith(said)
    assert "\n" not in str(refused.value)
