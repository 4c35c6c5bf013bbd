"""`weights=grid(20)` is typed as it is said, and reaches Hydra as text."""

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser

from bench.launcher.quoting import quoted, unquoted


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("weights=grid(20)", ["'grid(20)'"]),
        ("weights='grid(20)'", ["'grid(20)'"]),
        ("weights=grid(2),[1,0],grid(x)", ["'grid(2)'", "[1,0]", "'grid(x)'"]),
        ('weights="grid(2)",[1,0]', ['"grid(2)"', "[1,0]"]),
    ],
)
def test_hydra_reads_a_grid_as_text(typed: str, values: list[str]) -> None:
    """Bare, quoted already, and among other weights."""
    override = OverridesParser.create().parse_override(quoted(typed))

    swept = override.sweep_string_iterator() if override.is_sweep_override() else None
    assert (list(swept) if swept else [override.get_value_element_as_str()]) == values


def test_names_of_trials_have_no_quotes() -> None:
    """Whoever typed them, and only those of weights."""
    assert unquoted("weights='grid(20)'") == "weights=grid(20)"
    assert unquoted("queries='grid(20)'") == "queries='grid(20)'"
