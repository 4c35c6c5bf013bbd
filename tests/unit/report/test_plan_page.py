"""A plan and the first line of a run name the suite, its repositories and its queries."""

import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from bench.launcher.planning import planned
from bench.report.plan_page import about_study, show_plan
from bench.study import Estimate
from tests.composed_grids import composed_grid


def about(store: Path, *overrides: str) -> str:
    """Return what is told of a study, of which nothing was run."""
    return about_study(
        planned(composed_grid(["retriever=bm25", f"store={store}", *overrides], []))
    )


def own(folder: Path, name: str, queries: Sequence[dict[str, object]]) -> list[str]:
    """Return the suite of one repository with these queries."""
    (folder / name).mkdir()
    (folder / name / "cart.py").write_text("class Cart:\n    pass\n", encoding="utf-8")
    text = json.dumps({"queries": [{"id": f"q{n}", **one} for n, one in enumerate(queries)]})
    (folder / "q.yaml").write_text(text, encoding="utf-8")
    return ["suite=own", f"repository={folder / name}", f"queries={folder / 'q.yaml'}"]


def test_repositories_and_queries_are_named_and_counted(tmp_path: Path) -> None:
    told = about(tmp_path, "suite=quick", "latency=off")

    assert told.startswith(
        "1 trial on quick (3 repositories: jinja2, rich, scrapy; 68 queries, 6 of them negative), "
    )
    assert told.endswith(" stages to do")


def test_of_many_repositories_the_first_are_named(tmp_path: Path) -> None:
    told = about(tmp_path, "suite=full")

    assert " full (15 repositories: structlog, apscheduler, watchdog, …; " in told


def test_a_half_is_counted_as_it_is_asked(tmp_path: Path) -> None:
    halves = [about(tmp_path, "suite=quick", f"half={half}") for half in ("tune", "report")]

    counts = [int(told.partition("; ")[2].partition(" ")[0]) for told in halves]
    assert 0 < min(counts) < sum(counts) == 68


@pytest.mark.parametrize("name", ["shop", "a-repository-whose-name-is-longer-than-thirty"])
def test_one_of_each_is_not_several(name: str, tmp_path: Path) -> None:
    """The only repository is named however long its name is."""
    suite = own(tmp_path, name, [{"query": "cart", "expected_symbols": ["cart.Cart"]}])

    told = about(tmp_path / "store", *suite)

    assert told.startswith(f"1 trial on own (1 repository: {name}; 1 query), ")


@pytest.mark.parametrize("weight", [0, 0.6])
def test_definitions_to_embed_are_told_where_a_graph_is_reordered(
    weight: float, tmp_path: Path
) -> None:
    """A plan that says "none" would hide the longest stage."""
    suite = own(tmp_path, "shop", [{"query": "cart", "expected_symbols": ["cart.Cart"]}])
    graph = ["retriever=graph", f"retriever.reordering.weight={weight}"]
    console = Console(file=StringIO(), width=200)

    study = planned(composed_grid([*suite, *graph, f"store={tmp_path}/store"], []))
    estimate = Estimate.of(study.remaining, study.store, workers=1)
    show_plan(study, estimate, console=console)

    shown = console.file.getvalue()  # type: ignore[attr-defined]
    told = "Definitions to embed: those of 1 repository."
    assert "Texts to embed: none." in shown
    assert (told in shown) == bool(weight)
