"""Measure how far generated queries can be trusted: do they order configurations as people's do?

    python scripts/measure_generated.py make FOLDER python polyglot languages docs
    rankgrid bench -m suite=file suite.path=FOLDER/people.yaml measure_level=symbol \\
        retriever=bm25,lexical,fields,graph chunk=512,2048 latency=off prior=off \\
        question_copies=allow output=FOLDER/people
    the same with suite.path=FOLDER/generated.yaml missing=drop output=FOLDER/generated
    python scripts/measure_generated.py compare FOLDER/people/latest FOLDER/generated/latest

`make` writes queries of every source for each repository of these suites, and two suites: of the
queries that people wrote and verified, and of the generated ones. `make --widened` writes what
`rankgrid try` asks where there are few fair questions, with those by wider rules, and no other
repository; all of them count as the usual source. `compare` prints rows of a
Markdown table, one for each source, the mix, the ceiling (half of a repository's own queries
against the other half) and the floor (the configuration that is best on the other repositories;
for all, and for those with a row of the usual sources):
Kendall's tau between the two orders of configurations, and the regret of choosing by the generated
queries, judged by people's, with 95 % intervals over repositories. The same for each kind of
question that people asked, and for the sources that are best on one half of the repositories,
judged on the other half. Then the regret of what
rankgrid advises from the usual sources together with people's queries about the other
repositories, and that of the floor: where these know every configuration, and for each retriever
of `--unknown` where they know none of its configurations (slow: minutes of CPU a repository).
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import yaml

from bench.advice import advise
from bench.advice.prior import prior_of
from bench.analysis.student import t_quantile
from bench.authoring.generated import FEW, SOURCES, Generating, generate
from bench.authoring.opening import read_tree
from bench.files import data_folder
from bench.queries import Entry, write_queries
from bench.results import GeneratedQuestions, StudyResult, read_results
from bench.results.prior_table import MEASURES as TABLED
from bench.results.prior_table import PriorTable, table_of
from bench.settings.study import AdviceSettings
from bench.settings.suite import SuiteSettings, parse_suite
from retrievers.interface import Documents

MEASURES = ("ndcg_at_10", "recall_at_4000_tokens", "coverage_at_4000_tokens")
FEWEST = 10
"""Queries of a source that a repository must have to be a row of it."""
FEWEST_OF_KIND = 3
"""Queries of a kind that a repository must have to be judged by them."""
MIXES: Mapping[str, Sequence[str]] = {
    "the usual sources": Generating().sources,
    "documentation, tests and guides": ("documentation", "tests", "guides"),
    "the usual sources and messages": (*Generating().sources, "messages"),
}
SPLITS = 40
Table = Mapping[str, Sequence[tuple[str, np.ndarray]]]
"""The kind and the scores of every query under each configuration, by repository."""


def main() -> None:
    """Make the suites, or compare their results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    actions = parser.add_subparsers(required=True, dest="action")
    make = actions.add_parser("make")
    make.add_argument("folder", type=Path)
    make.add_argument("suites", nargs="+")
    make.add_argument("--count", type=int, default=120)
    make.add_argument("--widened", action="store_true", help="only where wider rules are used")
    compare = actions.add_parser("compare")
    compare.add_argument("people", type=Path)
    compare.add_argument("generated", type=Path)
    compare.add_argument("--measures", nargs="+", default=MEASURES)
    compare.add_argument("--unknown", nargs="*", default=(), help="retrievers to be unknown")
    compare.add_argument("--only", nargs="*", default=(), help="repositories of the first table")
    given = parser.parse_args()
    if given.action == "make":
        _make(given.folder, given.suites, given.count, widened=given.widened)
        return
    trust = {}
    people, generated = _same_trials(read_results(given.people), read_results(given.generated))
    for measure in given.measures:
        row = _compared(people, generated, measure, given)
        if row:
            trust[measure] = row
    print("\nMEASURED in bench/advice/generated_trust.py, or WIDENED after `make --widened`:\n")
    for measure, row in trust.items():
        print(f'        "{measure}": {row},')


