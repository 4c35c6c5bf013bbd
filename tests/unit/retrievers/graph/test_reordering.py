"""The first symbols are ordered by two scores on one scale; the others stay behind them."""

import numpy as np
import pytest

from retrievers.errors import GraphError
from retrievers.graph.reordering import Reordering, reordered, symbol_passages
from retrievers.graph.scoring import Scored
from retrievers.interface import Documents
from tests.unit.retrievers.graph.small_sources import graph_of


def scored(*scores: float) -> Scored:
    """Return the symbols 10, 11, … with these scores."""
    score = np.array(scores, np.float64)
    return Scored(np.arange(10, 10 + len(scores)), score, {"reach": score / 2, "seed": score / 2})


def test_both_scores_are_standardised_before_they_are_joined() -> None:
    # z of (8, 4, 0): 1.225, 0, -1.225; z of (.1, .3, .2): -1.225, 1.225, 0. With weight .6 the
    # three are worth -.245, .735 and -.49; the raw scores would keep 8 first.
    found = reordered(scored(8, 4, 0), np.array([0.1, 0.3, 0.2], np.float32), 0.6)

    assert found.node.tolist() == [11, 10, 12]


@pytest.mark.parametrize(
    ("weight", "order"), [(0.0, [10, 11, 12]), (0.4, [10, 11, 12]), (1.0, [11, 12, 10])]
)
def test_the_weight_is_the_share_of_the_vectors(weight: float, order: list[int]) -> None:
    # z of (8, 1, 0): 1.40, -.56, -.84; z of (.1, .3, .29): -1.41, .76, .65. With weight .4 the
    # three are worth .28, -.03 and -.24.
    found = reordered(scored(8, 1, 0), np.array([0.1, 0.3, 0.29], np.float32), weight)

    assert found.node.tolist() == order


def test_scores_stay_in_their_places_and_add_up() -> None:
    found = reordered(scored(8, 4, 2, 1), np.array([0.0, 1.0], np.float32), 1.0)

    assert found.node.tolist() == [11, 10, 12, 13]
    assert found.score.tolist() == [8, 4, 2, 1]
    assert np.sum(list(found.components.values()), axis=0).tolist() == [8, 4, 2, 1]
    assert found.components["similarity"].tolist() == [4, -4, 0, 0]


def test_equal_scores_and_equal_cosines_change_nothing() -> None:
    even = reordered(scored(3, 3, 3), np.array([0.1, 0.2, 0.3], np.float32), 0.5)
    same = reordered(scored(3, 2, 1), np.full(3, 0.5, np.float32), 0.5)
    empty = reordered(scored(), np.zeros(0, np.float32), 0.5)

    assert even.node.tolist() == [12, 11, 10]
    assert same.node.tolist() == [10, 11, 12]
    assert empty.node.tolist() == []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"depth": 0}, "depth=0 is out of range"),
        ({"weight": 1.5}, "weight=1.5 is out of range"),
        ({"weight": -0.1}, "weight=-0.1 is out of range"),
    ],
)
def test_what_is_not_a_depth_or_a_share_is_refused(
    settings: dict[str, float], message: str
) -> None:
    with pytest.raises(GraphError, match=message):
        Reordering(**settings)  # type: ignore[arg-type]


def test_a_symbol_is_known_by_its_place_its_name_its_documentation_and_its_first_code() -> None:
    code = 'class Cart:\n    """Things."""\n\n    def total(self):\n        return 1\n'
    documents = Documents.of([("a.md", "nothing\n"), ("shop/cart.py", code)])

    cart, total = symbol_passages(graph_of(documents), documents)

    assert cart == f"shop/cart.py\n{graph_of(documents).names[0]}\nThings.\n{code}"
    assert total.endswith("Cart.total\n\n    def total(self):\n        return 1\n")


def test_code_ends_after_700_bytes_and_never_within_a_character() -> None:
    code = "def total():\n    return '" + "ß" * 700 + "'\n"  # 25 bytes, then two for each letter
    documents = Documents.of([("a.py", code)])

    (passage,) = symbol_passages(graph_of(documents), documents)

    assert passage.count("ß") == (700 - 25) // 2
