"""Trials whose documents come out cut identically: one of them is run, and the study says so."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.engine import Alone, Fingerprint, NoObserver, Outcome, Plan, carry_out
from bench.launcher.planning import planned
from bench.study import Study, distinct_cuts
from tests.composed_grids import composed_grid
from tests.small_study import CART, QUERIES

BM25 = "retriever=bm25"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with a small repository and its queries."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "cart.py").write_text(CART, encoding="utf-8")
    (tmp_path / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    return tmp_path


def study_of(shop: Path, *points: list[str]) -> Study:
    """Return the study of some points."""
    suite = ["suite=own", f"repository={shop}/code", f"queries={shop}/queries.yaml"]
    return planned(composed_grid([*suite, "latency=off", f"store={shop}/store"], *points))


def run(plan: Plan, store: str) -> Mapping[Fingerprint, Outcome]:
    """Carry out a plan in this process."""
    return carry_out(plan, store, Alone(), NoObserver())


def cut(study: Study) -> tuple[list[str], tuple[str, ...]]:
    """Return the trials that are left, and the notes on the others."""
    found = distinct_cuts(study, lambda plan: run(plan, study.store.url))
    return [trial.name for trial in found.study.trials], found.notes


def test_one_of_several_equal_cuts_is_run(shop: Path) -> None:
    kept, notes = cut(study_of(shop, *([BM25, f"chunk={size}"] for size in (16, 64, 128, 256))))

    assert kept == ["chunk=16", "chunk=64"]
    assert notes == (
        "chunk=64, chunk=128 and chunk=256 cut every document identically; only chunk=64 was run",
    )


def test_chunkers_are_compared_for_each_retriever_and_named_once(shop: Path) -> None:
    points = (
        [f"retriever={retriever}", f"chunker={chunker}"]
        for retriever in ("bm25", "exact")
        for chunker in ("recursive", "file")
    )

    kept, notes = cut(study_of(shop, *points))

    assert kept == ["retriever=bm25 chunker=recursive", "retriever=exact chunker=recursive"]
    (note,) = notes
    assert note.startswith("chunker=recursive chunk=512 and chunker=file cut every document")


def test_trials_that_differ_in_more_are_kept(shop: Path) -> None:
    study = study_of(shop, [BM25, "chunk=64"], [BM25, "chunk=128", "retriever.k1=0.9"])

    found = distinct_cuts(study, lambda plan: run(plan, study.store.url))

    assert found.study is study
    assert not found.outcomes
    assert not found.notes


def test_headers_make_other_chunks(shop: Path) -> None:
    study = study_of(shop, [BM25, "chunk=64"], [BM25, "chunk=64", "chunker.header=path"])

    assert len(cut(study)[0]) == 2


def test_a_cut_that_fails_is_not_compared(shop: Path) -> None:
    broken = [BM25, "chunker=python", "chunker.target=no_such_module:cut"]
    study = study_of(shop, [*broken, "chunk=64"], [*broken, "chunk=128"])

    kept, notes = cut(study)

    assert len(kept) == 2
    assert not notes


def test_what_is_cut_early_is_not_cut_again(shop: Path) -> None:
    study = study_of(shop, [BM25, "chunk=64"], [BM25, "chunk=128"], [BM25, "chunk=16"])
    found = distinct_cuts(study, lambda plan: run(plan, study.store.url))

    later = found.study.carry_out(lambda plan: run(plan, study.store.url))

    assert found.outcomes
    assert not set(found.outcomes) & set(later)
    evaluated = [stage for stage in found.study.whole.stages if stage.kind == "evaluate"]
    assert len(evaluated) == 2
    assert {stage.fingerprint for stage in evaluated} <= set(later)
