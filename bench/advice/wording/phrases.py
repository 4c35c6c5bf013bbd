"""Labels of columns, numbers in words and other parts of sentences."""

import re
from collections.abc import Callable, Sequence

from bench.analysis import (
    ENOUGH_QUERIES,
    Caveat,
    FewQueries,
    FewRepositories,
    LoneQueries,
    NoChange,
    NoSpread,
    SignCount,
    TooFewRepositories,
    TunedScore,
)
from bench.measures import OF_ANSWERS
from bench.measures.ratings import RATINGS, rating
from bench.results import BudgetAdvice

_COSTS = {
    "latency_p50_ms": "median latency in ms",
    "latency_p95_ms": "p95 latency in ms",
    "index_seconds": "seconds to index",
    "peak_memory_bytes": "bytes of memory",
    "avg_shown_tokens_at_10": "tokens of text in 10 hits",
}
_ABBREVIATIONS = {"mrr": "MRR", "map": "MAP", "ndcg": "NDCG", "f1": "F1"}
_VECTORS = {
    "max": "one vector for each window of a chunk; the best counts",
    "mean": "one vector per chunk, the mean of its windows",
    "truncate": "one vector per chunk, its beginning only",
}
_CUT_OFF = re.compile(r"(?P<name>\w+?)_at_(?P<limit>\d+)(?P<tokens>_tokens)?")
_SMALLEST_P = 0.001
_SMALLEST_BOUND = 0.001
_LISTED = 6
_WHOLE = 100
_TENTH = 0.1
"""From this value on, numbers are shown without decimals."""


def measure_label(column: str) -> str:
    """Return the readable name of a measure's column: NDCG@10, recall at 4,000 tokens."""
    found = _CUT_OFF.fullmatch(column)
    if found is None:
        return _ABBREVIATIONS.get(column, column.replace("_", " "))
    name = _ABBREVIATIONS.get(found["name"], found["name"].replace("_", " "))
    if found["tokens"]:
        return f"{name} at {int(found['limit']):,} tokens"
    return f"{name}@{found['limit']}"


def score_text(column: str, value: float) -> str:
    """Return a score with the name of its measure: coverage 0.681 in 4,000 tokens."""
    found = _CUT_OFF.fullmatch(column)
    if found is None or not found["tokens"]:
        return f"{measure_label(column)} {value:.3f}"
    return f"{found['name']} {value:.3f} in {int(found['limit']):,} tokens"


def amount_text(choice: BudgetAdvice) -> str:
    """Return an amount of text in words."""
    return "ten hits" if choice.tokens is None else f"{choice.tokens:,} tokens"


def short_number(value: float) -> str:
    """Return a number with three digits, or without decimals from 100 on."""
    return f"{value:,.0f}" if value >= _WHOLE else f"{value:.3g}"


def seconds_text(seconds: float) -> str:
    """Return a time of one measurement, which is not exact to more than tenths of a second."""
    if seconds < _TENTH:
        return "less than 0.1 s"
    return f"{seconds:.1f} s" if seconds < _WHOLE else f"{seconds:,.0f} s"


def level_phrase(column: str, level: str) -> str:
    """Return the level of the judgements for a measure; measures of answers have no level."""
    return "" if column in OF_ANSWERS else f" at {level} level"


def cost_label(column: str) -> str:
    """Return the readable name of a cost's column."""
    return _COSTS[column]


def percent(share: float) -> str:
    """Return a share in per cent."""
    return f"{100 * share:.3g} %"


def listed(names: Sequence[str]) -> str:
    """Return the first six names, and the number of the others."""
    more = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {more} more" if more > 0 else "")


def capitalised(sentence: str) -> str:
    """Return a sentence with its first letter in upper case."""
    return sentence[:1].upper() + sentence[1:]


def p_text(area: float) -> str:
    """Return a p value, or "p < 0.001" for smaller ones."""
    return f"p = {area:.3f}" if area >= _SMALLEST_P else f"p < {_SMALLEST_P}"


