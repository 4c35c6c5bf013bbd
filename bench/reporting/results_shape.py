"""The shape of a results file: what a file from elsewhere must be before anything reads it.

Files are kept, mailed and edited. What reads them may then trust what it finds: a wrong part is
named by its place, in one line, before any work is done. What nothing reads is not looked at.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_MOST = 1e300
_LONGEST = 60


@dataclass(frozen=True)
class Leaf:
    """A plain value."""

    words: str
    fits: Callable[[Any], bool]


@dataclass(frozen=True)
class Each:
    """A list of things of one shape."""

    of: "Shape"
    least: int = 0


@dataclass(frozen=True)
class Named:
    """Things of one shape, by names that are not known."""

    of: "Shape"


@dataclass(frozen=True)
class Parts:
    """Things of different shapes, by their names."""

    needed: Mapping[str, "Shape"]
    may: Mapping[str, "Shape"] = field(default_factory=dict)
    rest: Leaf | None = None
    """What parts of any other name must be."""


@dataclass(frozen=True)
class OrNull:
    """A thing that is known to be absent where there is null."""

    of: "Shape"


Shape = Leaf | Each | Named | Parts | OrNull


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and -_MOST < value < _MOST


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < _MOST


def _is_text(value: Any) -> bool:
    """Tell whether a value can be written and printed: half a character of UTF-16 cannot."""
    return isinstance(value, str) and value.encode(errors="replace").decode() == value


TEXT = Leaf("text", _is_text)
PLAIN = Leaf("a plain value", lambda value: not isinstance(value, dict))
VALUE = Leaf("a number", _is_number)
NUMBER = Leaf("a number or null", lambda value: value is None or _is_number(value))
COUNT = Leaf("a whole number from 0 up", _is_count)
RANK = Leaf("a rank from 1 up or null", lambda v: v is None or (_is_count(v) and v > 0))
TRUTH = Leaf("true or false", lambda value: isinstance(value, bool))
_ANYTHING = Leaf("anything", lambda _value: True)
_NUMBERS, _GROUPED = Named(NUMBER), Named(Named(NUMBER))
_TEXTS = Each(TEXT)

_ANSWER = Parts({"text": TEXT, "refused": TRUTH}, {"error": OrNull(TEXT)})
_HIT = Parts(
    {"path": TEXT, "start": COUNT, "end": COUNT}, {"score": NUMBER, "credit": OrNull(TEXT)}
)
_QUERY = Parts(
    {
        "id": TEXT,
        "repository": TEXT,
        "query": TEXT,
        "category": TEXT,
        "difficulty": TEXT,
        "negative": TRUTH,
        "expected": _TEXTS,
        "retrieved": Each(_HIT),
    },
    {
        "tags": _TEXTS,
        "first_rank": RANK,
        "targets": Each(_HIT),
        "answer": OrNull(_ANSWER),
        "error": OrNull(TEXT),
    },
    rest=NUMBER,
)
_TUNING = Parts(
    {
        "objective": TEXT,
        "channels": _TEXTS,
        "override": TEXT,
        "curve": Each(Parts({"weights": Each(NUMBER), "score": NUMBER})),
    },
    {"chosen": _NUMBERS, "repositories": Named(Named(PLAIN))},
    rest=PLAIN,
)
_CONFIG = Parts(
    {"name": TEXT},
    {"embedding_model": OrNull(TEXT), "reranker_model": OrNull(TEXT)},
    rest=PLAIN,
)
_REACH = Each(NUMBER, least=2)
_LATENCY = Parts(
    {},
    {
        "samples": COUNT,
        "engine_recall_at_10": VALUE,
        "p50_interval_ms": _REACH,
        "p95_interval_ms": _REACH,
    },
    rest=PLAIN,
)
_REPORT = Parts(
    {
        "config": _CONFIG,
        "status": TEXT,
        "summary": _NUMBERS,
        "levels": _GROUPED,
        "query_results": Each(_QUERY),
    },
    {
        "trial": TEXT,
        "chunking": TEXT,
        "chunks": _NUMBERS,
        "scored": Named(TEXT),
        "evidence": Named(Named(PLAIN)),
        "bound": TRUTH,
        "failures": Each(Parts({"stage": TEXT, "subject": TEXT, "cause": TEXT})),
        "category_metrics": _GROUPED,
        "difficulty_metrics": _GROUPED,
        "repository_metrics": _GROUPED,
        "tag_metrics": _GROUPED,
        "language_metrics": _GROUPED,
        "file_type_metrics": _GROUPED,
        "top_file_types": _GROUPED,
        "negative_curve": Each(_NUMBERS),
        "refusal": Named(_ANYTHING),
        "latency": _LATENCY,
        "tuning": _TUNING,
    },
)
_TESTED = Parts(
    {},
    {
        "baseline": TEXT,
        "may_be_best": _TEXTS,
        "statements": Each(Parts({"text": TEXT}, {"evidence": Each(Each(PLAIN))})),
        "warnings": _TEXTS,
    },
)
_ADVICE = Parts(
    {},
    {
        "sentences": _TEXTS,
        "highest": OrNull(TEXT),
        "fastest": OrNull(TEXT),
        "ship": OrNull(TEXT),
        "ruled_out": Each(Parts({"trial": TEXT, "why": TEXT})),
        "tested": OrNull(_TESTED),
    },
)
_SETTINGS = Parts(
    {},
    {
        "advice": Parts({}, {"objective": TEXT, "cost": TEXT, "margin": VALUE}, rest=PLAIN),
        "targets": Named(VALUE),
        "seed": COUNT,
        "store": TEXT,
        "output": TEXT,
        "tracking": Named(PLAIN),
    },
)
_PLAN = Parts(
    {
        "distinct": COUNT,
        "executed": COUNT,
        "reused": COUNT,
        "failed": COUNT,
        "separate": COUNT,
        "seconds": VALUE,
        "separate_seconds": VALUE,
    },
)
_REPOSITORY = Parts(
    {"repository": TEXT, "documents": TEXT, "queries": TEXT}, {"count": COUNT, "pin": TEXT}
)
RESULTS = Parts(
    {
        "study": TEXT,
        "suite": TEXT,
        "level": TEXT,
        "timestamp": TEXT,
        "notes": _TEXTS,
        "settings": _SETTINGS,
        "reports": Each(_REPORT, least=1),
    },
    {
        "half": TEXT,
        "git_sha": OrNull(TEXT),
        "command": TEXT,
        "seconds": VALUE,
        "num_configs": COUNT,
        "measure_version": COUNT,
        "stage_versions": _NUMBERS,
        "versions": Named(TEXT),
        "corpus": Each(_REPOSITORY),
        "plan": _PLAN,
        "recommendation": _ADVICE,
        "stopped": Each(Parts({"trial": TEXT, "why": TEXT}, rest=PLAIN)),
    },
)


def misfit(found: object) -> str | None:
    """Return the first part that is not as a study writes it, and what it must be."""
    return next(_misfits(found, RESULTS, ""), None)


def _misfits(value: Any, shape: Shape, place: str) -> Iterator[str]:
    if isinstance(shape, Leaf):
        if not shape.fits(value):
            yield f"{place or 'it'} must be {shape.words}"
    elif isinstance(shape, OrNull):
        yield from () if value is None else _misfits(value, shape.of, place)
    elif isinstance(shape, Each):
        yield from _of_list(value, shape, place)
    elif not isinstance(value, dict):
        yield f"{place or 'it'} must be an object"
    elif isinstance(shape, Named):
        for name, item in value.items():
            yield from _misfits(item, shape.of, _under(place, name))
    else:
        yield from _of_parts(value, shape, place)


def _of_list(value: Any, shape: Each, place: str) -> Iterator[str]:
    if not isinstance(value, list) or len(value) < shape.least:
        yield f"{place} must be a list{f' of {shape.least} or more' if shape.least else ''}"
        return
    for number, item in enumerate(value):
        yield from _misfits(item, shape.of, f"{place}[{number}]")


def _of_parts(value: dict[str, Any], shape: Parts, place: str) -> Iterator[str]:
    for name, of in shape.needed.items():
        if name not in value:
            yield f"{_under(place, name)} is missing"
        else:
            yield from _misfits(value[name], of, _under(place, name))
    for name, item in value.items():
        if name in shape.may:
            yield from _misfits(item, shape.may[name], _under(place, name))
        elif shape.rest and name not in shape.needed and name not in shape.may:
            yield from _misfits(item, shape.rest, _under(place, name))


def _under(place: str, name: str) -> str:
    said = name if name.isprintable() else ascii(name)
    return f"{place}.{said[:_LONGEST]}" if place else said[:_LONGEST]
