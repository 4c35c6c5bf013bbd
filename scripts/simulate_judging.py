"""How many answers `rankgrid judge` needs to reach the advice of the full set of judgements.

Half of the targets of a finished study are hidden. A simulated judge, who knows them, answers
about the hits that `judge` asks about, once in its order and once at random. Counted are the
answers until the advised trial is that of all judgements, and stays so to the end.

    python bench/run.py -m suite=quick retriever=bm25,lexical,fields,graph chunk=512,1024
    rankgrid judge --to queries.yaml    # and q: this only writes the file
    python scripts/simulate_judging.py outputs/latest --queries queries.yaml --runs 200

The study needs lexical trials only.
"""

import argparse
import random
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench.authoring.judging import Candidate, Session, StoredTrials, asked_files
from bench.authoring.judging.candidates import spot_of
from bench.authoring.judging.session import Asked, chances_of
from bench.engine import opened_store
from bench.queries import LEVELS, Judgements
from bench.results import TrialResult, read_results

HALF = 0.5


@dataclass(frozen=True)
class Reached:
    """Number of answers until the advice was that of the full set, and of all candidates."""

    answers: int
    asked: int
    is_reached: bool


class Study:
    """A finished study whose targets can be hidden."""

    def __init__(self, folder: Path, queries: Path | None) -> None:
        self.result = read_results(folder)
        self.trials = StoredTrials(self.result, opened_store(self.result.settings.store, None))
        self.measured = self.trials.trials
        # The stored credits would reveal hidden targets, so credits come from the remaining
        # targets.
        self.trials.trials = tuple(map(without_credits, self.measured))
        entries = asked_files(self.result, folder.resolve(), queries=queries, to=None).by_row
        self.asked = [Asked(one.query) if one else None for one in entries]
        self.full = [one.judgements for one in self.trials.repositories]
        self.advice = advised(Session(self.result, self.trials, self.asked))

    def hide(self, seed: int) -> None:
        """Hide half of the targets of queries with several targets."""
        choice = random.Random(seed)  # noqa: S311 - no secret
        for searched, full in zip(self.trials.repositories, self.full, strict=True):
            searched.judge_by(hidden(full, self.result.level, choice))

    @property
    def hidden_share(self) -> float:
        """Share of the targets that are hidden now."""
        level = LEVELS.index(self.result.level)
        left = sum(int((one.judgements.level == level).sum()) for one in self.trials.repositories)
        return 1 - left / sum(int((one.level == level).sum()) for one in self.full)


def without_credits(trial: TrialResult) -> TrialResult:
    """Return a trial without the credits of its hits."""
    queries = (
        replace(one, hits=tuple(replace(hit, credit=None) for hit in one.hits))
        for one in trial.queries
    )
    return replace(trial, queries=tuple(queries))


def hidden(full: Judgements, level: str, choice: random.Random) -> Judgements:
    """Return judgements without half of the places at a level; each query keeps one."""
    number = LEVELS.index(level)
    rows = [row for row in range(len(full.query)) if full.level[row] == number]
    keep = np.ones(len(full.query), np.bool_)
    for query in sorted({int(full.query[row]) for row in rows}):
        own = [row for row in rows if full.query[row] == query]
        for row in own:
            keep[row] = choice.random() >= HALF
        if not keep[own].any():
            keep[choice.choice(own)] = True
    # Only the level of the study is scored; rows of other levels stay.
    places = ("query", "level", "document", "start_byte", "end_byte", "grade")
    names = (*places, "choice", "asked_start", "asked_end")
    columns = {name: getattr(full, name) for name in names}
    return replace(full, **{name: one[keep] for name, one in columns.items() if len(one)})


def advised(session: Session) -> str:
    """Return the advised trial, or else the best one."""
    found = session.tested
    if found is None:
        sys.exit("the trials cannot be tested: give a study of two trials or more")
    return found.cheapest or found.winner or found.best


def is_right(session: Session, candidate: Candidate, study: Study) -> bool:
    """Return True if a place overlaps a target of the full set by half of the shorter one."""
    searched, query = session.trials.place(candidate.row)
    full = study.full[session.trials.repositories.index(searched)]
    tree = session.tree_of(candidate)
    spot = spot_of(candidate.target, tree)
    if spot is None:
        sys.exit(f"{candidate.target}: is not in the source that was searched")
    document = searched.documents.places[tree.documents.paths[spot.document]]
    level = LEVELS.index(session.study.level)
    here = (full.query == query) & (full.level == level) & (full.document == document)
    common = np.minimum(full.end_byte, spot.end) - np.maximum(full.start_byte, spot.start)
    shorter = np.minimum(full.end_byte - full.start_byte, spot.end - spot.start)
    return bool(np.any(here & (common >= HALF * shorter)))


class Unordered(Session):
    """A session with random candidates, which does not need their expected effects."""

    def _weigh(self, places: object) -> None:
        pass


def judged(study: Study, seed: int, *, at_random: bool) -> Reached:
    """Answer in one of the two orders; return when the final advice was reached."""
    kind = Unordered if at_random else Session
    session = kind(study.result, study.trials, study.asked)
    session.chances = chances_of(session.candidates, study.measured)
    order = list(session.candidates)
    random.Random(seed).shuffle(order)  # noqa: S311 - no secret
    reached = 0 if advised(session) == study.advice else None
    for count in range(1, len(order) + 1):
        candidate = order[count - 1] if at_random else session.current
        if candidate is None:
            sys.exit("the session ended before every place was answered")
        session.answer(candidate, relevant=is_right(session, candidate, study))
        if session.answers[-1].added:
            is_same = advised(session) == study.advice
            reached = (count if reached is None else reached) if is_same else None
    return Reached(len(order) if reached is None else reached, len(order), reached is not None)


def main() -> None:
    """Run the simulation and print a line for each run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("study", type=Path)
    parser.add_argument("--queries", type=Path, help="the file of queries, for a shipped suite")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first run")
    found = parser.parse_args()
    study = Study(found.study, found.queries)
    print(f"advice of the full set: {study.advice}")
    for seed in range(found.first, found.first + found.runs):
        study.hide(seed)
        ordered, shuffled = (judged(study, seed, at_random=one) for one in (False, True))
        share = study.hidden_share
        print(
            f"{seed} hidden {share:.2f} pool {ordered.asked}"
            f" ordered {ordered.answers} {ordered.is_reached}"
            f" random {shuffled.answers} {shuffled.is_reached}",
            flush=True,
        )


if __name__ == "__main__":
    main()
