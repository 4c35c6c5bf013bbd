"""The rows behind the query table: small enough to be embedded, gzip in base64.

Numbers stand in columns and each path once. Every trial has its ranks and scores; rankings are
those of the best trials, as many as there is room for.
"""

import gzip
import json
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from bench.advice import measure_label
from bench.printable import printable
from bench.reporting.cuttings import cut_flags, shipped_suite
from bench.reporting.study_view import Json, StudyView, TrialView

_MEASURES = ("ndcg_at_10", "recall_at_10", "recall_at_4000_tokens")
ROOM = 4_500_000
"""Bytes for the packed rows: base64 makes a third more of them, and the page stays under 8 MB."""
_CREDITS = {"relevant": 1, "duplicate": 2}
_SCALE = 10_000
_ELSEWHERE = "results.json has the reason"
_LONGEST = 1_000
"""Characters of an answer or a cause that are shown; results.json has all of them."""


def packed(view: StudyView, room: int = ROOM) -> str:
    """Return the rows, packed; less than all rankings if they take more bytes than `room`."""
    ordered = _shortlist(view)
    count = len(ordered)
    content = _packed(view, ordered)
    while len(content) > room and count:
        count = min(count - 1, int(count * room / len(content)))
        content = _packed(view, ordered[:count])
    return b64encode(content).decode("ascii")


def _shortlist(view: StudyView) -> list[TrialView]:
    """Return the advised trial and the baseline, then the others by falling quality."""
    first = [trial for trial in (view.chosen, view.baseline) if trial]
    return list(dict.fromkeys([*first, *view.listed]))


def _packed(view: StudyView, ranked: Sequence[TrialView]) -> bytes:
    text = json.dumps(_rows(view, ranked), separators=(",", ":"), ensure_ascii=False)
    text = printable(text)
    # a fixed time keeps equal studies equal, byte for byte
    return gzip.compress(text.encode("utf-8", "replace"), compresslevel=9, mtime=0)


def _rows(view: StudyView, ranked: Sequence[TrialView]) -> dict[str, Any]:
    paths: dict[str, int] = {}
    measures = list(dict.fromkeys((view.objective, *_MEASURES)))
    rows = {
        "quality": view.quality,
        "trials": [trial.name for trial in view.listed],
        "measures": [measure_label(measure) for measure in measures],
        "queries": [_query(q, paths) for q in view.listed[0].queries] if view.listed else [],
        "ranks": [[q.get("first_rank") or 0 for q in trial.queries] for trial in view.listed],
        "scores": [[_scores(t, measure) for measure in measures] for t in view.listed],
        "hits": {str(view.listed.index(trial)): _hits(trial, paths) for trial in ranked},
        "errors": [_errors(trial, told=trial in ranked) for trial in view.listed],
        "answers": {
            str(view.listed.index(trial)): _answers(trial)
            for trial in ranked
            if any(query.get("answer") for query in trial.queries)
        },
        "suite": shipped_suite(view),
        "cuts": [cut_flags(trial) for trial in view.listed],
        "first": _place(view, view.baseline),
        "second": _place(view, view.chosen),
    }
    return {**rows, "paths": list(paths)}


def _place(view: StudyView, trial: TrialView | None) -> int:
    return view.listed.index(trial) if trial else 0


def _query(query: Json, paths: dict[str, int]) -> list[Any]:
    return [
        query["id"],
        query["repository"],
        query["query"],
        query.get("category") or "",
        query.get("difficulty") or "",
        1 if query.get("negative") else 0,
        list(query.get("expected") or ()),
        [number for one in query.get("targets") or () for number in _place_of(one, paths)],
    ]


def _place_of(one: Json, paths: dict[str, int]) -> tuple[int, int, int]:
    return paths.setdefault(str(one["path"]), len(paths)), one["start"], one["end"]


def _scores(trial: TrialView, measure: str) -> list[int | None]:
    values = [query.get(measure) for query in trial.queries]
    return [None if value is None else round(value * _SCALE) for value in values]


def _errors(trial: TrialView, *, told: bool) -> dict[str, str]:
    """Return why queries have no result or no answer, by their places, where there is room."""
    found = enumerate(query.get("error") for query in trial.queries)
    return {str(n): str(error)[:_LONGEST] if told else _ELSEWHERE for n, error in found if error}


def _answers(trial: TrialView) -> list[list[Any] | None]:
    """Return for each query its answer, and whether that is a refusal."""
    found = [query.get("answer") for query in trial.queries]
    return [
        [str(one.get("text") or "")[:_LONGEST], 1 if one.get("refused") else 0] if one else None
        for one in found
    ]


def _hits(trial: TrialView, paths: dict[str, int]) -> dict[str, list[Any]]:
    """Return the hits of a trial as columns, and how many each query has."""
    lists = [query.get("retrieved") or () for query in trial.queries]
    hits = [hit for listed in lists for hit in listed]
    places = [_place_of(hit, paths) for hit in hits]
    return {
        "counts": [len(listed) for listed in lists],
        "path": [path for path, _, _ in places],
        "start": [start for _, start, _ in places],
        "lines": [end - start for _, start, end in places],
        "credit": [_credit(hit) for hit in hits],
        "score": [hit.get("score") for hit in hits],
    }


def _credit(hit: Json) -> int | None:
    """Return what a hit was credited with; older results do not say."""
    return _CREDITS.get(hit["credit"], 0) if hit.get("credit") else None
