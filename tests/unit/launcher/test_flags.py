"""Flags are found anywhere on the command line, and every other word is a setting."""

import pytest

from bench.errors import UsageError
from bench.gate import Limit, Side
from bench.launcher.arguments import parse_arguments
from bench.launcher.flags import Flags, flags_of


def take_flags(arguments: list[str]) -> tuple[Flags, list[str]]:
    """Return the flags of a command line, and its settings."""
    found = parse_arguments(arguments, "bench/run.py")
    return flags_of(found, " ".join(arguments)), found.overrides


def test_flags_are_taken_from_any_place_in_both_spellings() -> None:
    """--min-mrr 0.7 and --min-ndcg=0.5, before and after overrides and -m."""
    typed = ["--min-mrr", "0.7", "-m", "chunk=1,2", "--min-ndcg=0.5", "--plan", "a=1"]
    flags, settings = take_flags(typed)

    assert flags.gate.limits == (Limit("mrr", 0.7), Limit("ndcg_at_10", 0.5))
    assert flags.plan
    assert settings == ["chunk=1,2", "a=1"]
    assert flags.command.startswith("--min-mrr 0.7 -m chunk=1,2")


def test_any_measure_may_have_a_floor() -> None:
    """--min can be given again and again."""
    flags, _ = take_flags(["--min", "recall_at_5=0.8", "--min", "hit_at_1=0.3"])

    assert flags.gate.limits == (Limit("recall_at_5", 0.8), Limit("hit_at_1", 0.3))


@pytest.mark.parametrize(
    "typed", [["--min", "x"], ["--min", "x=y"], ["--min-mrr", "x"], ["--min"]]
)
def test_a_floor_without_a_number_is_a_usage_error(typed: list[str]) -> None:
    """Nothing is guessed."""
    with pytest.raises(UsageError, match="min"):
        take_flags(typed)


def test_an_abbreviated_flag_is_refused() -> None:
    with pytest.raises(UsageError, match="--min-m: no such flag; did you mean --min"):
        take_flags(["--min-m", "0.7"])


def test_a_ceiling_and_a_baseline_are_taken_with_what_goes_with_them() -> None:
    """All of it is about the gate, and none of it Hydra's."""
    flags, rest = take_flags(
        ["--max", "latency_p95_ms=2", "--baseline", "main", "--strict", "--waive", "x", "a=1"]
    )

    assert flags.gate.limits == (Limit("latency_p95_ms", 2, Side.CEILING),)
    assert (flags.gate.baseline, flags.gate.measure, flags.gate.drop) == (
        "main",
        "ndcg_at_10",
        None,
    )
    assert (flags.gate.strict, flags.gate.waived) == (True, ("x",))
    assert rest == ["a=1"]


def test_a_drop_may_name_its_measure() -> None:
    """NDCG@10 is meant where none is named."""
    named, _ = take_flags(["--baseline", "main", "--max-drop=mrr=0.1"])
    plain, _ = take_flags(["--baseline", "main", "--max-drop", "0.2"])

    assert (named.gate.measure, named.gate.drop) == ("mrr", 0.1)
    assert (plain.gate.measure, plain.gate.drop) == ("ndcg_at_10", 0.2)


@pytest.mark.parametrize(
    "typed",
    [
        ["--min-mrr", "nan"],
        ["--max-drop", "0.1"],
        ["--strict"],
        ["--waive", "x"],
        ["--baseline", "b", "--max-drop", "2"],
        ["--baseline", "b", "--max-drop", "easy.mrr=0.1"],
        ["--baseline", "b", "--max-drop", "mrrr=0.1"],
        ["--baseline", "b", "--max-drop", "duplicates_at_10=0.1"],
        ["--junit", "no/such/folder/x.xml"],
    ],
)
def test_what_a_gate_cannot_be_asked_is_a_usage_error(typed: list[str]) -> None:
    """Before anything runs."""
    with pytest.raises(UsageError):
        take_flags(typed)


def test_a_drop_that_is_no_number_is_said_of_its_own_flag() -> None:
    with pytest.raises(UsageError, match="--max-drop x: must be a number between 0 and 1"):
        take_flags(["--baseline", "main", "--max-drop", "x"])