def _compared(
    people: StudyResult, generated: StudyResult, measure: str, given: argparse.Namespace
) -> str:
    """Print all tables of a measure, and return its row of the stored figures if it has one."""
    tables = _table(people, measure), _table(generated, measure)
    _compare(*tables, measure, given.only)
    if given.only:
        return ""
    _by_kind(*tables)
    _by_half(*tables)
    if measure not in TABLED:
        return ""
    floors, advised = _advised(people, generated, measure, given.unknown)
    alone = np.mean(list(_regrets(*tables, Generating().sources).values()))
    return f"Trust({len(floors)}, {advised.mean():.3f}, {alone:.3f}, {floors.mean():.3f})"


def _same_trials(one: StudyResult, other: StudyResult) -> tuple[StudyResult, StudyResult]:
    """Return two studies with the trials that both have."""
    names = {trial.name for trial in one.trials} & {trial.name for trial in other.trials}
    kept = [tuple(each for each in study.trials if each.name in names) for study in (one, other)]
    return replace(one, trials=kept[0]), replace(other, trials=kept[1])


def _make(folder: Path, names: Sequence[str], count: int, *, widened: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    people: list[dict[str, object]] = []
    generated: list[dict[str, object]] = []
    for name in names:
        content = yaml.safe_load((data_folder("conf") / "suite" / f"{name}.yaml").read_text())
        suite = _suite(content)
        for entry, one in zip(content["repositories"], suite.repositories, strict=True):
            documents = read_tree(one.source, one.queries, one.files)  # type: ignore[arg-type]
            if widened:
                entries, counts = _widened(documents, count)
            else:
                entries, counts = _of_every_source(documents, count)
            file = folder / f"{one.name}.yaml"
            file.write_text(write_queries(entries))
            print(f"{one.name}: {counts}", flush=True)
            people.append({**entry, "queries": str(one.queries)})
            if entries:
                generated.append({**entry, "queries": str(file.resolve())})
    for name, repositories in (("people", people), ("generated", generated)):
        suite = {"name": name, "repositories": repositories}
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(suite, sort_keys=False))


def _of_every_source(documents: Documents, count: int) -> tuple[list[Entry], str]:
    parts = [generate(documents, Generating(count, (source,))) for source in SOURCES]
    counts = ", ".join(f"{len(part.entries)}" for part in parts)
    entries = [entry for part in parts for entry in part.entries]
    return entries, f"{counts} ({', '.join(SOURCES)})"


def _widened(documents: Documents, count: int) -> tuple[list[Entry], str]:
    made = generate(documents, Generating(count, widen_below=FEW))
    (usual,) = Generating().sources
    entries = [replace(one, query=replace(one.query, category=usual)) for one in made.entries]
    counts = f"{len(entries)}, {made.wider} by wider rules"
    return (entries if made.wider else []), counts


def _suite(content: Mapping[str, object]) -> SuiteSettings:
    return parse_suite({"suite": content})


def _table(result: StudyResult, measure: str) -> Table:
    found: dict[str, dict[str, tuple[str, list[float]]]] = {}
    for trial in result.trials:
        for query in trial.queries:
            value = query.known.get(measure)
            if value is None:
                continue
            held = found.setdefault(query.repository, {})
            held.setdefault(query.id, (query.category, []))[1].append(value)
    count = len(result.trials)
    return {
        repository: [
            (category, np.array(values))
            for category, values in queries.values()
            if len(values) == count
        ]
        for repository, queries in found.items()
    }


