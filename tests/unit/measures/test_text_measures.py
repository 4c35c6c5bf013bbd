"""How much of what is shown is right text, against a reader who counts every token by hand."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bench.measures import Characters, Measure, Results, Rule, Tokens, measures_of, score
from bench.measures.measure import OF_CHUNKS, RESULT_MEASURES, TOKEN_MEASURES
from bench.queries.resolved import Judgements
from retrievers.chunkers import File, Lines, token_ends
from retrievers.interface import Documents, Rankings
from tests.unit.measures.test_token_budgets import BUDGETS, Case, cases, is_match, walk

TEN = [[10] * 10]
CATALOGUE = (
    *(Measure(name, Results(limit)) for name in RESULT_MEASURES for limit in (1, 3)),
    *(Measure(name, Tokens(limit)) for name in TOKEN_MEASURES for limit in BUDGETS),
    *(Measure(name) for name in OF_CHUNKS),
)
NO_SHARES = ("shown_tokens",)
SHARES = tuple(one for one in CATALOGUE if not one.name.startswith(NO_SHARES))


def values(case: Case, *measures: Measure, limit: int | None = None) -> list[float]:
    """Return measures of the case's query at its own level."""
    rules: dict[str, Any] = {"rule": case.rule(), "measures": measures, "limit": limit}
    scores = score(*case.arrays(), query_count=2, **rules)
    return [float(value) for value in scores.values[0, 1]]


def at_results(limit: int) -> list[Measure]:
    """Return the measures of tokens at a number of results."""
    return [
        Measure(f"token_{of}", Results(limit))
        for of in ("precision", "recall", "iou", "efficiency")
    ]


def test_shares_of_tokens_by_hand() -> None:
    """Compare 60 shown tokens with 30 right ones that have 20 in common."""
    case = Case(TEN, [(0, 1, 3), (0, 4, 6)], [0, 1], [(0, 5, 7, 1)])

    precision, recall, iou, efficiency = values(case, *at_results(2))

    assert (precision, recall, iou) == pytest.approx((20 / 60, 20 / 30, 20 / 70))
    # Half of the target's 30 tokens are shown after 30 + 10 + 15 tokens, 15 of them right.
    assert efficiency == pytest.approx(15 / 55)
    assert values(case, *at_results(1)) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("returned", "over_ten", "over_returned"),
    [(3, 1 / 10, 1 / 3), (10, 2 / 10, 2 / 10), (12, 0.2, 0.2)],
)
def test_precision_of_what_is_returned_is_over_ten_or_fewer(
    returned: int, over_ten: float, over_returned: float
) -> None:
    """Lines 2, 9 and 11 are right, and each hit is a line: of three one is right, of ten two."""
    lines = [(0, line, line) for line in range(1, returned + 1)]
    right = [(0, line, line, 1) for line in (2, 9, 11)]
    case = Case([[10] * 12], lines, [*range(returned)], right)
    names = ("precision", "returned_precision")

    assert values(case, *(Measure(name, Results(10)) for name in names)) == pytest.approx(
        [over_ten, over_returned]
    )


def test_a_limit_bounds_the_text_of_results() -> None:
    """Show what the user would have been given."""
    case = Case(TEN, [(0, 1, 3), (0, 4, 6)], [0, 1], [(0, 4, 6, 1)])

    assert values(case, *at_results(10), limit=1) == [0, 0, 0, 0]


def test_what_is_shown_after_the_last_find_costs_no_efficiency() -> None:
    """Count tokens until what is found is found."""
    case = Case(TEN, [(0, 1, 2), (0, 3, 4), (0, 9, 10)], [0, 1, 2], [(0, 3, 4, 1)])

    precision, _, _, efficiency = values(case, *at_results(3))

    assert precision == pytest.approx(20 / 60)
    assert efficiency == pytest.approx(10 / 30)  # one line is half of the target


def test_targets_that_overlap_are_one_stretch_of_text() -> None:
    """Count common text once among targets too."""
    case = Case(TEN, [(0, 1, 10)], [0], [(0, 1, 4, 1), (0, 3, 6, 1)])

    precision, recall, iou, _ = values(case, *at_results(1))

    assert (precision, recall, iou) == (0.6, 1, 0.6)


