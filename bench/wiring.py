"""The composition root: the only module that chooses adapters."""

import math
import os
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from bench.advice import plural
from bench.commands import command
from bench.engine import (
    ArtifactStore,
    Fingerprint,
    Housekeeper,
    IdleWorkers,
    Outcome,
    Plan,
    Pool,
    carry_out,
    choose,
    keep_within_limit,
    leases,
    local_pool,
    opened_store,
)
from bench.errors import SettingError
from bench.processors import processor_count
from bench.report import open_display
from bench.results import Found, StudyResult, find
from bench.results.prior_table import PriorTable, shipped_tables, tables_in
from bench.settings import StudySettings
from bench.settings.study import ExecutionSettings
from bench.study import Estimate, remember_rates
from bench.tracking import TrackingSettings, fetch_results, served_address, track


class CarryOut(Protocol):
    """A function that runs a plan on suitable workers."""

    def __call__(self, plan: Plan, *, deadline: float = math.inf) -> Mapping[Fingerprint, Outcome]:
        """Return the outcomes; stages without one were stopped at the deadline."""
        ...


HEAVY_KINDS = ("embed", "embed-symbols", "store-tokens", "rerank-by-tokens", "rerank-by-pairs")

_WORKERS: ContextVar[IdleWorkers | None] = ContextVar("workers", default=None)
"""Idle workers that the plans of a study share."""


def open_store(settings: StudySettings) -> ArtifactStore:
    """Return the store of artifacts; a plain path is a folder."""
    most = settings.store_max_gb
    return opened_store(settings.store, None if most is None else int(most * 1e9))


@contextmanager
def store_in_use(settings: StudySettings, *, say: Callable[[str], None]) -> Iterator[None]:
    """Protect the artifacts used by this process from removal; then apply the size limit.

    Worker processes are shared between plans inside the block. If the block fails, the limit is
    left to the next study.
    """
    store = open_store(settings)
    with _workers_kept():
        if store.root is None:
            yield
            return
        with leases.hold(store.root, f"{os.getpid()}-{uuid.uuid4().hex[:8]}"):
            yield
    _tidy(store, say)


@contextmanager
def _workers_kept() -> Iterator[None]:
    workers = IdleWorkers()
    before = _WORKERS.set(workers)
    try:
        yield
    finally:
        _WORKERS.reset(before)
        workers.end()


def _tidy(store: ArtifactStore, say: Callable[[str], None]) -> None:
    """Apply the size limit of a store, and report removals or an exceeded limit."""
    done = keep_within_limit(store)
    if done is None or store.most_bytes is None:
        return
    limit = f"store_max_gb={store.most_bytes / 1e9:g}"
    if done.files:
        count = plural(done.files, "file that was", "files that were")
        say(f"store: removed {count} used least recently, {done.removed / 1e9:.2f} GB ({limit})")
    if done.in_use:
        needed = f"{done.left / 1e9:.2f} GB are in use by running studies"
        say(f"store: {needed}, more than {limit}; raise the limit, or set it to null")


def check_places(settings: StudySettings) -> None:
    """Refuse output locations that could not be written or reached after the work."""
    if settings.tracking.kind == "mlflow":
        tracking_settings(settings)
    _check_folder("output", settings.output)
    if "://" in settings.store:
        _check_url(settings.store)
    else:
        _check_folder("store", settings.store)


def _check_folder(name: str, value: str) -> None:
    """Refuse a folder that cannot be created or written to, without creating it."""
    if not value.strip() or "\0" in value or "://" in value:
        remedy = "give a folder of this machine"
        raise SettingError(f"{name}={value}: is not the path of a folder; {remedy}")
    place = Path(value).expanduser()
    try:
        nearest = next(path for path in (place, *place.resolve().parents) if path.exists())
    except OSError as error:
        message = f"{name}={value[:60]}…: cannot be used ({error.strerror}); give a shorter path"
        raise SettingError(message) from error
    is_folder = nearest.is_dir() and os.access(nearest, os.W_OK)
    # Root may write everywhere except to folders in which the kernel shows files.
    if not is_folder or nearest.resolve().is_relative_to("/proc"):
        message = f"{name}={value}: {nearest} is not a folder that can be written to"
        raise SettingError(f"{message}; give another folder")


