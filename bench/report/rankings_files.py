"""The rankings of a study as a Parquet table."""

from collections.abc import Iterator
from pathlib import Path

from bench.files import write_table
from bench.report.study_view import StudyView
from bench.results import QueryResult, TrialResult


def write_rankings(view: StudyView, folder: Path) -> None:
    """Write rankings.parquet with a row for each trial, query and listed hit."""
    rows = [row for trial in view.done for query in trial.queries for row in _rows(trial, query)]
    if rows:
        write_table(folder / "rankings.parquet", rows)


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