def test_text_without_tokens_has_no_value() -> None:
    """Have no share of nothing: neither 0 nor 1."""
    case = Case([[5, 0, 5]], [(0, 1, 3)], [0], [(0, 2, 2, 1)])

    precision, recall, iou, efficiency = values(case, *at_results(1))

    assert np.isnan([precision, recall, iou]).all()
    assert efficiency == 0


def test_the_pieces_of_a_hit_are_shown_from_its_beginning() -> None:
    """Also where other hits cut it into pieces that are of no order by themselves."""
    chunks = [(0, 1, 1), (0, 1, 1), (0, 1, 1), (0, 1, 2), (1, 1, 4), (1, 2, 2)]
    case = Case([[1, 1], [0, 1, 0, 1]], chunks, [4, 0, 3, 5], [(1, 1, 2, 1)], overlap=0.25)

    assert values(case, Measure("token_precision", Tokens(1))) == [1]


@given(cases() | cases(apart=True))
@example(
    Case(
        documents=[[1, 1], [0, 1, 1, 1], [1]],
        chunks=[(0, 1, 1), *[(0, 1, 2)] * 3, (1, 1, 4), (1, 3, 3), (2, 1, 1)],
        ranking=[0, 4, 5, 6, 1],
        targets=[(1, 1, 3, 1)],
    )
)  # pieces of one hit must stand in the order of their text
def test_each_budget_shows_what_counting_tokens_one_by_one_shows(case: Case) -> None:
    """Equal sets of tokens, on random chunks, apart, overlapping and repeated."""
    measures = [Measure(f"token_{of}", Tokens(n)) for n in BUDGETS for of in _SHARES]

    found = values(case, *measures)

    expected = [share for budget in BUDGETS for share in _by_counting(case, budget)]
    assert found == pytest.approx(expected, nan_ok=True)


_SHARES = ("precision", "recall", "iou")


def _by_counting(case: Case, budget: int) -> tuple[float, float, float]:
    seen: list[tuple[int, int]] = []
    for number in case.ranking:
        chunk = sorted(case.chunks)[number]
        seen += [(chunk[0], token) for token in range(*case.tokens(chunk))]
    shown = set(list(dict.fromkeys(seen))[:budget])
    right = {
        (document, token)
        for document, start, end, _ in case.targets
        for token in range(*case.tokens(_place(case, document, start, end)))
    }
    if not right:
        return float("nan"), float("nan"), float("nan")
    both = len(shown & right)
    return both / max(len(shown), 1), both / len(right), both / len(shown | right)


def _place(case: Case, document: int, start: int, end: int) -> tuple[int, int, int]:
    whole_file = (document, 1, len(case.documents[document]))
    return whole_file if case.level == 0 else (document, start, end)


@given(cases() | cases(apart=True))
def test_precision_within_a_budget_counts_the_hits_that_the_reader_meets(case: Case) -> None:
    """Have as denominator the hits of which a token is seen, new or not."""
    found = values(case, *(Measure("precision", Tokens(budget)) for budget in BUDGETS))

    assert found == pytest.approx([_share_of_relevant(case, budget) for budget in BUDGETS])


def _share_of_relevant(case: Case, budget: int) -> float:
    seen: set[tuple[int, int]] = set()
    left, met, relevant = set(case.targets), 0, 0
    for chunk, reached in walk(case, budget):
        first, stop = case.tokens(chunk)
        met += first == stop or (chunk[0], first) in seen or len(seen) < budget
        found = {one for one in left if is_match(case, chunk, reached, one)}
        if case.level == 0:
            found = {one for one in left if found and one[0] == chunk[0]}
        relevant += bool(found)
        left -= found
        seen |= {(chunk[0], token) for token in range(first, stop)}
    return relevant / max(met, 1)


