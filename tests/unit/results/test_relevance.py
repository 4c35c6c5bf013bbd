"""People see which hits were right, by the same rules that the measures follow."""

import numpy as np

from bench.queries import Judgements
from bench.results import Place
from bench.results.relevance import Relevance
from bench.stages import HitList

PATHS = ("a.py", "b.py", "c.py")


def judgements(*rows: tuple[int, int, int, int, int]) -> Judgements:
    """Return rows of query, level, document, first and last line."""
    query, level, document, start, end = np.array(rows, np.int32).T
    return Judgements(query, level, document, start, end, np.ones_like(query))


def hits(*rows: tuple[int, str, int, int]) -> HitList:
    """Return hits of query, path, first and last line."""
    return HitList(
        query=np.array([row[0] for row in rows], np.int32),
        path=tuple(row[1] for row in rows),
        start=np.array([row[2] for row in rows], np.int32),
        end=np.array([row[3] for row in rows], np.int32),
        start_byte=np.zeros(len(rows), np.int32),
        end_byte=np.zeros(len(rows), np.int32),
        symbol=("",) * len(rows),
        score=np.ones(len(rows), np.float32),
    )


def test_a_hit_is_right_if_half_of_the_shorter_lies_in_it_and_a_second_one_is_a_duplicate() -> (
    None
):
    """Lines 10 to 19 of b.py are asked for; query 1 has nothing right and no hit."""
    right = Relevance.of(judgements((0, 2, 1, 10, 19)), PATHS, "span", query_count=3)
    shown = hits(
        (0, "a.py", 10, 19),
        (0, "b.py", 15, 40),
        (0, "b.py", 1, 14),
        (0, "b.py", 16, 60),
        (2, "b.py", 10, 19),
    )

    found = right.credits(shown, 0.5)

    assert found == [("nothing", "relevant", "duplicate", "nothing"), (), ("nothing",)]


def test_the_places_are_those_of_the_level_alone() -> None:
    """The file of a span is not another place at span level."""
    found = judgements((0, 2, 1, 10, 19), (0, 0, 1, 1, 90), (1, 2, 2, 5, 6), (1, 2, 0, 1, 2))

    spans = Relevance.of(found, PATHS, "span", query_count=2).places()
    files = Relevance.of(found, PATHS, "file", query_count=2).places()

    assert spans == [(Place("b.py", 10, 19),), (Place("a.py", 1, 2), Place("c.py", 5, 6))]
    assert files == [(Place("b.py", 0, 0),), ()]


def test_a_study_without_hits_has_no_credits() -> None:
    """An empty ranking is not an error."""
    right = Relevance.of(judgements((0, 0, 1, 1, 9)), PATHS, "file", query_count=1)

    assert right.credits(hits(), 0.5) == [()]
