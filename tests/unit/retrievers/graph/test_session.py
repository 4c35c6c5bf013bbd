"""A session forgets by halves, and feedback holds for the text it was given on."""

import pytest

from retrievers.graph.session import Session, SessionSettings
from tests.unit.retrievers.graph.hand_written import graph_of


@pytest.mark.parametrize(
    ("seconds", "boost"), [(0, 1.0), (180, 0.5), (360, 0.25), (540, 0.125), (1300, 0.0)]
)
def test_what_was_shown_counts_half_every_three_minutes(seconds: float, boost: float) -> None:
    session = Session()
    session.show(["a.f"], 1000.0)

    assert session.boost("a.f", 1000.0 + seconds) == pytest.approx(boost)


def test_showing_again_and_again_counts_at_most_two() -> None:
    session = Session()

    for second in range(30):
        session.show(["a.f"], float(second))

    assert session.boost("a.f", 30.0) == 2.0
    assert len(session.shown["a.f"]) == 20


def test_feedback_is_the_share_that_found_it_useful_on_this_text() -> None:
    session = Session()
    for useful in (True, True, False):
        session.judge("a.f", "old", useful=useful)

    assert session.usefulness("a.f", "old") == pytest.approx(2 / 3)
    assert session.usefulness("a.f", "new") == 0.5
    assert session.usefulness("a.g", "old") == 0.5


def test_a_session_gives_facts_by_node_between_none_and_one() -> None:
    session = Session(SessionSettings(most=1.0))
    session.show(["n1", "n1", "n1"], 0.0)
    session.judge("n0", "digest", useful=True)

    facts = session.facts(graph_of([], symbols=2), {"a.py": "digest"}, 0.0)

    assert facts.session is not None
    assert facts.session.tolist()[:2] == [0.0, 1.0]
    assert facts.feedback is not None
    assert facts.feedback.tolist()[:2] == [1.0, 0.5]


def test_a_session_is_written_and_read_back() -> None:
    session = Session()
    session.show(["a.f"], 5.0)
    session.judge("a.f", "digest", useful=False)
    session.show(["a.g"], 6.0, words=["cart"])
    session.learn(["a.g"])

    again = Session.of_json(session.as_json())

    assert again == session


def test_what_came_of_a_pack_tells_what_was_useful_and_teaches_the_words_of_its_task() -> None:
    session = Session()
    session.show(["shop.Cart.total", "shop.Cart.of", "shop.clear"], 0.0, words=["price", "cart"])

    session.settle("-  return self.total() of it", lambda name: f"text of {name}")
    session.settle("clear", str)

    assert session.usefulness("shop.Cart.total", "text of shop.Cart.total") == 1.0
    assert session.usefulness("shop.Cart.of", "text of shop.Cart.of") == 0.0
    assert session.usefulness("shop.clear", "text of shop.clear") == 0.0
    assert session.vocabulary.counts == {
        "price": {"shop.Cart.total": 1},
        "cart": {"shop.Cart.total": 1},
    }


@pytest.mark.parametrize(
    "content", [None, [], {"shown": 3, "judged": {}}, {"shown": {}}, {"shown": {"a": ["?"]}}]
)
def test_what_is_no_session_is_refused(content: object) -> None:
    with pytest.raises(ValueError, match="this is not a session"):
        Session.of_json(content)