@given(cases() | cases(apart=True))
def test_no_measure_leaves_zero_to_one(case: Case) -> None:
    """Hold the bounds for the whole catalogue, whatever overlaps."""
    found = np.array(values(case, *SHARES))

    judged = found[~np.isnan(found)]
    assert np.all((judged >= 0) & (judged <= 1))


@given(cases() | cases(apart=True), st.sampled_from([1, 3]))
def test_shown_tokens_are_those_of_the_first_hits_each_once(case: Case, limit: int) -> None:
    """Count them in a set."""
    shown = [sorted(case.chunks)[number] for number in case.ranking[:limit]]
    seen = {(chunk[0], token) for chunk in shown for token in range(*case.tokens(chunk))}

    (found,) = values(case, Measure("shown_tokens", Results(limit)))

    assert found == len(seen) or (np.isnan(found) and not case.targets)


# Characters: real text, tokenised and cut by the real thing.

WORDS = st.sampled_from(["été ", "x = 1\n", "\n\n", "    return 界\n", "naïve", "# €uro\n", " "])


@given(st.lists(WORDS, min_size=1, max_size=60).map("".join), st.integers(0, 99), st.data())
def test_characters_are_those_of_the_text(text: str, seed: int, data: st.DataObject) -> None:
    """Equal counting the characters of strings."""
    documents = Documents.of([("a.py", "# first\n"), ("b.py", text)])
    tokens = token_ends(documents)
    chunks = Lines(16).cut(documents, tokens)
    starts = documents.line_starts(1)
    start = data.draw(st.integers(1, len(starts)))
    end = data.draw(st.integers(start, len(starts)))
    order = np.random.default_rng(seed).permutation(len(chunks))
    depth = data.draw(st.integers(1, len(chunks)))
    bounds = [*starts.tolist(), documents.size(1)]
    row = [0, 2, 1, bounds[start - 1], bounds[end], 1]
    judgements = Judgements(*np.array([row], np.int32).T)
    names = ("character_precision", "coverage", "character_iou")
    measures = [Measure(name, Results(depth)) for name in names]

    scores = score(
        Rankings.of([(order, order * 0.0)], [0.0], [1.0]),
        chunks,
        judgements,
        tokens,
        query_count=1,
        rule=Rule(Characters(documents)),
        measures=measures,
    )

    encoded = text.encode()
    right = set(_positions(encoded, bounds[start - 1], bounds[end]))
    seen = {
        (int(chunks.document[row]), place)
        for row in order[:depth]
        for place in _positions(
            encoded if chunks.document[row] else b"# first\n",
            int(chunks.start_byte[row]),
            int(chunks.end_byte[row]),
        )
    }
    both = len({place for document, place in seen if document == 1} & right)
    both_or_one = len(seen) + len(right) - both
    expected = [
        both / len(seen) if seen else 0,
        both / len(right) if right else np.nan,
        both / both_or_one if both_or_one else np.nan,
    ]
    if not right:
        expected = [np.nan] * 3
    assert scores.values[0, 0].tolist() == pytest.approx(expected, nan_ok=True)


def _positions(content: bytes, start: int, end: int) -> list[int]:
    """Return the numbers of the characters between two bytes that are not white space."""
    first, text = len(content[:start].decode()), content[start:end].decode()
    return [first + place for place, letter in enumerate(text) if not letter.isspace()]


def test_a_whole_file_is_all_its_characters() -> None:
    """Measure file targets as their whole text."""
    documents = Documents.of([("a.py", "é = 1\nb = 2\n"), ("b.py", "")])
    tokens = token_ends(documents)
    chunks = File().cut(documents, tokens)
    judgements = Judgements(*np.array([[0, 0, 0, 0, 13, 1]], np.int32).T)

    scores = score(
        Rankings.of([([0], [1.0])], [0.0], [1.0]),
        chunks,
        judgements,
        tokens,
        query_count=1,
        rule=Rule(Characters(documents)),
        measures=measures_of(["character_iou_at_1", "token_iou_at_1"]),
    )

    assert scores.of("file", "character_iou_at_1").tolist() == [1]
    assert scores.of("file", "token_iou_at_1").tolist() == [1]