def _check_url(url: str) -> None:
    """Refuse a store with an unsupported kind of address."""
    from fsspec.registry import available_protocols

    protocol = url.partition("://")[0].partition("::")[0]
    if protocol not in available_protocols():
        message = f"store={url}: {protocol or 'nothing'}:// is not a kind of store"
        raise SettingError(f"{message}; give a folder, or s3://BUCKET/FOLDER for example")


def home(settings: StudySettings) -> Path:
    """Return the folder of data shared by studies, such as the tracking database."""
    return folder_beside(settings.store, "")


def folder_beside(store: str, name: str) -> Path:
    """Return a folder next to the store; for a remote store, in the current folder."""
    if "://" in store:
        return Path(".rankgrid").resolve() / name
    return Path(store).expanduser().resolve().parent / name


def prior_folder(settings: StudySettings) -> Path:
    """Return the folder of the tables that users made from their own studies."""
    return home(settings) / "prior"


def prior_tables(settings: StudySettings) -> tuple[PriorTable, ...]:
    """Return the tables of other repositories: shipped ones, and those of the user."""
    if settings.advice.prior == "off":
        return ()
    return (*shipped_tables(), *tables_in(prior_folder(settings)))


def worker_count(settings: ExecutionSettings) -> int:
    """Return the number of stages that may run at once on this machine."""
    return settings.workers or processor_count()


def executor(
    settings: ExecutionSettings,
    store: ArtifactStore,
    *,
    say: Callable[[str], None],
    is_part: bool = False,
    tells_failures: bool = True,
) -> CarryOut:
    """Return a function that runs a plan on suitable workers.

    With `is_part`, more plans follow, so the remaining time is not that of the study.
    """

    def run(plan: Plan, *, deadline: float = math.inf) -> Mapping[Fingerprint, Outcome]:
        with _pool(settings, plan, say) as pool:
            estimate = Estimate.of(plan, store, workers=pool.workers)
            display = open_display(
                estimate,
                total=len(plan.stages),
                is_part=is_part,
                tells_failures=tells_failures,
            )
            with display as listener:
                observer = Housekeeper(listener, lambda: _tidy(store, say))
                found = carry_out(
                    plan,
                    store.url,
                    pool,
                    observer,
                    expected_seconds=estimate.mean_by_kind(),
                    deadline=deadline,
                )
        remember_rates(store, estimate.measured)
        return found

    return run


def light_executor(settings: ExecutionSettings, store: ArtifactStore) -> CarryOut:
    """Return a function that runs light stages on this machine, since Ray starts slowly.

    With execution=local, a worker runs them and has their results in memory for other stages.
    Failures are not reported: the caller checks its stages, or they run again with the others.
    """
    quiet = replace(settings, kind="auto" if settings.kind == "ray" else settings.kind)
    return executor(quiet, store, say=lambda _text: None, is_part=True, tells_failures=False)


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
    kept = _WORKERS.get()
    if kind != "ray":
        return local_pool(workers, kept)
    if kept is not None:
        kept.end()  # free their memory for the workers of Ray
    from bench.engine.cluster import RayPool

    return RayPool(address=address, workers=workers)


def tracking_settings(settings: StudySettings) -> TrackingSettings:
    """Return the validated settings of tracking."""
    return TrackingSettings(uri=settings.tracking.uri, experiment=settings.tracking.experiment)


def find_study(text: str, settings: StudySettings) -> Found:
    """Return the study that `text` refers to: a file, a folder, `latest`, a run, a revision."""

    def fetch_run(run: str) -> tuple[bytes, str]:
        return fetch_results(run, settings=tracking_settings(settings), home=home(settings))

    return find.find_study(text, output=Path(settings.output).expanduser(), fetch_run=fetch_run)


def track_results(result: StudyResult, folder: Path, settings: StudySettings) -> Mapping[str, str]:
    """Send a study to the tracking server with its files in `folder`; return addresses by name.

    The results of single queries are sent as a file.
    """
    tracking, place = tracking_settings(settings), home(settings)
    served = None if tracking.uri else served_address(place)
    if served is not None:
        tracking = replace(tracking, ui_url=served)
    tracked = track(result, settings=tracking, home=place, artifacts=folder)
    addresses = {"MLflow": tracked.study_url}
    if len(result.trials) > 1:
        addresses["Compare"] = tracked.compare_url
    return addresses


def serve_command(settings: StudySettings) -> str | None:
    """Return the command that serves MLflow's pages, or None if a server is running."""
    if settings.tracking.uri.startswith("http") or served_address(home(settings)) is not None:
        return None
    return command("ui")