def _compare(people: Table, generated: Table, measure: str, only: Sequence[str]) -> None:
    print(f"\n{measure}\n\n| chosen by | repositories | tau | regret |\n| --- | --- | --- | --- |")
    means = {name: _mean(rows) for name, rows in people.items()}
    shown = [name for name in means if not only or name in only]
    for label, sources in (*((one, (one,)) for one in SOURCES), *MIXES.items()):
        kept = _scores(generated, sources)
        _row(label, [(means[name], kept[name]) for name in shown if name in kept])
    usual = _scores(generated, Generating().sources)
    floors = {name: (means[name], _others(means, name)) for name in shown}
    _row(
        "the other repositories, of the usual sources' rows",
        [floors[n] for n in shown if n in usual],
    )
    _row("the other repositories", list(floors.values()))
    random = np.random.default_rng(0)
    _row("half of people's own", [(_halves(people[name], random), None) for name in shown])


def _by_kind(people: Table, generated: Table) -> None:
    """Print a row for each kind of question that people asked about enough repositories.

    The floor is that of the repositories with a row of the usual sources.
    """
    usual = _scores(generated, Generating().sources)
    print("\n| kind, chosen by | repositories | tau | regret |\n| --- | --- | --- | --- |")
    for kind in sorted({kind for rows in people.values() for kind, _ in rows}):
        own = {name: [row for row in rows if row[0] == kind] for name, rows in people.items()}
        means = {name: _mean(rows) for name, rows in own.items() if len(rows) >= FEWEST_OF_KIND}
        if len(means) < FEWEST:
            continue
        for label, sources in (*MIXES.items(), ("messages", ("messages",))):
            scores = _scores(generated, sources)
            _row(f"{kind}, {label}", [(means[one], scores[one]) for one in means if one in scores])
        floors = [(means[one], _others(means, one)) for one in means if one in usual]
        _row(f"{kind}, the other repositories", floors)


def _by_half(people: Table, generated: Table) -> None:
    """Print how the sources that are best on one half of the repositories do on the other."""
    print("\n| sources best on one half | repositories of the other | regret | floor |")
    print("| --- | --- | --- | --- |")
    means = {name: _mean(rows) for name, rows in people.items()}
    regrets = {label: _regrets(people, generated, sources) for label, sources in MIXES.items()}
    order = sorted(means, key=lambda name: sha256(name.encode()).digest())
    for tune, report in ((order[::2], order[1::2]), (order[1::2], order[::2])):
        known = {
            label: np.mean([found[one] for one in tune if one in found])
            for label, found in regrets.items()
        }
        best = min(known, key=known.__getitem__)
        kept = [one for one in report if one in regrets[best]]
        chosen = np.array([regrets[best][one] for one in kept])
        floor = np.array([_regret(means[one], _others(means, one)) for one in kept])
        print(f"| {best} | {len(kept)} | {_shown(chosen)} | {_shown(floor)} |", flush=True)


def _regrets(people: Table, generated: Table, sources: Sequence[str]) -> dict[str, float]:
    """Return the regret of choosing by these sources alone, by repository."""
    scores = _scores(generated, sources)
    return {name: _regret(_mean(people[name]), scores[name]) for name in scores if name in people}


