"""Where one hit is one target our numbers are trec_eval's."""

from typing import Any

import ir_measures
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ir_measures import AP, RR, P, R, Success, nDCG

from bench.measures import Characters, Rule, Scores, measures_of, score
from bench.queries.resolved import Judgements
from retrievers.interface import Chunks, Documents, Rankings, TokenEnds

Drawn = tuple[list[dict[int, int]], list[list[int]]]
DOCUMENTS = 31
SAME: dict[str, Any] = {
    "mrr": RR @ 10,
    "precision_at_10": P @ 10,
    "ndcg_at_10": nDCG @ 10,
    **{f"map_at_{limit}": AP @ limit for limit in (1, 5, 10, 20)},
    **{f"precision_at_{limit}": P @ limit for limit in (1, 5, 20)},
    **{f"ndcg_at_{limit}": nDCG @ limit for limit in (1, 5, 20)},
    **{f"recall_at_{limit}": R @ limit for limit in (1, 3, 5, 10)},
    **{f"hit_at_{limit}": Success @ limit for limit in (1, 3, 5, 10)},
}


@st.composite
def one_to_one(draw: st.DrawFn) -> Drawn:
    """Draw grades by document and a ranking of distinct documents, for some queries."""
    documents = st.integers(0, DOCUMENTS - 1)
    grades = st.dictionaries(documents, st.integers(1, 5), min_size=1, max_size=20)
    order = st.permutations(range(DOCUMENTS))
    queries = draw(st.integers(1, 5))
    rankings = [draw(order)[: draw(st.integers(1, 25))] for _ in range(queries)]
    return [draw(grades) for _ in range(queries)], rankings


@given(one_to_one())
@example(([{10: 2}], [list(range(11))]))
def test_one_hit_to_a_target_is_what_trec_eval_measures(drawn: Drawn) -> None:
    """Equal an independent implementation on random rankings."""
    grades, rankings = drawn

    ours = our_scores(grades, rankings)
    theirs = trec_values(grades, rankings)

    for column, name in SAME.items():
        expected = [theirs[str(query), str(name)] for query in range(len(grades))]
        assert ours.of("file", column) == pytest.approx(expected, abs=1e-9), column


def our_scores(grades: list[dict[int, int]], rankings: list[list[int]]) -> Scores:
    """Score documents of one line and one token, one chunk each."""
    number, one = np.arange(DOCUMENTS, dtype=np.int32), np.ones(DOCUMENTS, np.int32)
    chunks = Chunks(number, one * 0, one, one, one, one * 0, one)
    documents = Documents.of([(f"{n:05}", "x") for n in range(DOCUMENTS)])
    rows = [
        (query, 0, document, 0, 1, grade)
        for query, judged in enumerate(grades)
        for document, grade in judged.items()
    ]
    zeros = np.zeros(len(rankings))
    return score(
        Rankings.of([(ranking, [0.0] * len(ranking)) for ranking in rankings], zeros, zeros),
        chunks,
        Judgements(*np.array(rows, np.int32).T),
        TokenEnds(one, np.arange(1, DOCUMENTS + 1)),
        query_count=len(grades),
        rule=Rule(Characters(documents)),
        measures=measures_of(list(SAME)),
    )


def trec_values(
    grades: list[dict[int, int]], rankings: list[list[int]]
) -> dict[tuple[str, str], float]:
    """Return what trec_eval (and MS MARCO's script) say of each query and measure."""
    qrels = {
        str(query): {str(document): grade for document, grade in judged.items()}
        for query, judged in enumerate(grades)
    }
    run = {
        str(query): {str(document): -float(place) for place, document in enumerate(ranking)}
        for query, ranking in enumerate(rankings)
    }
    # Not its pytrec_eval alone, which takes RR@10 and forgets the 10: RR@10 is MS MARCO's.
    found = ir_measures.iter_calc(list(SAME.values()), qrels, run)
    return {(item.query_id, str(item.measure)): item.value for item in found}
