"""The view of a study in MLflow's list of runs: its filter, order, columns and charts.

MLflow stores views as tags of the experiment and opens the view in an address. Without a view, it
hides nested runs, shows no metrics, and sorts charts by name.
"""

import json
from collections.abc import Iterable
from hashlib import sha256

from bench.measures import OF_ANSWERS
from bench.tracking.content import RunContent, StudyContent
from bench.tracking.measured import CURVES

TAG = "mlflow.sharedViewState."
EXPERIMENT_KIND = ("mlflow.experimentKind", "custom_model_development")
"""A tag of the experiment. Some versions of MLflow select its page by this tag."""
_SECTION, _REST = "Study", "Model metrics"
_NAME, _DURATION = "attributes.`Run Name`", "duration"
_VERDICT = "tags.`rankgrid.verdict`"
_MOST_PARAMS, _MOST_SECTIONS = 4, 80
_NARROWEST, _WIDEST, _CHARACTER, _MARGIN = 70, 300, 7.5, 44
"""Widths in pixels: limits of a column, a character, and the margin of a text."""
Json = dict[str, object]


def view_key(study: str) -> str:
    """Return the key of the view in addresses, which is short to keep them on one line."""
    return sha256(study.encode()).hexdigest()[:6]


def tag_of_view(content: StudyContent) -> tuple[str, str]:
    """Return the name and the value of the experiment's tag with the view of a study."""
    view = view_of(content, of_study(content.study, "trial"))
    return f"{TAG}{view_key(content.study)}", view


def view_of(content: StudyContent, search: str) -> str:
    """Return the view in MLflow's JSON. `search` is the filter for the trials of the study."""
    names = sorted({each.name for trial in content.trials for each in trial.measures})
    params = _differing(content.trials)[:_MOST_PARAMS]
    headlines = dict.fromkeys((content.objective, *(one.name for one in content.columns)))
    shown = [name for name in headlines if name in names]
    axes = [_VERDICT, *(_column("params", name) for name in params)]
    metrics = [_column("metrics", name) for name in shown]
    view = {
        "searchFilter": search,
        "orderByKey": _column("metrics", content.objective),
        "orderByAsc": False,
        "selectedColumns": [*axes, *metrics],
        "columnOrder": [_NAME, *axes, _DURATION, *metrics],
        "columnWidths": _widths(content.trials, params),
        "runsHiddenMode": "FIRST_20_RUNS",
        "isAccordionReordered": True,  # otherwise MLflow sorts the sections by name
        "compareRunSections": _sections(names),
        "compareRunCharts": _charts(content, shown, names, params),
    }
    return json.dumps(view, separators=(",", ":"))


def _differing(trials: Iterable[RunContent]) -> list[str]:
    """Return the parameters that differ between trials, with the axes of the grid first.

    A parameter that differs only because some trials lack it (a weight without fusion) depends on
    another setting and comes last.
    """
    runs = [trial.params for trial in trials]
    names = dict.fromkeys(name for run in runs for name in run)
    differing = [name for name in names if len({run.get(name) for run in runs}) > 1]
    return sorted(differing, key=lambda name: len({run[name] for run in runs if name in run}) == 1)


def _widths(trials: Iterable[RunContent], params: Iterable[str]) -> dict[str, int]:
    """Return column widths that fit the names of runs, the axes and the verdict."""
    runs = list(trials)
    texts = {
        _NAME: [run.name for run in runs],
        _VERDICT: ["rankgrid.verdict"],
        **{
            _column("params", name): [name, *(run.params.get(name, "") for run in runs)]
            for name in params
        },
    }
    return {column: _width(max(map(len, shown), default=0)) for column, shown in texts.items()}


def _width(characters: int) -> int:
    return round(min(max(_CHARACTER * characters + _MARGIN, _NARROWEST), _WIDEST))


def _column(kind: str, name: str) -> str:
    return f"{kind}.`{name}`"


def _sections(names: Iterable[str]) -> list[Json]:
    """Return the study's section, open, and the sections that MLflow would create, closed."""
    made = dict.fromkeys(name.rpartition("/")[0] or _REST for name in names)
    closed = [name for name in (_REST, *made) if name != _SECTION]
    listed = [_SECTION, *dict.fromkeys(closed)][:_MOST_SECTIONS]
    return [
        {
            "uuid": name,
            "name": name,
            "display": name == _SECTION,
            "columns": 2 if name == _SECTION else 3,
            "isReordered": False,
            "deleted": False,
            "isGenerated": name != _SECTION,
        }
        for name in listed
    ]


def _charts(
    content: StudyContent, shown: list[str], names: list[str], params: list[str]
) -> list[Json]:
    objective = content.objective
    bars = [*dict.fromkeys((*shown, *(name for name in OF_ANSWERS if name in names)))]
    curves = [name for name in CURVES if name in names]
    known = shown if objective in names else []
    costs = [one.name for one in content.columns if one.is_cost and one.name in known]
    charts = [
        # MLflow shows only the first nine charts of a section at first
        *(_bar(name) for name in bars[:1]),
        *(_curve(name) for name in curves),
        *(_bar(name) for name in bars[1:]),
        *(_against(cost, objective) for cost in costs),
    ]
    if params and objective in names:
        axes = {"selectedParams": params, "selectedMetrics": [objective], "showAllRuns": False}
        charts.append({"type": "PARALLEL", "displayName": f"{objective} by axis", **axes})
    shared = {"metricSectionId": _SECTION, "deleted": False, "isGenerated": False}
    return [
        {**shared, "runsCountToCompare": 20, "uuid": f"rankgrid-{number}", **chart}
        for number, chart in enumerate(charts)
    ]


def _bar(name: str) -> Json:
    return {"type": "BAR", "metricKey": name, "displayName": name}


def _curve(name: str) -> Json:
    return {
        "type": "LINE",
        "metricKey": name,
        "selectedMetricKeys": [name],
        "displayName": name,
        "xAxisKey": "step",
        "useGlobalXaxisKey": False,
        "lineSmoothness": 0,
        "xAxisScaleType": "linear",
        "scaleType": "linear",
        "range": {},
        "displayPoints": True,
        "yAxisKey": "metric",
        "yAxisExpressions": [],
    }


def _against(cost: str, objective: str) -> Json:
    return {
        "type": "SCATTER",
        "displayName": f"{objective} against {cost}",
        "xaxis": {"key": cost, "type": "METRIC"},
        "yaxis": {"key": objective, "type": "METRIC"},
    }


def of_study(study: str, kind: str | None = None) -> str:
    """Return the filter for the runs of a study. The name must not need quoting."""
    found = f"tags.`rankgrid.study` = '{study}'"
    return f"{found} AND tags.`rankgrid.kind` = '{kind}'" if kind else found
