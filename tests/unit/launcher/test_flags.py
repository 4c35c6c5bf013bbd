"""Our flags are found anywhere on the line and leave the rest to Hydra."""

import pytest

from bench.errors import UsageError
from bench.launcher.flags import take_flags


def test_flags_are_taken_from_any_place_in_both_spellings() -> None:
    """--min-mrr 0.7 and --min-ndcg=0.5, before and after overrides and -m."""
    flags, rest = take_flags(
        ["--min-mrr", "0.7", "-m", "chunk=1,2", "--min-ndcg=0.5", "--cfg", "job", "--plan"]
    )

    assert flags.floors == {"mrr": 0.7, "ndcg_at_10": 0.5}
    assert flags.plan
    assert rest == ["-m", "chunk=1,2", "--cfg", "job"]


def test_any_measure_may_have_a_floor() -> None:
    """--min can be given again and again."""
    flags, _ = take_flags(["--min", "recall_at_5=0.8", "--min", "hit_at_1=0.3"])

    assert flags.floors == {"recall_at_5": 0.8, "hit_at_1": 0.3}


@pytest.mark.parametrize(
    "typed", [["--min", "x"], ["--min", "x=y"], ["--min-mrr", "x"], ["--min"]]
)
def test_a_floor_without_a_number_is_a_usage_error(typed: list[str]) -> None:
    """Nothing is guessed."""
    with pytest.raises(UsageError, match="min"):
        take_flags(typed)


def test_an_abbreviated_flag_is_not_ours() -> None:
    """It goes to Hydra, which refuses it."""
    _, rest = take_flags(["--min-m", "0.7"])

    assert rest == ["--min-m", "0.7"]