def _scores(generated: Table, sources: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the mean scores by these sources, of the repositories with enough queries of them."""
    chosen = {name: [row for row in rows if row[0] in sources] for name, rows in generated.items()}
    return {name: _mean(rows) for name, rows in chosen.items() if len(rows) >= FEWEST}


def _others(means: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    return np.mean([values for one, values in means.items() if one != name], axis=0)


def _advised(
    people: StudyResult, generated: StudyResult, measure: str, unknown: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    """Print the regret of the floor and of the advice, without and with unknown retrievers.

    Return both where the other repositories know all of them.
    """
    print("\n| not known elsewhere | repositories | floor | advice | difference | advised |")
    print("| --- | --- | --- | --- | --- | --- |")
    truths = {name: _mean(rows) for name, rows in _table(people, measure).items()}
    names = [trial.name for trial in people.trials]
    settings = replace(generated.settings.advice, objective=measure)
    for hidden in (*unknown, ""):
        known = [trial for trial in people.trials if trial.axes["retriever"] != hidden]
        table = table_of([replace(people, trials=tuple(known))], name="x", version="", by="")
        is_known = np.array([trial in known for trial in people.trials])
        regrets, picks = [], 0
        for name, truth in truths.items():
            own = _usual(generated, name)
            if len(own.trials[0].queries) < FEWEST:  # `try` refuses them
                continue
            chosen = _choice(own, settings, table, has_unknown=bool(hidden))
            floor = truth[np.where(is_known, _others(truths, name), -1).argmax()]
            picks += not is_known[names.index(chosen)]
            regrets.append((truth.max() - floor, truth.max() - truth[names.index(chosen)]))
        floors, advised = np.array(regrets).T
        cells = (_shown(floors), _shown(advised), _shown(advised - floors))
        count = f"{picks} of {len(regrets)}" if hidden else "-"
        print(f"| {hidden or '-'} | {len(regrets)} | {' | '.join(cells)} | {count} |", flush=True)
    return floors, advised


def _choice(
    own: StudyResult, settings: AdviceSettings, table: PriorTable, *, has_unknown: bool
) -> str:
    """Return the advised trial. Tests of own questions decide only about unknown ones."""
    if has_unknown:
        return str(advise(own, settings, seed=0, tables=(table,)).next_run)
    prior, why = prior_of(own, (table,), own.trials)
    if prior is None:
        sys.exit(why)
    found = replace(prior, are_stand_ins=True).choice(settings.measure, None, settings, seed=0)
    return str(found and found.trial)


def _usual(generated: StudyResult, repository: str) -> StudyResult:
    """Return the study of one repository with the queries of the usual sources."""
    trials = tuple(
        replace(
            trial,
            queries=tuple(
                one
                for one in trial.queries
                if one.repository == repository and one.category in Generating().sources
            ),
        )
        for trial in generated.trials
    )
    count = len(trials[0].queries)
    return replace(generated, trials=trials, generated=GeneratedQuestions(count, count))


def _mean(rows: Sequence[tuple[str, np.ndarray]]) -> np.ndarray:
    return np.mean([values for _, values in rows], axis=0)


def _halves(
    rows: Sequence[tuple[str, np.ndarray]], random: np.random.Generator
) -> list[tuple[np.ndarray, np.ndarray]]:
    values = np.array([row for _, row in rows])
    found = []
    for _ in range(SPLITS):
        order = random.permutation(len(values))
        half = len(values) // 2
        found.append((values[order[:half]].mean(axis=0), values[order[half:]].mean(axis=0)))
    return found


def _row(name: str, pairs: Sequence[tuple[object, object]]) -> None:
    if len(pairs) < 2:  # noqa: PLR2004 - one repository has no interval
        print(f"| {name} | {len(pairs)} | - | - |")
        return
    taus, regrets = (_each(pairs, number) for number in (_tau, _regret))
    print(f"| {name} | {len(pairs)} | {_shown(taus)} | {_shown(regrets)} |", flush=True)


def _each(
    pairs: Sequence[tuple[object, object]], number: Callable[[np.ndarray, np.ndarray], float]
) -> np.ndarray:
    found = []
    for truth, scores in pairs:
        several = truth if scores is None else [(truth, scores)]
        found.append(np.mean([number(one, other) for one, other in several]))  # type: ignore[union-attr]
    return np.array(found)


def _tau(truth: np.ndarray, scores: np.ndarray) -> float:
    """Return Kendall's tau-b of two orders."""
    one, other = (np.sign(np.subtract.outer(values, values)) for values in (truth, scores))
    weight = np.sqrt((one**2).sum() * (other**2).sum())
    return float((one * other).sum() / weight) if weight else 0.0


def _regret(truth: np.ndarray, scores: np.ndarray) -> float:
    best = scores >= scores.max() - 1e-12
    return float(truth.max() - truth[best].mean())


def _shown(values: np.ndarray) -> str:
    half = float(t_quantile(0.025, len(values) - 1)) * values.std(ddof=1) / np.sqrt(len(values))
    mean = float(values.mean())
    return f"{mean:.3f} [{mean - abs(half):.3f}, {mean + abs(half):.3f}]"


if __name__ == "__main__":
    main()
