"""Addresses of MLflow's pages: a study's runs, their comparison, and the latest study."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from bench.tracking.client import client_for
from bench.tracking.place import Place, place_of
from bench.tracking.reachability import check_answers
from bench.tracking.settings import TrackingSettings
from bench.tracking.view import of_study, view_key

MOST_COMPARED = 50  # the address of the compare page has all runs, and more are slow


def study_address(place: Place, experiment: str, study: str) -> str:
    """Return the address of the list of a study's trials, in the view of the study."""
    page = f"{place.pages}/#/experiments/{experiment}/runs"
    # Without the type, MLflow shows every experiment as one with traces and prompts.
    return f"{page}?workflowType=machine_learning&viewStateShareKey={view_key(study)}"


def compare_address(pages: str, experiment: str, runs: Sequence[str]) -> str:
    """Return the address of the comparison of runs. `runs` must be its first parameter."""
    compared = f"runs={_in_url(runs[:MOST_COMPARED])}&experiments={_in_url([experiment])}"
    return f"{pages}/#/compare-runs?{compared}&workflowType=machine_learning"


@dataclass(frozen=True)
class Addresses:
    """The addresses of a study: the list of trials, and their comparison if there are several."""

    study_url: str
    compare_url: str | None


def latest_study(settings: TrackingSettings, home: Path) -> Addresses | None:
    """Return the addresses of the latest complete study, or None if there is none."""
    place = place_of(settings, home)
    if not place.is_server and not place.database.exists():
        return None
    check_answers(place)
    client = client_for(place, settings.timeout_seconds)
    known = client.get_experiment_by_name(settings.experiment)
    if known is None:
        return None
    experiment = str(known.experiment_id)
    studies = client.search_runs(
        [experiment],
        "tags.`rankgrid.kind` = 'study' AND tags.`rankgrid.complete` = 'true'",
        max_results=1,
        order_by=["attributes.start_time DESC"],
    )
    if not studies:
        return None
    tags = studies[0].data.tags
    name = tags["rankgrid.study"]
    trials = client.search_runs(
        [experiment],
        of_study(name, "trial"),
        max_results=MOST_COMPARED,
        order_by=[f"metrics.`{tags.get('rankgrid.objective', 'mrr')}` DESC"],
    )
    runs = [str(run.info.run_id) for run in trials]
    compared = compare_address(place.pages, experiment, runs) if len(runs) > 1 else None
    return Addresses(study_address(place, experiment, name), compared)


def _in_url(names: Sequence[str]) -> str:
    return quote(json.dumps(list(names), separators=(",", ":")), safe="")
