"""Scores are the arithmetic that the settings say."""

from dataclasses import replace

import numpy as np
import pytest

from retrievers.graph.scoring import Ages, Evidence, Scoring, score, surest_edges
from tests.unit.retrievers.graph.hand_written import graph_of

GRAPH = graph_of([], symbols=3, tests=[2])
EVIDENCE = Evidence(
    node=np.arange(3),
    reach=np.array([50.0, 100.0, 0.0]),
    hops=np.array([0.0, 1.0, 1.0]),
    confidence=np.array([0.9, 0.7, 0.0]),
)


def totals(evidence: Evidence, settings: Scoring | None = None) -> dict[int, float]:
    scored = score(GRAPH, evidence, settings or Scoring())
    return dict(zip(scored.node.tolist(), scored.score.tolist(), strict=True))


def test_without_hits_the_base_shares_hold() -> None:
    found = totals(EVIDENCE)

    assert found[0] == pytest.approx(0.5 * 0.4 + 0.9 * 0.25 + 0.3 * 0.2 + 0.15)
    assert found[1] == pytest.approx(0.4 + 0.7 * 0.25 + 0.3 * 0.2 + 0.075)
    assert found[2] == pytest.approx(0.3 * (0.3 * 0.2 + 0.075))


def test_with_hits_its_shares_hold_and_centrality_is_added() -> None:
    found = totals(replace(EVIDENCE, centrality=np.array([0.1, -0.05, 0.0])))

    assert found[0] == pytest.approx(0.5 * 0.35 + 0.9 * 0.2 + 0.3 * 0.15 + 0.15 + 0.1)
    assert found[1] == pytest.approx(0.35 + 0.7 * 0.2 + 0.3 * 0.15 + 0.075 - 0.05)


def test_tests_are_spared_when_the_task_speaks_of_them() -> None:
    found = totals(replace(EVIDENCE, spare_tests=True))

    assert found[2] == pytest.approx(0.3 * 0.2 + 0.075)


def test_feedback_gains_more_than_it_loses() -> None:
    plain = totals(EVIDENCE)

    found = totals(replace(EVIDENCE, feedback=np.array([1.0, 0.0, 0.5])))

    assert found[0] - plain[0] == pytest.approx(0.25)
    assert found[1] - plain[1] == pytest.approx(-0.05)
    assert found[2] == plain[2]


def test_what_was_used_in_the_session_gains_up_to_a_fifth() -> None:
    found = totals(replace(EVIDENCE, session=np.array([1.0, 0.5, 0.0])))

    assert found[0] - totals(EVIDENCE)[0] == pytest.approx(0.2)
    assert found[1] - totals(EVIDENCE)[1] == pytest.approx(0.1)


def test_recency_goes_down_with_age() -> None:
    days = np.array([0, 1, 1.1, 7, 7.1, 30, 31, np.nan])

    assert Ages().of(days).tolist() == [1.0, 1.0, 0.8, 0.8, 0.5, 0.5, 0.2, 0.3]


def test_commits_count_only_where_they_are_given_a_weight() -> None:
    changed = replace(EVIDENCE, changed_days=np.array([0.5, 100.0, np.nan]))

    weighed = totals(changed, Scoring(commit_recency=0.1))

    assert totals(changed) == totals(EVIDENCE)
    assert weighed[0] - totals(EVIDENCE)[0] == pytest.approx(0.1)
    assert weighed[1] - totals(EVIDENCE)[1] == pytest.approx(0.02)


def test_having_been_found_counts_only_where_it_is_given_a_weight() -> None:
    found = replace(EVIDENCE, found=np.array([1.0, 0.25, 0.0]))

    weighed = totals(found, Scoring(seed=2.0))

    assert totals(found, Scoring(seed=0.0)) == totals(EVIDENCE)
    assert weighed[0] - totals(EVIDENCE)[0] == pytest.approx(2.0)
    assert weighed[1] - totals(EVIDENCE)[1] == pytest.approx(0.5)


def test_the_components_of_a_score_add_up_to_it() -> None:
    scored = score(GRAPH, EVIDENCE, Scoring())

    assert sum(scored.components.values()) == pytest.approx(scored.score)
    assert scored.node.tolist() == [1, 0, 2]


def test_equal_scores_are_in_the_order_of_the_nodes() -> None:
    even = np.ones(3)

    scored = score(
        graph_of([], symbols=3), Evidence(np.array([2, 0, 1]), even, even, even), Scoring()
    )

    assert scored.node.tolist() == [0, 1, 2]


def test_the_surest_of_several_edges_counts_and_none_is_zero() -> None:
    # Edges of the second provenance have a confidence of 0.7, others of 0.9.
    graph = graph_of([(0, 1, 0, 1), (2, 1, 0, 0), (1, 3, 0, 1)], symbols=4)

    surest = surest_edges(graph)

    assert surest.tolist() == pytest.approx([0.0, 0.9, 0.0, 0.7, 0.0])
    assert surest_edges(graph_of([], symbols=2)).tolist() == [0.0, 0.0, 0.0]