def bound_text(bound: float) -> str:
    """Return an upper bound, at least 0.001: a bound from a sample is never zero."""
    return f"{max(bound, _SMALLEST_BOUND):.3f}"


def confidence_text(confidence: float, rivals: int) -> str:
    """Return the confidence of a statement about all rivals together."""
    across = f" across all {rivals}" if rivals > 1 else ""
    return f"{percent(confidence)} confidence{across}"


def sign_count_text(signs: SignCount) -> str:
    """Return the number of repositories in which a trial is better."""
    total = signs.better + signs.level + signs.worse
    level = f", level in {signs.level}" if signs.level else ""
    return f"better in {signs.better} of {total}{level}"


def tuned_score_text(tuned: TunedScore) -> str:
    """Return the score of a choice on the queries that chose it, and on new ones."""
    new = tuned.expected_elsewhere
    elsewhere = "not known from one repository" if new is None else f"{new:.2f}"
    return (
        f"in-sample {tuned.in_sample:.2f}, expected here {tuned.expected_here:.2f},"
        f" expected on a new repository {elsewhere}"
    )


def caveat_text(caveat: Caveat) -> str:
    """Return a caveat in words."""
    match caveat:
        case LoneQueries(names):
            return _lone_queries(names)
        case FewQueries(repositories):
            return _few_queries(repositories)
        case TooFewRepositories(names):
            return _too_few_repositories(names)
        case FewRepositories():
            return "Too few repositories to generalise unless the difference is large."
        case NoChange(units):
            share = 100 * caveat.most
            return f"no query changed; at most {share:.1f} % would (3/{units}, 95 %)"
        case NoSpread(units, value):
            return f"all {units} differences are {value:+.3f}: no spread for an interval"


def _lone_queries(names: Sequence[str]) -> str:
    has = "has a single query" if len(names) == 1 else "have a single query each"
    return (
        f"{', '.join(names)} {has}, whose error cannot be estimated;"
        f" add queries ({ENOUGH_QUERIES} or more) or leave the repository out"
    )


def _few_queries(repositories: Sequence[tuple[str, int]]) -> str:
    few = ", ".join(f"{name} ({count})" for name, count in repositories)
    one = len(repositories) == 1
    rough = "its error is a rough guess" if one else "their errors are rough guesses"
    return f"Fewer than {ENOUGH_QUERIES} queries: {few}; {rough}."


def _too_few_repositories(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"Only one repository was measured: this holds on {names[0]} only."
    return (
        f"Two repositories ({', '.join(names)}) are too few for an interval on repositories like"
        " these; look at both differences, or add repositories."
    )


def vectors_text(windows: str, long_text: str) -> str:
    """Return a description of the vectors of chunks, for users of vector stores."""
    if windows == "small_to_big":
        return "one vector for each window of a file; the chunks around the best are returned"
    return _VECTORS[long_text]


def rules_of_thumb(mean: Callable[[str], float | None]) -> str:
    """Return the rating of each mean that has one, or ""."""
    values = [(column, mean(column)) for column in RATINGS]
    rated = [
        f"{measure_label(column)} {value:.2f} {rating(column, value)}"
        for column, value in values
        if value is not None
    ]
    return f"By rule of thumb (docs/measures.md): {', '.join(rated)}." if rated else ""


_LANGUAGES = {
    "cmake": "CMake",
    "cpp": "C++",
    "csharp": "C#",
    "fsharp": "F#",
    "graphql": "GraphQL",
    "javascript": "JavaScript",
    "objectivec": "Objective-C",
    "ocaml": "OCaml",
    "php": "PHP",
    "powershell": "PowerShell",
    "sql": "SQL",
    "tsx": "TSX",
    "typescript": "TypeScript",
    "visualbasic": "Visual Basic",
}


def language_label(name: str) -> str:
    """Return the name of a language, or the ending of its file names."""
    return f"`{name}` files" if name.startswith(".") else _LANGUAGES.get(name, name.capitalize())
