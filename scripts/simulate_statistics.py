"""Check by simulation that the statistics keep the error rates that they promise.

Scores are made so that the truth is known, procedures are run on them, and errors are counted.
Prints a table: what was measured, and the range it should be in. `--studies` sets how many
studies are made per row, `--only` picks parts by a word of their name.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from bench.analysis import GateState, Question
from tests.unit.analysis.simulations import (
    DRAWS,
    FAMILY,
    FEW,
    MARGIN,
    SIBLING,
    SKEWED,
    Elsewhere,
    Weights,
    World,
    changed_tree_states,
    choices,
    choices_by_budget,
    choices_with_prior,
    coverage,
    family_errors,
    further_repositories,
    gate_states,
    halving,
    optimism,
    shared_drops_caught,
)


@dataclass(frozen=True)
class Row:
    """A row of the table: a measured rate and its promised range."""

    name: str
    rate: float
    promised: str


def rows(studies: int) -> Iterator[tuple[str, Callable[[], list[Row]]]]:
    """Yield the parts of the table, each with a function that computes it."""
    yield "coverage here", lambda: _coverage_rows(Question.HERE, studies)
    yield "coverage elsewhere", lambda: _coverage_rows(Question.ELSEWHERE, studies)
    yield "family errors", lambda: _family_rows(studies // 2)
    yield "choices", lambda: _choice_rows(studies // 2)
    yield "budgets", lambda: _budget_rows(studies // 4)
    yield "one further repository", lambda: _further_rows(studies)
    yield "prior", lambda: _prior_rows(studies // 4)
    yield "gate", lambda: _gate_rows(studies)
    yield "changing code", lambda: _changing_rows(studies)
    yield "tuning", lambda: _tuning_rows(max(20, studies // 4))
    yield "halving", lambda: _halving_rows(max(20, studies // 10))


def _coverage_rows(question: Question, studies: int) -> list[Row]:
    found = []
    laws = {"few": FEW, "sibling": SIBLING, "family": FAMILY, "skewed": SKEWED}
    here = question is Question.HERE
    for name, law in laws.items():
        for count in (1, 3, 9, 20) if here else (3, 9, 20):
            for queries in (12, 30, 100) if here else (30,):
                world = World(count, queries, law, apart=0.0 if here else 0.04)
                promised = ".88-.94" if law is SKEWED and here else ".94-.96"
                title = f"coverage {question}: {name}, {count} x {queries}"
                found.append(Row(title, coverage(world, question, studies), promised))
    return found


def _family_rows(studies: int) -> list[Row]:
    found = []
    for trials in (6, 24, 72):
        for world in (World(9, 24), World(3, 12), World(9, 24, FEW), World(5, 30, apart=0.03)):
            where = f"{trials} trials, {world.repositories} x {world.queries}, {_law(world)}"
            here, elsewhere = family_errors(world, trials, studies)
            if not world.apart:
                found.append(Row(f"any false difference here: {where}", here, ".038-.066"))
            found.append(Row(f"any false difference elsewhere: {where}", elsewhere, "<= .05"))
    return found


def _law(world: World) -> str:
    return "few change" if world.change is FEW else "sibling"


def _choice_rows(studies: int) -> list[Row]:
    promised = {
        "best left out": "<= .01",
        "cheapest worse": "<= .008, worst .05",
        "winner worse": "<= .015",
        "probable worse": "<= .02",
        "regret above bound": "<= .015",
    }
    found = []
    for trials in (6, 24, 72):
        near = np.zeros(trials)
        near[1:] = -np.random.default_rng(0).gamma(2.0, 0.02, trials - 1)
        edge = np.full(trials, -MARGIN - 1e-9)
        edge[0] = 0.0
        for label, effects in (("spread", near), ("all at the margin", edge)):
            for queries in (24, 150):
                rates = choices(World(9, queries, FEW), effects, studies)
                found += [
                    Row(f"{name}: {trials} {label}, 9 x {queries}", rate, promised.get(name, "-"))
                    for name, rate in rates.items()
                ]
    return found


def _budget_rows(studies: int) -> list[Row]:
    promised = {
        "best left out": "<= .05",
        "cheapest worse": "<= .008, worst .05",
        "winner worse": "<= .015, worst .05",
    }
    random, budgets, found = np.random.default_rng(0), 5, []
    for trials in (6, 24):
        near = np.zeros((budgets, trials))
        near[:, 1:] = -random.gamma(2.0, 0.02, (budgets, trials - 1))
        edge = np.full((budgets, trials), -MARGIN - 1e-9)
        edge[range(budgets), range(budgets)] = 0.0
        for label, effects in (("spread", near), ("all at the margin", edge)):
            rates = choices_by_budget(World(9, 24, FEW), effects, studies)
            found += [
                Row(f"{name}, any of 5 budgets: {trials} {label}", rate, promised.get(name, "-"))
                for name, rate in rates.items()
            ]
    return found


def _further_rows(studies: int) -> list[Row]:
    return [
        Row(
            f"in one further repository: {count} x 30, apart {apart}",
            further_repositories(World(count, 30, apart=apart), studies),
            ".93-.97",
        )
        for count in (3, 9, 20)
        for apart in (0.0, 0.04, 0.1)
    ]


def _prior_rows(studies: int) -> list[Row]:
    promised = {
        "overruled": "-",
        "overruled wrongly": "rare",
        "worse than alone": "-",
        "better than alone": "-",
        "shipped": "-",
        "shipped worse": "falls with the queries",
        "regret alone": "-",
        "regret elsewhere": "-",
        "regret together": "near the lower of the two, no shift",
    }
    effects, found = np.zeros(6), []
    effects[1:] = -np.random.default_rng(0).gamma(2.0, 0.02, 5)
    for queries in (10, 40, 240):
        for apart, shift in ((0.01, 0.0), (0.03, 0.0), (0.06, 0.0), (0.03, 0.15)):
            rates = choices_with_prior(Elsewhere(queries, apart, shift), effects, studies)
            where = f"{queries} queries, apart {apart}" + f", shift {shift}" * bool(shift)
            found += [
                Row(f"prior: {name}: {where}", rate, promised[name])
                for name, rate in rates.items()
            ]
    return found


def _gate_rows(studies: int) -> list[Row]:
    found = []
    for law in (FEW, SIBLING, FAMILY):
        for count, queries in ((1, 60), (3, 30), (9, 24), (9, 100)):
            rate = gate_states(World(count, queries, law), studies)[GateState.FAIL]
            title = f"gate: false fail, {law.share:.0%} change, {count} x {queries}"
            found.append(Row(title, rate, ".022-.070"))
    for law, promised in ((FEW, ".95"), (SIBLING, ".99"), (FAMILY, ".83")):
        states = gate_states(World(9, 100, law), studies // 4, drop=0.15, places=1)
        title = f"gate: -.15 in one of nine caught, {law.share:.0%} change"
        found.append(Row(title, states[GateState.FAIL], promised))
    caught = shared_drops_caught(studies)
    found.append(Row("gate: -.04 shared by nine caught, deviation .3", caught, ".84-.90"))
    return found


def _changing_rows(studies: int) -> list[Row]:
    found = []
    for left_out, is_uneven in ((0.0, False), (0.1, False), (0.4, False), (0.4, True)):
        how = f"{left_out:.0%} left out" + (", unevenly" if is_uneven else "")
        for law in (FEW, SIBLING, FAMILY):
            for count, queries in ((1, 60), (3, 30), (9, 24)):
                world = World(count, queries, law)
                states = changed_tree_states(
                    world, studies, left_out=left_out, is_uneven=is_uneven
                )
                title = f"gate, {how}: false fail, {law.share:.0%} change, {count} x {queries}"
                found.append(Row(title, states[GateState.FAIL], ".022-.070"))
        for law, drop in ((FEW, 0.05), (SIBLING, 0.05), (SIBLING, 0.1)):
            for count, queries in ((1, 60), (9, 24)):
                world = World(count, queries, law)
                states = changed_tree_states(
                    world, studies // 2, left_out=left_out, is_uneven=is_uneven, drop=drop
                )
                title = f"gate, {how}: -{drop} caught, {law.share:.0%} change, {count} x {queries}"
                found.append(Row(title, states[GateState.FAIL], "falls with the queries"))
    return found


def _tuning_rows(studies: int) -> list[Row]:
    found = []
    for count, queries, said in ((3, 20, "+.04"), (9, 50, "+.005")):
        world = Weights(count, queries)
        in_sample, here, new = optimism(world, studies)
        where = f"{count} x {queries}, best of 300"
        found.append(Row(f"tuning: in-sample too high by, {where}", in_sample, said))
        found.append(Row(f"tuning: five folds off by, {where}", here, "about 0"))
        found.append(Row(f"tuning: leave one out off by, {where}", new, "-.012 to +.003"))
    return found


def _halving_rows(studies: int) -> list[Row]:
    found = []
    for trials in (72, 300):
        effects = -np.random.default_rng(0).gamma(2.0, 0.05, trials)
        worse, saved = halving(World(9, 40), effects, studies)
        found.append(Row(f"halving: pick worse by .01, {trials} trials", worse, "<= .004"))
        found.append(
            Row(f"halving: share saved, {trials} trials", saved, ".26-.49, more for more")
        )
    return found


def main() -> None:
    """Print the table, one part after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=2_000)
    parser.add_argument("--only", default="", help="a part of the name of the rows to make")
    asked = parser.parse_args()
    print(f"{asked.studies} studies a row (fewer for slow rows), {DRAWS} draws a study")
    for part, make in rows(asked.studies):
        if asked.only in part:
            started = time.perf_counter()
            for row in make():
                print(f"{row.name:<75} {row.rate:7.4f}   {row.promised}", flush=True)
            print(f"-- {part}: {time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
