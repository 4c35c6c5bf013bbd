"""`retriever.unit=auto`: resolved by the level of the study before points become trials."""

import json
from pathlib import Path

import pytest

from bench.errors import FixtureError, SettingError
from bench.launcher.grid import Grid, read_grid
from bench.launcher.planning import planned
from bench.launcher.points import read_points

CONF = Path(__file__).parents[3] / "conf"
FILE: dict[str, object] = {"id": "a", "query": "add up", "expected_files": ["cart.py"]}
SYMBOL: dict[str, object] = {"id": "b", "query": "add up", "expected_symbols": ["cart.total"]}
SPAN: dict[str, object] = {
    "id": "c",
    "query": "add up",
    "expected_spans": [{"path": "cart.py", "start": 1, "end": 2}],
}
NEGATIVE: dict[str, object] = {"id": "d", "query": "who sends mail", "negative": True}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "code").mkdir()
    text = "def total(cart):\n    return sum(cart)\n"
    (tmp_path / "code" / "cart.py").write_text(text, encoding="utf-8")
    return tmp_path


def grid(shop: Path, *overrides: str, queries: tuple[dict[str, object], ...] = (FILE,)) -> Grid:
    """Return the grid over a suite with these queries."""
    (shop / "queries.yaml").write_text(json.dumps({"queries": queries}), encoding="utf-8")
    suite = ["suite=own", f"repository={shop}/code", f"queries={shop}/queries.yaml"]
    where = [f"store={shop}/store", f"output={shop}/outputs", "retriever=bm25"]
    return read_grid(read_points([*suite, *where, *overrides], CONF, multirun=True))


def units(found: Grid) -> list[str]:
    return [trial.retrieval.listing.unit for _, trial in found.trials]


@pytest.mark.parametrize(
    ("queries", "unit"),
    [
        ((FILE,), "file"),
        ((SYMBOL,), "definition"),
        ((SPAN,), "chunk"),
        ((SPAN, SYMBOL), "definition"),
        ((SPAN, FILE), "file"),
        ((SPAN, NEGATIVE), "chunk"),
    ],
)
def test_the_finest_level_that_every_query_has_decides(
    shop: Path, queries: tuple[dict[str, object], ...], unit: str
) -> None:
    found = grid(shop, queries=queries)

    assert units(found) == [unit]
    assert found.trials[0][1].axes["retriever.unit"] == unit
    level = planned(found).corpus.level
    why = f"one entry per {unit}, because the study is judged at {level} level"
    assert found.defaults == (f"retriever.unit={unit}: {why}",)


@pytest.mark.parametrize(
    ("level", "unit"), [("file", "file"), ("symbol", "definition"), ("span", "chunk")]
)
def test_a_level_that_is_typed_decides(shop: Path, level: str, unit: str) -> None:
    assert units(grid(shop, f"measure_level={level}")) == [unit]


def test_a_unit_that_is_typed_stays(shop: Path) -> None:
    found = grid(shop, "retriever.unit=chunk")

    assert units(found) == ["chunk"]
    assert found.defaults == ()


def test_auto_and_the_same_unit_written_out_are_one_trial_named_by_the_unit(shop: Path) -> None:
    found = grid(shop, "retriever.unit=auto,chunk,file")

    assert [name for name, _ in found.trials] == ["retriever.unit=chunk", "retriever.unit=file"]
    assert found.notes == ()
    assert [trial.axes["retriever.unit"] for _, trial in found.trials] == ["chunk", "file"]
    assert [own["retriever.unit"] for own in found.typed.values()] == ["chunk", "file"]


def test_a_single_trial_is_named_by_the_unit_it_has(shop: Path) -> None:
    found = grid(shop, "retriever.unit=auto")

    assert "retriever.unit=file" in found.trials[0][0].split()
    assert found.trials == grid(shop, "retriever.unit=file").trials


def test_what_the_chunks_of_a_file_add_makes_trials_only_where_files_are_listed(
    shop: Path,
) -> None:
    typed = "retriever.aggregation=0.0,0.3"

    assert len(grid(shop, typed).trials) == 2
    assert len(grid(shop, typed, "retriever.unit=chunk").trials) == 1


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["retriever.unit=fil"], "retriever.unit=fil: not a unit; did you mean file"),
        (["retriever.unit=autos"], "retriever.unit=autos: not a unit; did you mean auto"),
        (["retriever.aggregation=2"], "retriever.aggregation=2.0 is out of range"),
        (["measure_level=lines"], "measure_level=lines: not a level"),
        (
            ["retriever=hybrid", "retriever.grep.unit=file"],
            "retriever.grep.unit=file: a channel has no unit of its own. Use retriever.unit=file.",
        ),
    ],
)
def test_what_no_unit_can_be_is_refused_in_one_line(
    shop: Path, typed: list[str], said: str
) -> None:
    with pytest.raises(SettingError, match=said):
        grid(shop, *typed)


def test_a_file_without_queries_is_refused_before_planning(shop: Path) -> None:
    with pytest.raises(FixtureError):
        grid(shop, queries=())


def test_a_level_that_no_query_has_is_refused(shop: Path) -> None:
    """The study would end without a score."""
    found = grid(shop, "measure_level=span", queries=(SYMBOL, FILE, NEGATIVE))

    with pytest.raises(SettingError, match="use measure_level=file"):
        planned(found)

    planned(grid(shop, "measure_level=span", queries=(SPAN, FILE)))
