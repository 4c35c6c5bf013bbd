"""Chunks that are whole sentences, as many as fit.

A token of a word begins with the space before it, so the space belongs to the next sentence.
"""

import pytest

from retrievers.chunkers import Sentence, single_sentences, token_ends
from retrievers.interface import Chunks, Documents

STORY = (
    'Bees keep a diary in wax, and they keep it well. Do they read it? "They do!" A keeper\n'
    "reads them from the edge to the middle.\n\nIn winter no one sleeps. "
)
SENTENCES = [
    "Bees keep a diary in wax, and they keep it well.",
    " Do they read it?",
    ' "They do!"',
    " A keeper\nreads them from the edge to the middle.\n\n",
    "In winter no one sleeps. ",
]


def texts(chunks: Chunks, documents: Documents) -> list[str]:
    """Return the text of every chunk."""
    return [chunks.text(number, documents) for number in range(len(chunks))]


def cut(text: str, *, size: int = 16, overlap: int = 0) -> list[str]:
    """Return the chunks of a text."""
    documents = Documents.of([("a.md", text)])
    return texts(Sentence(size, overlap).cut(documents, token_ends(documents)), documents)


def test_sentences_end_at_signs_quotes_and_empty_lines() -> None:
    documents = Documents.of([("a.md", STORY)])

    assert texts(single_sentences(documents, token_ends(documents), 512), documents) == SENTENCES


def test_as_many_sentences_as_fit_are_a_chunk() -> None:
    first, second, third, fourth, last = SENTENCES

    assert cut(STORY) == [first, second + third, fourth, last]
    assert cut(STORY, size=512) == [STORY]


def test_overlap_repeats_whole_sentences() -> None:
    first, second, third, *_ = SENTENCES

    chunks = cut(first + second + third, size=19, overlap=6)

    assert chunks == [first + second, second + third]


def test_a_sentence_that_is_too_long_is_cut_between_characters() -> None:
    chunks = cut("größe " * 60 + "end. Another one.", size=16)

    assert "".join(chunks) == "größe " * 60 + "end. Another one."
    assert len(chunks) > 5
    assert chunks[-1].endswith("Another one.")


@pytest.mark.parametrize("text", ["", "   \n", "no end", "。。", "a.b.c 3.14", "!? !?"])
def test_any_text_is_cut_whole(text: str) -> None:
    assert "".join(cut(text)) == text


def test_full_width_signs_need_no_space() -> None:
    documents = Documents.of([("a.md", "蜜蜂在蜡里写日记。它们会读吗\uff1f会\uff01")])

    found = texts(single_sentences(documents, token_ends(documents), 512), documents)

    assert found == ["蜜蜂在蜡里写日记。", "它们会读吗\uff1f", "会\uff01"]
