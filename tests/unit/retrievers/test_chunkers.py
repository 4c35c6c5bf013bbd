"""Lines are packed greedily; hand arithmetic on texts in which every byte is a token."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrievers.chunkers import File, Lines, token_ends
from retrievers.errors import ChunkerError
from retrievers.interface import Chunks, Documents, TokenEnds

Text = st.text("ab \né😀", min_size=1, max_size=400)


def byte_tokens(*texts: str) -> tuple[Documents, TokenEnds]:
    """Return documents in which every byte is a token."""
    documents = Documents.of([(f"{number}.txt", text) for number, text in enumerate(texts)])
    sizes = [documents.size(number) for number in range(len(documents))]
    ends = np.concatenate([np.arange(1, size + 1, dtype=np.int32) for size in sizes])
    return documents, TokenEnds(ends, np.cumsum(sizes, dtype=np.int64))


def lines_of(chunks: Chunks) -> list[tuple[int, int]]:
    """Return the first and the last line of each chunk."""
    return list(zip(chunks.start_line.tolist(), chunks.end_line.tolist(), strict=True))


def tokens_of(chunks: Chunks) -> list[tuple[int, int]]:
    """Return the token range of each chunk."""
    return list(zip(chunks.start_token.tolist(), chunks.end_token.tolist(), strict=True))


def test_as_many_lines_are_packed_as_fit() -> None:
    """Two lines of eight tokens fit into 23, three do not."""
    documents, tokens = byte_tokens("aaaaaaa\n" * 5)

    chunks = Lines(size=23).cut(documents, tokens)

    assert lines_of(chunks) == [(1, 2), (3, 4), (5, 5)]
    assert tokens_of(chunks) == [(0, 16), (16, 32), (32, 40)]
    assert chunks.text(0, documents) == "aaaaaaa\naaaaaaa\n"


def test_a_chunk_may_be_exactly_as_large_as_allowed() -> None:
    """The size is included."""
    documents, tokens = byte_tokens("aaaaaaa\n" * 4)

    chunks = Lines(size=16).cut(documents, tokens)

    assert lines_of(chunks) == [(1, 2), (3, 4)]


def test_overlap_repeats_the_lines_that_fit_in_it() -> None:
    """Of 15 tokens of overlap, a line of eight uses eight."""
    documents, tokens = byte_tokens("aaaaaaa\n" * 5)

    chunks = Lines(size=24, overlap=15).cut(documents, tokens)

    assert lines_of(chunks) == [(1, 3), (3, 5)]


def test_overlap_shrinks_until_the_next_line_fits() -> None:
    """A line of 16 tokens leaves room for one of eight, in 24."""
    documents, tokens = byte_tokens("aaaaaaa\n" * 3 + "b" * 15 + "\n" + "c\n")

    chunks = Lines(size=24, overlap=20).cut(documents, tokens)

    assert lines_of(chunks) == [(1, 3), (3, 4), (4, 5)]


def test_a_line_that_is_too_long_is_cut_inside_and_its_rest_is_packed() -> None:
    """There is no line start to overlap from inside a line."""
    documents, tokens = byte_tokens("a\n" + "b" * 40 + "\nc\n")

    chunks = Lines(size=16, overlap=4).cut(documents, tokens)

    assert lines_of(chunks) == [(1, 1), (2, 2), (2, 2), (2, 3)]
    assert tokens_of(chunks) == [(0, 2), (2, 18), (18, 34), (34, 45)]


def test_a_cut_never_parts_a_character() -> None:
    """Sixteen bytes end inside an emoji of four."""
    documents, tokens = byte_tokens("a" + "😀" * 10)

    chunks = Lines(size=16).cut(documents, tokens)

    assert [chunks.text(place, documents) for place in range(3)] == ["a😀😀😀", "😀" * 4, "😀" * 3]


def test_an_empty_document_has_no_chunk_and_a_blank_one_has_one() -> None:
    """Every line belongs to a chunk, and an empty file has no line."""
    documents = Documents.of([("a", ""), ("b", "\n\n\n"), ("c", ""), ("d", "x")])
    tokens = token_ends(documents)

    chunks = Lines().cut(documents, tokens)

    assert chunks.document.tolist() == [1, 3]
    assert lines_of(chunks) == [(1, 3), (1, 1)]


def test_a_line_without_a_token_of_its_own_stays_with_the_line_before() -> None:
    """One token may end several lines."""
    documents = Documents.of([("a", "aaaa\n\n\n\nbbbb\n")])
    tokens = TokenEnds(np.array([4, 8, 13], np.int32), np.array([3]))

    chunks = Lines(size=16).cut(documents, tokens)

    assert lines_of(chunks) == [(1, 5)]
    assert tokens_of(chunks) == [(0, 3)]


def test_a_file_is_one_chunk() -> None:
    """Lines and tokens are those of the whole file."""
    documents, tokens = byte_tokens("a\nb", "", "c\n")

    chunks = File().cut(documents, tokens)

    assert chunks.document.tolist() == [0, 2]
    assert lines_of(chunks) == [(1, 2), (1, 1)]
    assert tokens_of(chunks) == [(0, 3), (0, 2)]


@given(Text, st.integers(min_value=16, max_value=64))
@settings(deadline=None)
def test_chunks_without_overlap_make_the_document(text: str, size: int) -> None:
    """Nothing is lost or repeated."""
    documents, tokens = byte_tokens(text)

    chunks = Lines(size).cut(documents, tokens)

    assert "".join(chunks.texts(documents)) == text


@given(Text, st.integers(min_value=16, max_value=64))
@settings(deadline=None)
def test_a_chunk_ends_only_where_the_next_line_does_not_fit(text: str, size: int) -> None:
    """Packing is greedy, and only a line above the size is cut."""
    documents, tokens = byte_tokens(text)
    lines = [len(line.encode()) for line in text.split("\n")]
    lines = [length + 1 for length in lines[:-1]] + lines[-1:]

    chunks = Lines(size).cut(documents, tokens)

    for end_line, end in zip(chunks.end_line[:-1], chunks.end_token[:-1], strict=True):
        start = chunks.start_token[chunks.end_token == end][0]
        next_line_ends = sum(lines[: end_line + 1])
        whole_lines = sum(lines[:end_line]) == end
        assert next_line_ends - start > size if whole_lines else lines[end_line - 1] > size


@given(Text, st.integers(min_value=16, max_value=64), st.floats(min_value=0, max_value=1))
@settings(deadline=None)
def test_overlap_is_bounded_and_every_chunk_goes_further(
    text: str, size: int, share: float
) -> None:
    """Cutting ends, whatever the overlap."""
    documents, tokens = byte_tokens(text)
    overlap = int(share * (size - 1))

    chunks = Lines(size, overlap).cut(documents, tokens)

    repeated = chunks.end_token[:-1] - chunks.start_token[1:]
    assert np.all((repeated >= 0) & (repeated <= overlap))
    assert np.all(np.diff(chunks.start_token) > 0)
    assert np.all(np.diff(chunks.end_token) > 0)


@pytest.mark.parametrize(
    ("size", "overlap", "remedy"),
    [
        (15, 0, "size=15: a chunk has 16 to 8192 tokens"),
        (8193, 0, "size=8193: a chunk has"),
        (16, 16, "overlap=16: choose 0 to 15"),
        (16, -1, "overlap=-1: choose 0 to 15"),
    ],
)
def test_sizes_that_cannot_be_meant_are_refused(size: int, overlap: int, remedy: str) -> None:
    """The error says what is allowed."""
    with pytest.raises(ChunkerError, match=remedy):
        Lines(size, overlap)
