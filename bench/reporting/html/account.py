"""What the numbers stand on: coverage, failures, and how everything was measured."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bench.advice import plural
from bench.reporting.html.comparison import Part
from bench.reporting.html.elements import Child, Markup, element, section
from bench.reporting.html.tables import Cell, Heading, number, table
from bench.reporting.study_view import StudyView, TrialView

_CAUSES, _LONGEST = 5, 500

_COVERAGE = (
    ("chunks", "chunks", ",.0f", "chunks that were searched, over all repositories"),
    ("ceiling", "avg_recall_ceiling", ".1%", "recall that the best ranking of these chunks has"),
    ("judged", "judged_queries", "d", "queries that count"),
    ("negative", "negative_queries", "d", "queries for which nothing is right; in no mean"),
    ("failed", "failed_queries", "d", "queries without a result"),
    ("no hits", "empty_result_rate", ".1%", "share of queries that returned nothing"),
    ("unseen", "unseen_token_share", ".1%", "share of the text that the model never saw"),
    (
        "duplicates",
        "avg_duplicates_at_10",
        ".2f",
        "hits per query that repeat what was found",
    ),
)


def coverage_section(view: StudyView) -> Part | None:
    """Return what was judged, what was cut off, and which rankings ended before their budget."""
    if not view.listed:
        return None
    columns = [*_COVERAGE, *(_ended(budget) for budget in view.budgets)]
    known = [
        column for column in columns if any(_value(t, column[1]) is not None for t in view.listed)
    ]
    intro = (
        "Early: the share of rankings with less text than the budget; recall there is a floor. "
        "Unseen: text beyond the window of the embedding model."
    )
    title = "Coverage and truncation"
    content = section(
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
        "how often the best score of an answerable query is above theirs: 1 is perfect, 0.5 none",
    ),
    (
        "passing at 95 %",
        "negative_false_positives_at_95",
        ".1%",
        "share that a threshold lets through which keeps 95 % of the answerable queries",
    ),
)


def negatives_section(view: StudyView) -> Part | None:
    """Return what the trials do with queries that nothing answers."""
    known = [c for c in _NEGATIVES if any(_value(t, c[1]) is not None for t in view.listed)]
    if not known:
        return None
    title = "Queries that nothing answers"
    count = view.listed[0].report["summary"].get("negative_queries")
    intro = f"{count} queries have no right answer; they are in none of the means above."
    content = section(
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


def _value(trial: TrialView, column: str) -> float | None:
    found = trial.number(column)
    if found is None:
        found = (trial.report.get("chunks") or {}).get(column)
    return int(found) if found is not None and column.endswith("_queries") else found


def failures_section(view: StudyView) -> Part | None:
    """Return what failed, with its causes: trials, queries, and latencies."""
    failed = [trial for trial in view.trials if trial.failed]
    broken = [(trial, causes) for trial in view.listed if (causes := _query_causes(trial))]
    unmeasured = [t for t in view.trials if not t.failed and "failed" in _latency(t)]
    if not failed and not unmeasured and not broken:
        return None
    title = "What failed"
    trials = f"{len(failed)} of {len(view.trials)} trials have no result. " if failed else ""
    said = f"{trials}A failure is never a zero: what failed is in no mean."
    items = [element("li", element("b", t.name), _causes(t)) for t in failed]
    items += [element("li", element("b", t.name), _failed_queries(of)) for t, of in broken]
    items += [
        element("li", element("b", t.name), f": no latency ({_latency(t)['failed']})")
        for t in unmeasured
    ]
    content = section(
        "failures", title, element("p", said), element("ul", items, class_="failures")
    )
    return "failures", title, content


def _query_causes(trial: TrialView) -> Counter[str]:
    return Counter(str(query["error"]) for query in trial.queries if query.get("error"))


def _failed_queries(causes: Counter[str]) -> Markup:
    """Return how many queries failed, and the causes of most."""
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


def _latency(trial: TrialView) -> Mapping[str, Any]:
    return trial.report.get("latency") or {}


def _causes(trial: TrialView) -> Markup:
    causes = [
        element("li", f"{one['stage']} {one['subject']}: {one['cause']}")
        for one in trial.report.get("failures") or ()
    ]
    return element("ul", causes)


def account_section(view: StudyView) -> Part:
    """Return how everything was measured, so that somebody else can do it again."""
    facts = [(name, value) for name, value in _facts(view) if value not in (None, "", [])]
    listed = [[element("dt", name), element("dd", value)] for name, value in facts]
    title = "How it was measured"
    notes = [element("li", note) for note in view.results.get("notes") or ()]
    content = section(
        "account",
        title,
        element("dl", listed),
        [element("h3", "Notes"), element("ul", notes)] if notes else None,
        element("h3", "Files beside this one"),
        element(
            "ul", [element("li", element("code", name), f": {said}") for name, said in _FILES]
        ),
    )
    return "account", title, content


_FILES = (
    ("results.json", "everything, for programs"),
    ("queries.parquet", "a row per trial and query"),
    ("rankings.parquet", "a row per trial, query and hit that was shown, with its credit"),
    ("runs/", "the same rankings in the TREC form, a file per trial"),
    ("report.md, FINDINGS.md", "the short forms"),
    ("chosen.yaml", "what to ship, as the next run takes it: study=FOLDER/chosen.yaml"),
    ("weights.parquet", "where weights were chosen: every weighting and its score"),
    ("stages.json", "what ran, where, and at what cost"),
)


def _facts(view: StudyView) -> list[tuple[str, Child]]:
    results = view.results
    return [
        ("Command", element("code", results.get("command") or "")),
        ("Study", results.get("study")),
        ("Started", results.get("timestamp")),
        ("Took", _seconds(results.get("seconds"))),
        ("Commit", results.get("git_sha")),
        ("Queries", view.half),
        ("Asked for", _asked_for(view)),
        ("Seed", str((results.get("settings") or {}).get("seed", ""))),
        ("Versions", _pairs(results.get("versions") or {})),
        ("Measures", results.get("measure_version") and f"version {results['measure_version']}"),
        ("Repositories", [_repository(one) for one in results.get("corpus") or ()]),
        ("Latency", _latency_said(view)),
        (
            "Machine",
            ", ".join(
                sorted(
                    {str(_latency(t)["machine"]) for t in view.listed if "machine" in _latency(t)}
                )
            ),
        ),
        ("Work", _work(results.get("plan") or {})),
        ("Models", ", ".join(sorted(_models(view)))),
    ]


def _asked_for(view: StudyView) -> str:
    """Return the objective and the limits of the recommendation."""
    settings = (view.results.get("settings") or {}).get("advice") or {}
    limits = [f"{name}={value}" for name, value in settings.items() if name.startswith("max_")]
    given = [limit for limit in limits if not limit.endswith("=None")]
    margin = f", margin {settings['margin']:g}" if "margin" in settings else ""
    return f"{view.quality} to be high{margin}{'; ' if given else ''}{', '.join(given)}"


def _seconds(value: float | None) -> str | None:
    return None if value is None else f"{value:,.1f} s"


def _pairs(found: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in found.items())


def _repository(one: Mapping[str, Any]) -> Markup:
    identity = (
        f" {one.get('count')} queries, {one.get('queries')}; documents {one.get('documents')}"
    )
    return element("div", str(one.get("repository") or ""), element("small", identity))


def _latency_said(view: StudyView) -> str:
    hows = [how for trial in view.listed if "samples" in (how := _latency(trial))]
    if not hows:
        return "not measured"
    engines = sorted({str(how.get("engine")) for how in hows} - {"none"})
    counts = sorted({int(how["samples"]) for how in hows})
    samples = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    found = [how["engine_recall_at_10"] for how in hows if "engine_recall_at_10" in how]
    engine = f", engine {', '.join(engines)}" if engines else ""
    recall = f", which finds {min(found):.1%} of the 10 nearest or more" if found else ""
    return (
        f"one query at a time, end to end without caches, {samples} samples a trial, "
        f"{hows[0].get('threads')} thread{engine}{recall}"
    )


def _work(plan: Mapping[str, Any]) -> str | None:
    if "distinct" not in plan:
        return None
    return (
        f"one plan of {plan['distinct']} stages: {plan['executed']} executed, {plan['reused']} "
        f"reused, {plan['failed']} failed; separate trials would have been {plan['separate']} "
        f"stages and {plan['separate_seconds']:,.0f} s of work instead of {plan['seconds']:,.0f} s"
    )


def _models(view: StudyView) -> set[str]:
    keys = ("embedding_model", "reranker_model")
    found = {trial.report["config"].get(key) for trial in view.listed for key in keys}
    return {str(name) for name in found if name}
