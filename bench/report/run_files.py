"""TREC run files and judgements, for trec_eval and similar programs.

At file level a run lists documents by path, each with its best hit. At other levels the entries
are hits. Their relevance depends on their lines, so each run has its own judgements of its ids.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.corpora.own_files import MARKDOWN_SIGN
from bench.files import write_whole
from bench.report.study_view import StudyView
from bench.results import Hit, QueryResult, TrialResult

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._=,+-]+")
_SPACE = re.compile(r"\s")
_LONGEST_NAME = 100
_NOTHING = "no-hit"
"""Entry of an empty ranking. Some programs drop queries without entries."""


@dataclass(frozen=True)
class _Entry:
    """An entry of a run: ID, score and relevance grade (0 if it is not relevant)."""

    id: str
    score: np.float32
    grade: int = 0


@dataclass(frozen=True)
class _Ranking:
    """A query with its entries in the run and in the judgements."""

    query: str
    entries: tuple[_Entry, ...]
    missed: tuple[tuple[str, int], ...]
    """Grades of the targets that no entry finds, by ID."""
    is_judged: bool
    finds_several: bool
    """True if a hit finds more than one target."""
    repeats: bool
    """True if the table counts several hits of a document that is listed once here."""


def write_runs(view: StudyView, folder: Path) -> None:
    """Write runs/NAME.run and runs/NAME.qrels for each trial, and runs/ABOUT.md."""
    runs = folder / "runs"
    trials = {f"{place:03d}-{_file_name(t.name)}": t for place, t in enumerate(view.done, 1)}
    kept = {f"{name}{suffix}" for name in trials for suffix in (".run", ".qrels")}
    for old in [*runs.glob("*.run"), *runs.glob("*.qrels")]:
        if old.name not in kept:
            old.unlink()
    alone = _ids_are_distinct(view.done[0].queries) if view.done else True
    about = []
    for name, trial in trials.items():
        by_file = view.study.level == "file"
        rankings = [_ranking(query, alone=alone, by_file=by_file) for query in trial.queries]
        _write(runs / f"{name}.run", [line for one in rankings for line in _run_lines(one)])
        if _knows_targets(trial):
            judged = [line for one in rankings for line in _qrels_lines(one)]
            _write(runs / f"{name}.qrels", judged)
        about.append(_about(name, trial, rankings))
    if about:
        _write(runs / "ABOUT.md", [MARKDOWN_SIGN.rstrip("\n"), *_introduction(view), "", *about])


def _write(place: Path, lines: Sequence[str]) -> None:
    write_whole(place, "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))


def _ids_are_distinct(queries: Sequence[QueryResult]) -> bool:
    return len({query.id for query in queries}) == len(queries)


def _knows_targets(trial: TrialResult) -> bool:
    """Return False for older results, which do not record the hit that found each target."""
    return all(query.target_ranks or not query.is_judged for query in trial.queries)


def _ranking(query: QueryResult, *, alone: bool, by_file: bool) -> _Ranking:
    ids = _ids(query.hits, by_file=by_file)
    # Backwards, so that the first hit of each ID wins.
    firsts = {ids[place]: place for place in range(len(ids) - 1, -1, -1)}
    places = sorted(firsts.values())
    grades: dict[int, int] = {}
    # A qrels file has one grade per ID, so a hit on several targets gets the highest grade.
    for rank, grade in zip(query.target_ranks, query.target_grades, strict=True):
        grades[rank] = max(grade, grades.get(rank, 0))
    ranks = [rank for rank in query.target_ranks if rank]
    entries = [
        _Entry(_word(ids[place]), score, grades.get(place + 1, 0))
        for place, score in zip(
            places, _falling([query.hits[place].score for place in places]), strict=True
        )
    ]
    return _Ranking(
        query=_word(query.id if alone else f"{query.repository}/{query.id}"),
        entries=tuple(entries),
        missed=tuple(_missed(query, by_file=by_file)),
        is_judged=query.is_judged,
        finds_several=len(set(ranks)) < len(ranks),
        repeats=len(places) < len(ids),
    )


def _ids(hits: Sequence[Hit], *, by_file: bool) -> list[str]:
    """Return the ID of each hit: its document, or its lines with a number if they repeat."""
    if by_file:
        return [hit.path for hit in hits]
    found: list[str] = []
    counts: dict[str, int] = {}
    for hit in hits:
        count = counts[str(hit)] = counts.get(str(hit), 0) + 1
        found.append(str(hit) if count == 1 else f"{hit}#{count}")
    return found


def _falling(scores: Sequence[float | None]) -> Iterator[np.float32]:
    """Yield strictly decreasing scores, because programs break ties in their own ways.

    A score that is not below the previous one becomes the next smaller float.
    """
    last = np.float32(np.inf)
    for place, score in enumerate(scores):
        value = np.float32(-place if score is None else score)
        if not value < last:
            value = np.nextafter(last, np.float32(-np.inf))
        last = value
        yield value


def _missed(query: QueryResult, *, by_file: bool) -> Iterator[tuple[str, int]]:
    """Yield the ID and grade of each target that no hit finds.

    For a query without alternatives, each target has exactly one place.
    """
    is_plain = len(query.targets) == len(query.target_ranks)
    for number, rank in enumerate(query.target_ranks):
        if rank:
            continue
        name = f"target-{number + 1}"
        if is_plain:
            place = query.targets[number]
            name = place.path if by_file else f"{place.path}:{place.start}-{place.end}"
        yield (
            _word(name if by_file and is_plain else f"missed:{name}"),
            query.target_grades[number],
        )


def _run_lines(ranking: _Ranking) -> Iterator[str]:
    """Yield a line for each entry in the format of trec_eval."""
    for rank, entry in enumerate(ranking.entries, 1):
        yield f"{ranking.query} Q0 {entry.id} {rank} {entry.score} rankgrid"
    if not ranking.entries:
        yield f"{ranking.query} Q0 {_NOTHING} 1 0 rankgrid"


def _qrels_lines(ranking: _Ranking) -> Iterator[str]:
    if not ranking.is_judged:
        return
    for entry in ranking.entries:
        yield f"{ranking.query} 0 {entry.id} {entry.grade}"
    seen: dict[str, int] = {}
    for name, grade in ranking.missed:
        count = seen[name] = seen.get(name, 0) + 1
        yield f"{ranking.query} 0 {name if count == 1 else f'{name}#{count}'} {grade}"


def _introduction(view: StudyView) -> Iterator[str]:
    yield "# Runs of this study"
    yield ""
    listed = "documents by their ids, each with its best hit"
    if view.study.level != "file":
        listed = "hits by their paths and lines"
    yield f"The study is judged at {view.study.level} level. A run lists {listed}."
    yield "Scores are those of the ranking; the last digit of an equal one is lowered, so that the"
    yield "order stays. The .qrels file beside a run judges its ids:"
    yield "`ir_measures NAME.qrels NAME.run RR@10 P@10 R@10 nDCG@10`."
    yield "Those means are over queries, as `micro_…` in results.json; tables here have means over"
    yield "repositories. White space in ids is %20, and `no-hit` marks an empty ranking."


def _about(name: str, trial: TrialResult, rankings: Sequence[_Ranking]) -> str:
    """Return a note on measures that agree or differ between other programs and the table."""
    several = sum(one.finds_several for one in rankings)
    repeated = sum(one.repeats for one in rankings)
    same = "MRR, precision, recall and NDCG are those of the table"
    if several:
        same = (
            f"MRR and precision are those of the table; recall and NDCG differ, because in"
            f" {several} queries a hit finds several targets, which have places of their own"
            " (decision 0003)"
        )
    if repeated:
        same = (
            f"in {repeated} queries the table counts several hits of one document, which is listed"
            " once here, so the measures differ (retriever.unit=file lists each once in both)"
        )
    if not _knows_targets(trial):
        same = "no judgements, because the results were written by an earlier version"
    return f"- `{name}.run`: {trial.name}: {same}."


def _word(text: str) -> str:
    """Return text with its white space escaped, since white space separates columns."""
    return _SPACE.sub("%20", text) or "-"


def _file_name(name: str) -> str:
    return _NOT_IN_NAMES.sub("-", name)[:_LONGEST_NAME].strip(".-") or "trial"
