"""A result is whole or an error: nothing stands in for what is lost."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from shutil import rmtree

import pytest

from bench.engine import Alone, Cost, Fingerprint, NoObserver, Outcome, Plan, carry_out
from bench.errors import ArtifactError
from bench.launcher.grid import Grid
from bench.launcher.planning import planned
from bench.results.collect import collect
from bench.study import Study
from tests.composed_grids import composed_grid
from tests.small_study import CART, QUERIES


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with a small repository and its queries."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "cart.py").write_text(CART, encoding="utf-8")
    (tmp_path / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    return tmp_path


def grid_of(shop: Path) -> Grid:
    """Return a grid of two lexical trials on the shop."""
    suite = ["suite=own", f"repository={shop}/code", f"queries={shop}/queries.yaml"]
    shared = [*suite, "retriever=bm25", "latency=off", f"store={shop}/store"]
    return composed_grid(shared, ["chunk=16"], ["chunk=64"])


def run(plan: Plan, store: str) -> Mapping[Fingerprint, Outcome]:
    """Carry out a plan in this process."""
    return carry_out(plan, store, Alone(), NoObserver())


def finished(shop: Path) -> tuple[Study, dict[Fingerprint, Outcome]]:
    """Return the study of the shop after it was run, and the outcomes of its stages."""
    study = planned(grid_of(shop))
    return study, study.carry_out(lambda plan: run(plan, study.store.url))


def remove(shop: Path, kind: str) -> None:
    """Remove the artifacts of one kind."""
    rmtree(shop / "store" / "artifacts" / kind)


@pytest.mark.parametrize(
    "kind", ["resolve-targets", "check-out-folder", "find-copies", "evaluate", "list-hits"]
)
def test_a_result_that_is_lost_is_planned_again(shop: Path, kind: str) -> None:
    """Whether the trial ends with it or another stage needs it."""
    finished(shop)
    remove(shop, kind)

    left = planned(grid_of(shop)).remaining.stages

    # Planning itself puts the documents of a folder into the store.
    assert {stage.kind for stage in left} == {kind} - {"check-out-folder"}


def test_a_stage_is_planned_again_for_its_cost(shop: Path) -> None:
    """The numbers of a trial include what its index took."""
    finished(shop)
    remove(shop, "build-index")

    left = planned(grid_of(shop)).remaining.stages

    assert {stage.kind for stage in left} == {"build-index"}


def test_damaged_documents_of_a_folder_are_stored_again_by_planning(shop: Path) -> None:
    """No other machine could read the folder."""
    finished(shop)
    (file,) = (shop / "store" / "artifacts" / "check-out-folder").glob("*/*")
    sound = file.read_bytes()
    file.write_bytes(sound[:-1])

    planned(grid_of(shop))

    assert file.stat().st_size == len(sound)


@pytest.mark.parametrize("kind", ["resolve-targets", "check-out-folder", "evaluate"])
def test_a_result_that_is_lost_while_the_study_runs_is_an_error(shop: Path, kind: str) -> None:
    """The error names the store, the stage and what to do."""
    finished(shop)
    study = planned(grid_of(shop))
    remove(shop, kind)

    with pytest.raises(ArtifactError) as error:
        collect(study, {}, ())

    assert str(error.value).startswith(f"store={study.store.url}: the result of stage {kind} code")
    assert str(error.value).endswith("is missing or damaged. Run the study again.")


def test_a_cost_that_is_lost_is_an_error(shop: Path) -> None:
    """It is not nothing."""
    study = planned(grid_of(shop))

    with pytest.raises(ArtifactError, match="the cost of stage"):
        study.cost_of(study.whole.stages[-1])


def test_a_failed_stage_has_no_result_and_costs_nothing(shop: Path) -> None:
    """The trial that it belongs to says why, and the others are whole."""
    broken = QUERIES.replace("cart.Cart.total", "cart.Cart.sum")
    (shop / "queries.yaml").write_text(broken, encoding="utf-8")

    study, outcomes = finished(shop)
    result = collect(study, outcomes, ())

    assert [trial.failures[0].stage for trial in result.trials] == ["resolve-targets"] * 2
    assert all(trial.queries == () for trial in result.trials)
    failed = next(stage for stage in study.whole.stages if stage.kind == "resolve-targets")
    assert study.has_failed(failed)
    assert study.cost_of(failed) == Cost()


def test_a_result_that_stayed_on_another_machine_is_made_again_here(shop: Path) -> None:
    """Workers need no disk in common with the driver; their large results do not travel."""

    def elsewhere(plan: Plan) -> dict[Fingerprint, Outcome]:
        outcomes = run(plan, str(shop / "elsewhere"))
        return {name: replace(one, payload=None) for name, one in outcomes.items()}

    study = planned(grid_of(shop))
    outcomes = study.carry_out(elsewhere)

    assert all(study.result_of(end.hits) for trial in study.trials for end in trial.judged)
    assert collect(study, outcomes, ()).trials[0].queries[0].targets


def test_the_parts_of_a_search_share_their_results(shop: Path) -> None:
    """A search runs some trials, then others, and collects them together."""
    whole, outcomes = finished(shop)
    expected = collect(whole, outcomes, ())
    rmtree(shop / "store")
    study, parts = planned(grid_of(shop)), dict[Fingerprint, Outcome]()

    for trial in study.trials:
        parts |= study.part([trial]).carry_out(lambda plan: run(plan, str(shop / "elsewhere")))
    found = collect(study.narrowed(study.trials), parts, ())

    assert [trial.queries for trial in found.trials] == [
        trial.queries for trial in expected.trials
    ]
    assert not (shop / "store" / "artifacts" / "evaluate").exists()
