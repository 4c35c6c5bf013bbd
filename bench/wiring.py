"""The composition root: the only place that picks adapters."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from bench.commands import command
from bench.engine import (
    ArtifactStore,
    Fingerprint,
    Outcome,
    Plan,
    Pool,
    carry_out,
    choose,
    local_pool,
)
from bench.errors import SettingError
from bench.report import open_display
from bench.results import Found, find, read_results
from bench.results.prior_table import PriorTable, shipped_tables, tables_in
from bench.settings import StudySettings
from bench.settings.study import ExecutionSettings
from bench.study import measured_rates, remember_rates
from bench.tracking import TrackingSettings, fetch_results, track

HEAVY_KINDS = ("embed", "rerank-by-tokens", "rerank-by-pairs")


def open_store(settings: StudySettings) -> ArtifactStore:
    """Return the store of artifacts; a plain path is a folder."""
    url = settings.store
    return ArtifactStore(url if "://" in url else str(Path(url).expanduser().resolve()))


def check_places(settings: StudySettings) -> None:
    """Refuse now what could not be written or reached when the work is done."""
    if settings.tracking.kind == "mlflow":
        tracking_settings(settings)
    for name, value in (("output", settings.output), ("store", settings.store)):
        place = Path(value).expanduser()
        nearest = next(path for path in (place, *place.resolve().parents) if path.exists())
        if "://" not in value and not (nearest.is_dir() and os.access(nearest, os.W_OK)):
            message = f"{name}={value}: {nearest} is not a folder that can be written to"
            raise SettingError(message)


def home(settings: StudySettings) -> Path:
    """Return the folder of what belongs to no single study: the tracking database."""
    if "://" in settings.store:
        return Path(".rankgrid").resolve()
    return Path(settings.store).expanduser().resolve().parent


def prior_folder(settings: StudySettings) -> Path:
    """Return the folder of the tables that users made of their own studies."""
    return home(settings) / "prior"


def prior_tables(settings: StudySettings) -> tuple[PriorTable, ...]:
    """Return what other repositories taught: what is shipped, and what users added."""
    if settings.advice.prior == "off":
        return ()
    return (*shipped_tables(), *tables_in(prior_folder(settings)))


def worker_count(settings: ExecutionSettings) -> int:
    """Return how many stages may run at once on this machine."""
    return settings.workers or len(os.sched_getaffinity(0))


def executor(
    settings: ExecutionSettings, store: ArtifactStore, *, say: Callable[[str], None]
) -> Callable[[Plan], Mapping[Fingerprint, Outcome]]:
    """Return what carries out a plan, chosen when it sees the plan."""

    def run(plan: Plan) -> Mapping[Fingerprint, Outcome]:
        rates = measured_rates(store)
        expected = {s.fingerprint: rates.get(s.kind, 1.0) for s in plan.stages}
        with _pool(settings, plan, say) as pool:
            display = open_display(expected, total=len(plan.stages), workers=pool.slots)
            with display as listener:
                found = carry_out(plan, store.url, pool, listener, expected_seconds=rates)
        remember_rates(store, plan, found.values())
        return found

    return run


def light_executor(
    settings: ExecutionSettings, store: ArtifactStore
) -> Callable[[Plan], Mapping[Fingerprint, Outcome]]:
    """Return what carries out light stages on this machine: Ray takes longer to start."""
    return executor(replace(settings, kind="auto"), store, say=lambda _text: None)


@contextmanager
def _pool(settings: ExecutionSettings, plan: Plan, say: Callable[[str], None]) -> Iterator[Pool]:
    kind, workers, reason = settings.kind, worker_count(settings), "as asked"
    if kind == "auto":
        kind, workers, reason = choose(plan, cpu_count=workers, heavy_kinds=HEAVY_KINDS)
    pool = _open_pool(kind, workers, settings.address)
    say(f"execution: {pool.description} ({reason})")
    try:
        yield pool
    finally:
        pool.close()


def _open_pool(kind: str, workers: int, address: str) -> Pool:
    if kind != "ray":
        return local_pool(workers)
    from bench.engine.cluster import RayPool

    return RayPool(address=address, workers=workers)


def tracking_settings(settings: StudySettings) -> TrackingSettings:
    """Return where the study is logged, checked."""
    return TrackingSettings(uri=settings.tracking.uri, experiment=settings.tracking.experiment)


def find_study(text: str, settings: StudySettings) -> Found:
    """Return the study that `text` names: a file, a folder, `latest`, a run, a revision."""

    def fetch_run(run: str) -> tuple[bytes, str]:
        return fetch_results(run, settings=tracking_settings(settings), home=home(settings))

    return find.find_study(text, output=Path(settings.output).expanduser(), fetch_run=fetch_run)


def track_results(folder: Path, settings: StudySettings) -> tuple[str, ...]:
    """Send the results in `folder` to the tracking server; say where to see them."""
    result = read_results(folder)
    tracked = track(
        result, settings=tracking_settings(settings), home=home(settings), artifacts=folder
    )
    if len(result.trials) == 1:
        return (f"MLflow: {tracked.study_url}{_how_to_serve(settings)}",)
    return (
        f"MLflow: {tracked.study_url}{_how_to_serve(settings)}",
        f"Compare: {tracked.compare_url}",
    )


def _how_to_serve(settings: StudySettings) -> str:
    return "" if settings.tracking.uri.startswith("http") else f"  (served by: {command('ui')})"
