"""The rankings of a study for other programs: a table, and a TREC run file for each trial."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.files import write_table, write_whole
from bench.report.study_view import StudyView
from bench.results import QueryResult, TrialResult

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._=,+-]+")
_LONGEST_NAME = 100


def write_rankings(view: StudyView, folder: Path) -> None:
    """Write rankings.parquet: a row for each trial, query and hit that was shown."""
    import pyarrow as pa

    rows = [row for trial in view.done for query in trial.queries for row in _rows(trial, query)]
    if not rows:
        return
    write_table(folder / "rankings.parquet", pa.Table.from_pylist(rows))


def _rows(trial: TrialResult, query: QueryResult) -> Iterator[dict[str, object]]:
    for rank, hit in enumerate(query.hits, 1):
        yield {
            "trial": trial.name,
            "repository": query.repository,
            "query": query.id,
            "rank": rank,
            "path": hit.path,
            "start": hit.start,
            "end": hit.end,
            "start_byte": hit.start_byte,
            "end_byte": hit.end_byte,
            "symbol": hit.symbol,
            "score": hit.score,
            "credit": hit.credit,
        }


def write_runs(view: StudyView, folder: Path) -> None:
    """Write runs/NAME.run for each trial, in the form that trec_eval reads."""
    runs = folder / "runs"
    kept = {f"{place:03d}-{_file_name(t.name)}.run": t for place, t in enumerate(view.done, 1)}
    for old in runs.glob("*.run"):
        if old.name not in kept:
            old.unlink()
    alone = _ids_are_distinct(view.done[0].queries) if view.done else True
    for name, trial in kept.items():
        lines = (line for query in trial.queries for line in _lines(query, alone=alone))
        write_whole(runs / name, "".join(lines).encode("utf-8", "replace"))


def _ids_are_distinct(queries: Sequence[QueryResult]) -> bool:
    return len({query.id for query in queries}) == len(queries)


def _lines(query: QueryResult, *, alone: bool) -> Iterator[str]:
    """Yield a line for each hit; a rank is its score, for scores of equal hits may be equal."""
    name = query.id if alone else f"{query.repository}/{query.id}"
    for rank, hit in enumerate(query.hits, 1):
        score = len(query.hits) - rank + 1
        yield f"{_word(name)} Q0 {_word(str(hit))} {rank} {score} rankgrid\n"


def _word(text: str) -> str:
    """Return text without the white space that would part it."""
    return "".join("%20" if c.isspace() else c for c in text) or "-"


def _file_name(name: str) -> str:
    return _NOT_IN_NAMES.sub("-", name)[:_LONGEST_NAME].strip(".-") or "trial"
