"""A results file that somebody edited is refused in one line, or else can be used.

Any part of a whole file is replaced by what does not belong there; whatever passes the door must
then go through everything that reads results.
"""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.compare import as_json as compared_as_json
from bench.compare import as_text, compare, paired
from bench.errors import RankgridError, UsageError
from bench.gate import Asked, judge
from bench.report import write_report
from bench.results import StudyResult, read_results
from bench.results.document import as_json, from_json
from bench.tracking.content import content_of
from tests.unit.compare.sample_results import negative, query, results, study, trial

Path_ = tuple[str | int, ...]
FOREIGN: tuple[Any, ...] = (
    *(None, "", "<b>|\n", "\ud800", -1, 0, 3.7, True),
    *([], {}, [None], {"a": None}, 10**400, float("nan"), float("inf")),
)
_GONE = object()
CASES = 600


def whole() -> dict[str, Any]:
    """Return the file of a study of two trials on two repositories."""
    ranks = [1, 2, None, 5, 1, 3]
    queries = [query(f"r{n % 2}/q{n}", rank, tags=("api",)) for n, rank in enumerate(ranks)]
    queries.append(negative("r0/nothing"))
    trials = [trial(queries, name=name, axes={"chunk": n}) for n, name in enumerate("ab", 1)]
    return as_json(results(study(trials)))


def places(part: Any, above: Path_ = ()) -> Iterator[Path_]:
    """Yield every place of a file; of long lists the first two."""
    if above:
        yield above
    inner = part.items() if isinstance(part, dict) else enumerate(part[:2])
    for name, item in inner:
        if isinstance(item, (dict, list)):
            yield from places(item, (*above, name))
        else:
            yield (*above, name)


def edited(file: dict[str, Any], place: Path_, value: Any) -> dict[str, Any]:
    """Return a copy of a file with another value at a place, or without the place."""
    made = copy.deepcopy(file)
    part: Any = made
    for name in place[:-1]:
        part = part[name]
    if value is _GONE:
        del part[place[-1]]
    else:
        part[place[-1]] = value
    return made


def use(b: StudyResult, a: StudyResult, folder: Path) -> None:
    """Do with results what the commands do: report, compare, gate, track."""
    write_report(b, folder)
    for pair in paired(a, b).pairs:
        made = compare(a, b, pair)
        as_text(made, flips=3)
        json.dumps(compared_as_json(made), allow_nan=False)
    judge(b, Asked(), baseline=a)
    content_of(b)


def test_whatever_was_edited_is_refused_in_one_line_or_can_be_used(tmp_path: Path) -> None:
    file = whole()
    before = from_json(file, "before.json")
    cases = [(place, value) for place in places(file) for value in (*FOREIGN, _GONE)]
    chosen = np.random.default_rng(0).permutation(len(cases))[:CASES]
    refusals = []

    for place, value in (cases[number] for number in chosen.tolist()):
        try:
            use(from_json(edited(file, place, value), "r.json"), before, tmp_path)
        except RankgridError as error:
            refusals.append(error.message)

    assert not any("\n" in message for message in refusals)
    assert CASES / 2 < len(refusals) < CASES * 0.95


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("reports", 0, "summary", "avg_mrr"), "0.9", "reports[0].summary.avg_mrr must be a numb"),
        (("reports", 1, "query_results", 0, "first_rank"), 0, "query_results[0].first_rank must"),
        (("reports", 1, "query_results", 2, "mrr"), [1], "reports[1].query_results[2].mrr must"),
        (("reports", 0, "query_results"), _GONE, "reports[0].query_results is missing"),
        (("reports",), [], "reports must be a list of 1 or more"),
        (("study",), "../up", "study must be the name of a study"),
    ],
)
def test_the_part_that_is_wrong_is_named(place: Path_, value: Any, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        from_json(edited(whole(), place, value), "r.json")

    assert refused.value.message.startswith("r.json: ")
    assert said in refused.value.message


def test_numbers_that_json_does_not_have_are_refused(tmp_path: Path) -> None:
    """Python reads NaN where JSON has none."""
    text = json.dumps(edited(whole(), ("reports", 0, "summary", "avg_mrr"), float("nan")))
    (tmp_path / "r.json").write_text(text, encoding="utf-8")

    with pytest.raises(UsageError, match="avg_mrr must be a number or null"):
        read_results(tmp_path / "r.json")
