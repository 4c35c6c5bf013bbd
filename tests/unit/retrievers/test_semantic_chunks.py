"""Chunks that end where the vectors of neighbouring sentences differ most."""

import numpy as np
import pytest

from retrievers.chunkers import Semantic, single_sentences, token_ends
from retrievers.chunkers.semantic import neighbour_differences
from retrievers.errors import ChunkerError
from retrievers.interface import Documents

BEES = ["Bees keep wax.", " They store honey.", " They dance."]
SHIPS = [" Ships need a keel.", " Sails need wind."]
TOPICS = np.array([[1, 0], [0.9, 0.1], [1, 0.1], [0, 1], [0.1, 1]])


def texts(chunker: Semantic, named: list[tuple[str, str]], vectors: np.ndarray) -> list[str]:
    """Return the chunks of some documents, given a vector for each sentence."""
    documents = Documents.of(named)
    sentences = single_sentences(documents, token_ends(documents), chunker.size)
    chunks = chunker.pack(sentences, vectors)
    return [chunks.text(number, documents) for number in range(len(chunks))]


def test_a_chunk_ends_where_the_topic_changes() -> None:
    story = "".join(BEES + SHIPS)

    assert texts(Semantic(), [("a.md", story)], TOPICS) == ["".join(BEES), "".join(SHIPS)]


def test_the_percentile_decides_how_many_topics_there_are() -> None:
    story = "".join(BEES + SHIPS)

    assert texts(Semantic(percentile=100), [("a.md", story)], TOPICS) == [story]
    assert texts(Semantic(percentile=0), [("a.md", story)], TOPICS) == [
        BEES[0],
        "".join(BEES[1:]),
        *SHIPS,
    ]


def test_differences_are_counted_from_those_of_the_same_document() -> None:
    # Among the differences of all documents, none of the first would be above the median.
    bees, ships = "".join(BEES), "".join([*SHIPS, " Ropes hold."])
    vectors = np.array([[1, 0], [1, 0.1], [1, 0.3], [0, 1], [1, 0], [1, 1]])

    found = texts(Semantic(percentile=50), [("a.md", bees), ("b.md", ships)], vectors)

    assert found == [BEES[0] + BEES[1], BEES[2], SHIPS[0], SHIPS[1] + " Ropes hold."]


def test_a_topic_that_is_larger_than_a_chunk_is_cut_between_sentences() -> None:
    sentence = " One more sentence of the same topic."
    story = sentence * 6

    found = texts(Semantic(size=16), [("a.md", story)], np.ones((6, 2)))

    assert found == [sentence * 2] * 3


def test_places_are_those_of_the_sentences() -> None:
    documents = Documents.of([("a.md", "Uno.\nDos."), ("aa.md", ""), ("b.md", "Tres.\n")])
    tokens = token_ends(documents)
    sentences = single_sentences(documents, tokens, 64)

    chunks = Semantic(64).pack(sentences, np.ones((len(sentences), 2)))

    assert chunks.document.tolist() == [0, 2]
    assert chunks.end_byte.tolist() == [9, 6]
    assert (chunks.start_line.tolist(), chunks.end_line.tolist()) == ([1, 1], [2, 1])
    assert chunks.end_token.tolist() == [len(tokens.of(0)), len(tokens.of(2))]


def test_no_text_has_no_chunks() -> None:
    assert texts(Semantic(), [], np.zeros((0, 2))) == []


def test_the_difference_is_the_cosine_distance_whatever_the_lengths() -> None:
    vectors = np.array([[2.0, 0], [0, 3], [0, 1], [0, 0]])

    assert neighbour_differences(vectors).tolist() == [1, 0, 1]


@pytest.mark.parametrize("percentile", [-1, 100.5, float("nan")])
def test_a_percentile_is_from_0_to_100(percentile: float) -> None:
    with pytest.raises(ChunkerError, match=r"percentile=.*: must be from 0 to 100"):
        Semantic(percentile=percentile)
