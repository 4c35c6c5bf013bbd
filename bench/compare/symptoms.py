"""Likely problems of a study from its results: empty results, low scores, slow trials.

These are rules of thumb. Each has an observation, its usual meaning, and a remedy.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bench.results import QueryResult, StudyResult, TrialResult

_LOW_HITS = 0.3
"""Lowest plausible share of queries with a relevant hit."""
_GAP = 0.25
_SLOW_MS, _SLOW_INDEX_SECONDS = 500.0, 600.0
_UNSEEN = 0.2
_LISTED = 5


@dataclass(frozen=True)
class Symptom:
    """An observation, its usual meaning, and a remedy."""

    trial: str
    kind: str
    seen: str
    remedy: str


def symptoms(study: StudyResult) -> tuple[Symptom, ...]:
    """Return the conspicuous results, trial by trial."""
    return tuple(
        symptom
        for trial in study.trials
        for look in (_failed, _nothing, _low, _unseen, _slow)
        for symptom in look(trial, study)
    )


def _failed(trial: TrialResult, study: StudyResult) -> Iterator[Symptom]:
    if trial.failed:
        seen = f"the trial failed; study {study.id} names the stage and its cause"
        remedy = "run it again with --debug; finished stages are not repeated"
        yield Symptom(trial.name, "failed", seen, remedy)


def _nothing(trial: TrialResult, study: StudyResult) -> Iterator[Symptom]:
    del study
    empty = [query for query in trial.by_key.values() if not query.hits and not query.negative]
    if not empty:
        return
    share = f"{len(empty)} of {len(trial.by_key)} queries returned nothing ({_named(empty)})"
    if len(empty) == len(trial.by_key):
        remedy = (
            "no document was searched or no word is shared: see `rankgrid fixtures verify`, the"
            " folder that the suite names, and what was left out of it"
        )
    else:
        remedy = (
            "words that no document has: try retriever=hybrid or dense, which need no shared word,"
            " or retriever.tokenizer=identifier, which parts names"
        )
    yield Symptom(trial.name, "no results", share, remedy)


def _low(trial: TrialResult, study: StudyResult) -> Iterator[Symptom]:
    judged = [query for query in trial.by_key.values() if query.known and not query.negative]
    found = [query for query in judged if query.first_rank]
    if not judged or len(found) / len(judged) >= _LOW_HITS:
        yield from _misplaced(trial, study)
        return
    missed = [query for query in judged if not query.first_rank]
    seen = f"nothing right for {len(missed)} of {len(judged)} queries ({_named(missed)})"
    yield Symptom(trial.name, "low scores", seen, _why_low(trial, study))


def _why_low(trial: TrialResult, study: StudyResult) -> str:
    files = trial.levels.get("file", {}).get("avg_recall_at_10") or 0.0
    own = trial.summary.get("avg_recall_at_10") or 0.0
    if study.level != "file" and files - own > _GAP:
        return (
            f"the right files are found ({files:.2f} of them at ten hits) but not the lines: try"
            " other chunk sizes, chunker=symbol, or a reranker"
        )
    deeper = trial.summary.get("avg_recall_at_8000_tokens") or 0.0
    if deeper - own > _GAP:
        return (
            f"more is found further down ({deeper:.2f} in 8,000 tokens): try a reranker or limit"
        )
    return (
        "first the answers: `rankgrid fixtures verify` finds targets that are not there;"
        " then the retriever: compare bm25, dense and hybrid on the same queries"
    )


def _misplaced(trial: TrialResult, study: StudyResult) -> Iterator[Symptom]:
    """Yield a symptom if files are found but their lines are not, although scores are not low."""
    files = trial.levels.get("file", {}).get("avg_recall_at_10")
    own = trial.summary.get("avg_recall_at_10")
    if study.level == "file" or files is None or own is None or files - own <= _GAP:
        return
    seen = f"recall at ten hits is {files:.2f} of files and {own:.2f} at {study.level} level"
    remedy = "the right files, the wrong lines: try other chunk sizes, chunker=symbol, a reranker"
    yield Symptom(trial.name, "low scores", seen, remedy)


def _unseen(trial: TrialResult, study: StudyResult) -> Iterator[Symptom]:
    del study
    share = trial.summary.get("unseen_token_share")
    if share is not None and share > _UNSEEN:
        seen = f"the model never saw {share:.0%} of the text"
        remedy = "chunks are longer than its window: embedder.long_text=max, or smaller chunks"
        yield Symptom(trial.name, "low scores", seen, remedy)


def _slow(trial: TrialResult, study: StudyResult) -> Iterator[Symptom]:
    del study
    latency = trial.summary.get("latency_p95_ms")
    if latency is not None and latency > _SLOW_MS:
        reranked = trial.use_reranker
        remedy = (
            "most of it is the reranker: a smaller reranker.depth, or reranker=off"
            if reranked
            else "vectors=edge or server instead of exact; larger chunks are fewer chunks"
        )
        yield Symptom(trial.name, "slow", f"p95 is {latency:.0f} ms a query", remedy)
    seconds = trial.summary.get("index_seconds")
    if seconds is not None and seconds > _SLOW_INDEX_SECONDS:
        remedy = (
            "embedding: a smaller model, more workers (execution=ray), or retriever=bm25 first;"
            " it is paid once, a second run finds it in the store"
        )
        yield Symptom(trial.name, "slow", f"indexing took {seconds:.0f} s", remedy)


def _named(queries: list[QueryResult]) -> str:
    names = [" ".join(query.id.split()) for query in queries[:_LISTED]]
    return ", ".join(names) + (", …" if len(queries) > _LISTED else "")
