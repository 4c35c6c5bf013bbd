"""The offline answerer quotes what says most of the question, and says where it has it from."""

import pytest

from retrievers.answerers import Extractive, Passage, extract
from retrievers.errors import AnswererError

GUIDE = Passage(
    "guide.md", 1, 3, "Shops open at nine. Refunds are paid within 14 days. Ask for a receipt."
)
CODE = Passage(
    "pay.py",
    10,
    30,
    "def refund(order): ...",
    (("def refund(order: Order) -> Money:", "Pay an order back. Twice is an error."),),
)


def test_the_sentence_that_answers_is_quoted_with_its_citation() -> None:
    """And not the ones around it."""
    reply = extract("when are refunds paid?", [GUIDE], Extractive(pieces=1), best_score=1.0)

    assert reply.text == "- Refunds are paid within 14 days. [#1]"
    assert not reply.refused


def test_a_definition_is_shown_by_its_signature_and_first_sentence() -> None:
    """Numbered by the rank of its hit."""
    reply = extract("pay an order back", [GUIDE, CODE], Extractive(pieces=1), best_score=1.0)

    assert reply.text == "- `def refund(order: Order) -> Money:`: Pay an order back. [#2]"


@pytest.mark.parametrize(("score", "refused"), [(0.49, True), (0.5, False), (9.0, False)])
def test_below_the_threshold_it_refuses(score: float, refused: bool) -> None:
    """At the threshold it answers."""
    reply = extract("refunds", [GUIDE], Extractive(threshold=0.5), best_score=score)

    assert reply.refused is refused
    assert bool(reply.text) is not refused


def test_without_hits_it_refuses_whatever_the_threshold() -> None:
    """NaN is the score of no hit."""
    assert extract("refunds", [], Extractive(), best_score=float("nan")).refused


def test_what_scores_nothing_is_below_every_threshold() -> None:
    """The threshold may be of another ranking than the hits: one that found nothing."""
    settings = Extractive(threshold=-5.0)

    assert extract("refunds", [GUIDE], settings, best_score=float("nan")).refused


def test_a_question_that_shares_no_word_is_answered_from_the_first_hit() -> None:
    """A retriever by meaning may be right where no word is the same."""
    reply = extract("money", [GUIDE], Extractive(pieces=2), best_score=1.0)

    assert reply.text == "- Shops open at nine. [#1]"


@pytest.mark.parametrize(
    "values", [{"hits": 0}, {"pieces": 0}, {"threshold": float("inf")}, {"most_false_refusals": 2}]
)
def test_settings_that_cannot_be_are_refused(values: dict[str, float]) -> None:
    """By the name of the setting."""
    with pytest.raises(AnswererError, match=next(iter(values))):
        Extractive(**values)  # type: ignore[arg-type]
