"""Rows of the query table, compressed with gzip and encoded as base64 in the page.

Numbers are in columns. Paths and spans of hits are stored once, because trials find the same
chunks. All trials have ranks and scores. Only the best trials have rankings, as many as fit.
"""

import gzip
import json
from base64 import b64encode
from collections.abc import Iterable, Sequence

from bench.advice import measure_label
from bench.printable import printable
from bench.report.chunk_commands import cut_flags, shipped_suite
from bench.report.study_view import StudyView
from bench.results import Hit, Place, QueryResult, TrialResult

LARGEST_PAGE = 4_990_000
"""Maximum bytes of a page."""
ROOM = 3_000_000
"""Maximum bytes of the packed rows."""
_CREDITS = {"relevant": 1, "duplicate": 2}
_SCALE = 10_000
_ELSEWHERE = "results.json has the reason"
_LONGEST = 1_000
"""Maximum characters of an answer or a cause in the page; results.json has the full text."""


def room_beside(size: int) -> int:
    """Return the bytes left for the packed rows in a page of `size` other bytes."""
    return max(0, min(ROOM, (LARGEST_PAGE - size) * 3 // 4))  # base64 adds a third


def packed(view: StudyView, room: int = ROOM) -> str:
    """Return the packed rows, with fewer rankings if all would take more than `room` bytes."""
    ordered = _shortlist(view)
    count = len(ordered)
    content = _packed(view, ordered)
    while len(content) > room and count:
        count = min(count - 1, int(count * room / len(content)))
        content = _packed(view, ordered[:count])
    return b64encode(content).decode("ascii")


def _shortlist(view: StudyView) -> list[TrialResult]:
    """Return the advised trial, the runner-up and the baseline, then others by falling quality."""
    first = [trial for trial in (view.chosen, view.runner_up, view.baseline) if trial]
    return list({id(trial): trial for trial in (*first, *view.listed)}.values())


def _packed(view: StudyView, ranked: Sequence[TrialResult]) -> bytes:
    text = json.dumps(_rows(view, ranked), separators=(",", ":"), ensure_ascii=False)
    text = printable(text)
    # a fixed time keeps files of equal studies identical
    return gzip.compress(text.encode("utf-8", "replace"), compresslevel=9, mtime=0)


def _rows(view: StudyView, ranked: Sequence[TrialResult]) -> dict[str, object]:
    paths: dict[str, int] = {}
    places: dict[tuple[int, int, int], int] = {}
    measures = [column.measure for column in view.columns if column.measure]
    shown = {view.place(trial): trial for trial in ranked}
    rows: dict[str, object] = {
        "quality": view.quality,
        "trials": [trial.name for trial in view.listed],
        "measures": [measure_label(measure) for measure in measures],
        "queries": [_query(q, paths) for q in view.listed[0].queries] if view.listed else [],
        "ranks": [[q.first_rank or 0 for q in trial.queries] for trial in view.listed],
        "scores": [[_scores(t, measure) for measure in measures] for t in view.listed],
        "hits": {str(place): _hits(trial, paths, places) for place, trial in shown.items()},
        "errors": [_errors(t, reasons=n in shown) for n, t in enumerate(view.listed)],
        "answers": {
            str(place): _answers(trial)
            for place, trial in shown.items()
            if any(query.answer for query in trial.queries)
        },
        "suite": shipped_suite(view),
        "cuts": [cut_flags(trial) for trial in view.listed],
        "first": _place(view, view.runner_up or view.chosen),
        "second": _place(view, view.chosen),
    }
    return {**rows, "paths": list(paths), "places": _columns_of(places)}


def _place(view: StudyView, trial: TrialResult | None) -> int:
    return view.place(trial) if trial else 0


def _query(query: QueryResult, paths: dict[str, int]) -> list[object]:
    return [
        query.id,
        query.repository,
        query.text,
        query.category,
        query.difficulty,
        1 if query.negative else 0,
        query.expected,
        [number for target in query.targets for number in _place_of(target, paths)],
    ]


def _place_of(one: Place | Hit, paths: dict[str, int]) -> tuple[int, int, int]:
    return paths.setdefault(one.path, len(paths)), one.start, one.end


def _scores(trial: TrialResult, measure: str) -> list[int | None]:
    values = [query.numbers.get(measure) for query in trial.queries]
    return [None if value is None else round(value * _SCALE) for value in values]


def _errors(trial: TrialResult, *, reasons: bool) -> dict[str, str]:
    """Return errors by the index of their query; trials without rankings here omit the reasons."""
    errors = enumerate(query.error for query in trial.queries)
    return {str(n): error[:_LONGEST] if reasons else _ELSEWHERE for n, error in errors if error}


def _answers(trial: TrialResult) -> list[tuple[str, int] | None]:
    """Return the answer of each query, with 1 if it is a refusal."""
    answers = [query.answer for query in trial.queries]
    return [(one.text[:_LONGEST], 1 if one.refused else 0) if one else None for one in answers]


def _hits(
    trial: TrialResult, paths: dict[str, int], places: dict[tuple[int, int, int], int]
) -> dict[str, object]:
    """Return the hits of a trial as columns, with the number of hits per query."""
    hits = [hit for query in trial.queries for hit in query.hits]
    found = [_place_of(hit, paths) for hit in hits]
    return {
        "counts": [len(query.hits) for query in trial.queries],
        "place": [places.setdefault(place, len(places)) for place in found],
        "credit": [_credit(hit) for hit in hits],
        "score": [hit.score for hit in hits],
    }


def _columns_of(places: Iterable[tuple[int, int, int]]) -> dict[str, list[int]]:
    rows = list(places)
    return {
        "path": [path for path, _, _ in rows],
        "start": [start for _, start, _ in rows],
        "lines": [end - start for _, start, end in rows],
    }


def _credit(hit: Hit) -> int | None:
    """Return the credit of a hit, or None in older results."""
    return _CREDITS.get(hit.credit, 0) if hit.credit else None
