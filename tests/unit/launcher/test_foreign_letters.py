"""Paths with letters that Hydra's grammar does not have are settings like others."""

from pathlib import Path

import pytest

from bench.errors import UsageError
from bench.launcher.overrides import as_setting, parse_override
from bench.launcher.points import read_points

CONF = Path(__file__).parents[3] / "conf"


@pytest.mark.parametrize("value", ["/home/jürgen/my code", "用户/代码", "~/u\u0308ber-1_2.yaml"])
def test_a_path_with_foreign_letters_is_read_without_quotes(value: str) -> None:
    (point,) = read_points([f"output={value}"], CONF, multirun=False)

    assert point.config["output"] == value


@pytest.mark.parametrize(
    "text", ["chunk=\uff15", "retriever=bm\uff12", "output=ü\u200b", "output=ü(1"]
)
def test_other_signs_are_still_refused(text: str) -> None:
    with pytest.raises(UsageError, match="quote values that have it"):
        parse_override(text)


@pytest.mark.parametrize(
    ("value", "setting"),
    [
        ("rankgrid/suite.yaml", "output=rankgrid/suite.yaml"),
        ("jürgen/suite.yaml", "output=jürgen/suite.yaml"),
        ("a,b", "output='a,b'"),
        ("12", "output='12'"),
        ("it's (new)", r"output='it\'s (new)'"),
    ],
)
def test_a_setting_for_a_command_line_has_quotes_only_where_needed(
    value: str, setting: str
) -> None:
    assert as_setting("output", value) == setting
    assert parse_override(setting).value() == value
