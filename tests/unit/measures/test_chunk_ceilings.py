"""What the chunks allow, by hand and against every order of them."""

import numpy as np
import pytest
from hypothesis import given

from bench.measures import Measure, Results, score
from tests.unit.measures.test_token_budgets import Case, cases

TEN = [[10] * 10]


def ceilings(case: Case) -> list[float]:
    """Return recall ceiling and precision omega of the case's query."""
    measures = [Measure("recall_ceiling"), Measure("precision_omega")]
    scores = score(*case.arrays(), query_count=2, measures=measures, rule=case.rule())
    assert np.isnan(scores.values[0, 0]).all()  # the first query has no target
    return [float(value) for value in scores.values[0, 1]]


def test_chunks_by_hand() -> None:
    """Take 20 right tokens out of the two chunks of 30 that hold them, ranked or not."""
    case = Case(TEN, [(0, 1, 3), (0, 4, 6), (0, 7, 10)], [], [(0, 3, 4, 1)])

    assert ceilings(case) == pytest.approx([1, 20 / 60])


def test_what_no_chunk_holds_is_out_of_reach() -> None:
    """See what cutting has lost."""
    case = Case(TEN, [(0, 1, 3)], [0], [(0, 1, 1, 1), (0, 8, 9, 1), (0, 3, 7, 1)])

    # Of 10 + 20 + 50 right tokens the chunk of 30 holds 20; lines 3 to 7 share 1 line of 3.
    assert ceilings(case) == pytest.approx([1 / 3, 20 / 30])


def test_nothing_but_lost_text_has_no_precision() -> None:
    """Have 0, as no chunk is worth showing."""
    assert ceilings(Case(TEN, [(0, 1, 3)], [0], [(0, 8, 9, 1)])) == [0, 0]


def test_overlapping_chunks_show_common_text_once() -> None:
    """Count 10 right tokens in the 50 of both chunks together."""
    case = Case(TEN, [(0, 1, 3), (0, 3, 5)], [], [(0, 3, 3, 1)])

    assert ceilings(case) == pytest.approx([1, 10 / 50])


@given(cases() | cases(apart=True))
def test_no_ranking_has_more_recall_than_the_ceiling(case: Case) -> None:
    """Reach the ceiling with all chunks, whatever their order."""
    everything = list(range(len(case.chunks)))
    orders = [everything, everything[::-1]]
    recall = [Measure("recall", Results(100)), Measure("recall_ceiling")]

    found = [
        score(
            *Case(
                case.documents, case.chunks, order, case.targets, case.level, case.overlap
            ).arrays(),
            query_count=2,
            measures=recall,
            rule=case.rule(),
        ).values[0, 1]
        for order in orders
    ]

    assert all(reached == pytest.approx(ceiling) for reached, ceiling in found)


@given(cases(apart=True))
def test_no_choice_of_chunks_apart_holds_all_the_text_with_more_precision(case: Case) -> None:
    """Be the best precision at full recall, compared with every single order cut anywhere."""
    measures = [
        Measure("precision_omega"),
        *(
            Measure(f"token_{of}", Results(k))
            for k in range(1, 10)
            for of in ("recall", "precision")
        ),
    ]

    found = score(*case.arrays(), query_count=2, measures=measures, rule=case.rule())

    omega, *rest = found.values[0, 1].tolist()
    full = [
        precision for recall, precision in zip(rest[::2], rest[1::2], strict=True) if recall == 1
    ]
    assert all(precision <= omega + 1e-9 for precision in full)
