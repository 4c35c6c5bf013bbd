"""Coverage, failures and the method of measurement."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from bench.advice import plural
from bench.report.html.comparison import Part
from bench.report.html.elements import Child, Markup, collapsed, element
from bench.report.html.tables import Cell, Heading, number, table
from bench.report.study_view import StudyView
from bench.results import PlanSummary, RepositoryIdentity, TrialResult

_CAUSES, _LONGEST = 5, 500

_COVERAGE = (
    ("chunks", "chunks", ",.0f", "chunks that were searched, over all repositories"),
    (
        "ceiling",
        "avg_recall_ceiling",
        ".1%",
        "recall of the best possible ranking of these chunks",
    ),
    ("judged", "judged_queries", "d", "queries that count"),
    ("negative", "negative_queries", "d", "queries without an answer; excluded from the means"),
    ("failed", "failed_queries", "d", "queries without a result"),
    ("no hits", "empty_result_rate", ".1%", "share of queries that returned nothing"),
    ("unseen", "unseen_token_share", ".1%", "share of the text that the model never saw"),
    (
        "duplicates",
        "avg_duplicates_at_10",
        ".2f",
        "hits per query that repeat an earlier one",
    ),
)


def coverage_section(view: StudyView) -> Part | None:
    """Return counts of judged queries, truncated text and rankings that ended early."""
    if not view.listed:
        return None
    columns = [*_COVERAGE, *(_ended(budget) for budget in view.budgets)]
    known = [
        column for column in columns if any(_value(t, column[1]) is not None for t in view.listed)
    ]
    intro = (
        "Early: the share of rankings with less text than the budget; their recall there is a "
        "lower bound. Unseen: text beyond the window of the embedding model."
    )
    title = "Coverage and truncation"
    content = collapsed(
        "coverage", title, element("p", intro, class_="facts"), _columns(title, view, known)
    )
    return "coverage", title, content


_NEGATIVES = (
    ("refused", "negative_refusal_rate", ".1%", "share for which nothing was returned"),
    ("returned", "negative_returned", ".1f", "hits returned on average"),
    (
        "separation",
        "negative_auroc",
        ".3f",
        "chance that an answerable query has a higher best score: 1 is perfect, 0.5 is random",
    ),
    (
        "passing at 95 %",
        "negative_false_positives_at_95",
        ".1%",
        "share above the threshold that keeps 95 % of the answerable queries",
    ),
)


def negatives_section(view: StudyView) -> Part | None:
    """Return refusals and hits of each trial for queries without an answer."""
    known = [c for c in _NEGATIVES if any(_value(t, c[1]) is not None for t in view.listed)]
    if not known:
        return None
    title = "Queries without an answer"
    count = view.listed[0].summary.get("negative_queries")
    have = plural(count, "query has", "queries have")
    intro = f"{have} no right answer. The means above exclude them."
    content = collapsed(
        "negatives", title, element("p", intro, class_="facts"), _columns(title, view, known)
    )
    return "negatives", title, content


def _columns(title: str, view: StudyView, known: Sequence[tuple[str, str, str, str]]) -> Markup:
    headings = [Heading("#"), Heading("trial", text=True)]
    headings += [Heading(name, meaning) for name, _, _, meaning in known]
    rows = [
        [
            Cell(str(place), place),
            Cell(trial.name, trial.name),
            *(number(_value(trial, column), form) for _, column, form, _ in known),
        ]
        for place, trial in enumerate(view.listed, 1)
    ]
    return table(title, headings, rows)


def _ended(budget: int) -> tuple[str, str, str, str]:
    meaning = f"share of rankings with less than {budget:,} tokens of text"
    return f"early at {budget:,}", f"ended_early_at_{budget}_tokens", ".1%", meaning


def _value(trial: TrialResult, column: str) -> float | None:
    found = trial.summary.get(column)
    if found is None:
        found = trial.chunks.get(column)
    return int(found) if found is not None and column.endswith("_queries") else found


def failures_section(view: StudyView) -> Part | None:
    """Return failed trials, queries and latency measurements with their causes."""
    failed = [trial for trial in view.trials if trial.failed]
    broken = [(trial, causes) for trial in view.listed if (causes := _query_causes(trial))]
    unmeasured = [t for t in view.trials if not t.failed and t.latency.failed]
    if not failed and not unmeasured and not broken:
        return None
    title = "What failed"
    trials = f"{len(failed)} of {len(view.trials)} trials have no result. " if failed else ""
    said = f"{trials}A failure never counts as a zero: the means exclude it."
    items = [element("li", element("b", t.name), _causes(t)) for t in failed]
    items += [element("li", element("b", t.name), _failed_queries(of)) for t, of in broken]
    items += [
        element("li", element("b", t.name), f": no latency ({t.latency.failed})")
        for t in unmeasured
    ]
    content = collapsed(
        "failures", title, element("p", said), element("ul", items, class_="failures")
    )
    return "failures", title, content


def _query_causes(trial: TrialResult) -> Counter[str]:
    return Counter(query.error for query in trial.queries if query.error)


def _failed_queries(causes: Counter[str]) -> Markup:
    """Return the number of failed queries and their most frequent causes."""
    shown = [
        element("li", f"{plural(count, 'query', 'queries')}: {cause[:_LONGEST]}")
        for cause, count in causes.most_common(_CAUSES)
    ]
    left = len(causes) - _CAUSES
    more = (
        element("li", f"and {plural(left, 'other cause', 'other causes')}") if left > 0 else None
    )
    count = plural(causes.total(), "query", "queries")
    said = f": {count} failed; they are listed below under Show: failed under A or B"
    return element("span", said, element("ul", shown, more))


def _causes(trial: TrialResult) -> Markup:
    causes = [element("li", f"{one.stage} {one.subject}: {one.cause}") for one in trial.failures]
    return element("ul", causes)


def method_section(view: StudyView) -> Part:
    """Return settings, versions and files that are needed to repeat the measurement."""
    facts = [(name, value) for name, value in _facts(view) if value not in (None, "", [])]
    listed = [[element("dt", name), element("dd", value)] for name, value in facts]
    title = "How it was measured"
    notes = [element("li", note) for note in view.study.notes]
    content = collapsed(
        "method",
        title,
        element("dl", listed),
        [element("h3", "Notes"), element("ul", notes)] if notes else None,
        element("h3", "Files beside this one"),
        element(
            "ul", [element("li", element("code", name), f": {said}") for name, said in _FILES]
        ),
    )
    return "method", title, content


_FILES = (
    ("results.json", "everything, for programs"),
    ("queries.parquet", "a row per trial and query"),
    ("rankings.parquet", "a row per trial, query and hit that was shown, with its credit"),
    ("runs/", "the same rankings in the TREC form, a file per trial"),
    ("report.md, FINDINGS.md", "shorter reports"),
    ("chosen.yaml", "the configuration to ship; run it with study=FOLDER/chosen.yaml"),
    ("weights.parquet", "every combination of weights and its score, if weights were chosen"),
    ("stages.json", "every stage that ran, where it ran, and its cost"),
)


def _facts(view: StudyView) -> list[tuple[str, Child]]:
    study = view.study
    machines = {trial.latency.machine for trial in view.listed if trial.latency.machine}
    version = study.measure_version
    return [
        ("Command", element("code", study.command)),
        ("Study", study.id),
        ("Started", study.timestamp),
        ("Took", f"{study.seconds:,.1f} s"),
        ("Commit", study.git_sha),
        ("Queries", view.choice),
        ("Asked for", _asked_for(view)),
        ("Seed", str(study.settings.seed)),
        ("Versions", ", ".join(f"{name} {number}" for name, number in study.versions.items())),
        ("Measures", None if version is None else f"version {version}"),
        ("Repositories", [_repository(one) for one in study.corpus]),
        ("Latency", _latency_method(view)),
        ("Machine", ", ".join(sorted(machines))),
        ("Work", _work(study.plan)),
        ("Models", ", ".join(sorted(_models(view)))),
    ]


def _asked_for(view: StudyView) -> str:
    """Return the objective and the limits of the recommendation."""
    settings = view.study.settings.advice
    limits = {n: value for n, value in asdict(settings).items() if n.startswith("max_")}
    given = [f"{name}={value}" for name, value in limits.items() if value is not None]
    return (
        f"the highest {view.quality}, margin {settings.margin:g}"
        f"{'; ' if given else ''}{', '.join(given)}"
    )


def _repository(one: RepositoryIdentity) -> Markup:
    identity = f" {one.count} queries, {one.queries}; documents {one.documents}"
    return element("div", one.repository, element("small", identity))


def _latency_method(view: StudyView) -> str:
    hows = [trial.latency for trial in view.listed if trial.latency.samples is not None]
    if not hows:
        return "not measured"
    engines = sorted({str(how.engine) for how in hows} - {"none"})
    counts = sorted({how.samples or 0 for how in hows})
    samples = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    shares = [how.engine_recall_at_10 for how in hows if how.engine_recall_at_10 is not None]
    engine = f", engine {', '.join(engines)}" if engines else ""
    recall = f", which finds {min(shares):.1%} of the 10 nearest or more" if shares else ""
    return (
        f"one query at a time, end to end without caches, {samples} samples a trial, "
        f"{hows[0].threads} thread{engine}{recall}"
    )


def _work(plan: PlanSummary) -> str:
    return (
        f"one plan of {plan.distinct} stages: {plan.executed} executed, {plan.reused} "
        f"reused, {plan.failed} failed; separate trials would have been {plan.separate} "
        f"stages and {plan.separate_seconds:,.0f} s of work instead of {plan.seconds:,.0f} s"
    )


def _models(view: StudyView) -> set[str]:
    models = ((trial.embedding_model, trial.reranker_model) for trial in view.listed)
    return {name for names in models for name in names if name}
