"""Addresses of MLflow's pages: a study's runs, their comparison, and the latest study."""

import json
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from bench.tracking.client import client_for
from bench.tracking.place import Place, place_of
from bench.tracking.reachability import check_answers
from bench.tracking.settings import TrackingSettings
from bench.tracking.view import view_key

_COMPARED = 50  # the compare page takes its runs in its address, and slows down beyond


def study_address(place: Place, experiment: str, study: str) -> str:
    """Return the page with the trials of a study, in the view that was made for it."""
    page = f"{place.pages}/#/experiments/{experiment}/runs"
    return f"{page}?viewStateShareKey={quote(view_key(study), safe='')}"


def compare_address(place: Place, experiment: str, runs: Sequence[str]) -> str:
    """Return the page that shows runs side by side."""
    compared = f"runs={_in_url(runs[:_COMPARED])}&experiments={_in_url([experiment])}"
    return f"{place.pages}/#/compare-runs?{compared}"


def latest_study(settings: TrackingSettings, home: Path) -> str | None:
    """Return the page of the study that began last, if a local store has one."""
    place = place_of(settings, home)
    if not place.is_server and not place.database.exists():
        return None
    check_answers(place)
    client = client_for(place, settings.timeout_seconds)
    known = client.get_experiment_by_name(settings.experiment)
    if known is None:
        return None
    studies = client.search_runs(
        [known.experiment_id],
        "tags.`rankgrid.kind` = 'study' AND tags.`rankgrid.complete` = 'true'",
        max_results=1,
        order_by=["attributes.start_time DESC"],
    )
    names = [run.data.tags["rankgrid.study"] for run in studies]
    return study_address(place, str(known.experiment_id), names[0]) if names else None


def _in_url(names: Sequence[str]) -> str:
    return quote(json.dumps(list(names), separators=(",", ":")), safe="")
