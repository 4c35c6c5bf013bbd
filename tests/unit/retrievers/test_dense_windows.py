"""Windows: whole lines that fit a model, covering every text, of chunks or of documents."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import WordPiece

from retrievers.dense import (
    EmbeddingModel,
    Windows,
    cut_chunk_windows,
    cut_windows,
    members,
    window_text,
    window_texts,
)
from retrievers.dense.reader import Reader, text_token_ends
from retrievers.errors import ModelError
from retrievers.interface import Chunks, Documents

WINDOW = 20


@dataclass(frozen=True)
class Cutter:
    """An encoder without a model."""

    reader: Reader


def _tokenizer() -> Tokenizer:
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "alpha", "beta", "gamma", "##x", "é", "日"]
    words += [*"abcdefgxyz./_-1234567890", *(f"##{letter}" for letter in "abcdefgyz")]
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token=words[1]))
    tokenizer.normalizer = normalizers.BertNormalizer(strip_accents=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return tokenizer


def _cutter(*, path_header: bool = True, window: int = WINDOW, passage_prompt: str = "") -> Cutter:
    settings = EmbeddingModel(
        window=window, path_header=path_header, passage_prompt=passage_prompt
    )
    return Cutter(Reader(_tokenizer(), settings, longest=64))


def _chunks(rows: list[tuple[int, int, int]]) -> Chunks:
    """Return chunks of (document, start byte, end byte); their lines do not matter here."""
    document, start, end = (np.array(column, np.int32) for column in zip(*rows, strict=True))
    zeros = np.zeros(len(rows), np.int32)
    return Chunks(document, start, end, zeros, zeros, zeros, zeros)


def _windows(rows: list[tuple[int, int, int]]) -> Windows:
    """Return windows of documents (document, start byte, end byte) without headers."""
    document, start, end = (np.array(column, np.int32) for column in zip(*rows, strict=True))
    zeros = np.zeros(len(rows), np.int32)
    return Windows(document, start, end, zeros, zeros, zeros, zeros, zeros - 1, zeros, ("",))


def _pairs(windows: Windows, chunks: Chunks) -> list[tuple[int, int]]:
    chunk, window = members(windows, chunks)
    return list(zip(chunk.tolist(), window.tolist(), strict=True))


def test_lines_are_packed_until_the_next_would_not_fit() -> None:
    documents = Documents.of([("ids", "alpha beta gamma alpha beta\n" * 7)])

    windows = cut_windows(documents, _cutter())

    assert windows.start_line.tolist() == [1, 4, 7]
    assert windows.end_line.tolist() == [3, 6, 7]
    assert windows.length.tolist() == [17, 17, 7]
    assert windows.truncated.sum() == 0


def test_the_path_stands_above_a_window_and_takes_its_room() -> None:
    documents = Documents.of([("a/b.c", "alpha beta gamma alpha beta\n" * 3)])
    cutter = _cutter()

    windows = cut_windows(documents, cutter)

    assert windows.end_line.tolist() == [2, 3]
    assert windows.length.tolist() == [2 + 5 + 10, 2 + 5 + 5]
    assert window_text(windows, 1, documents) == "a/b.c\nalpha beta gamma alpha beta\n"


@pytest.mark.parametrize("path", ["MED-10", "4983", "Makefile", "v1.2", ""])
def test_an_id_is_no_path_and_gives_no_header(path: str) -> None:
    assert _cutter().reader.header(path) == ""


@pytest.mark.parametrize("path", ["a.py", "src/Makefile", ".gitignore"])
def test_a_path_gives_a_header_unless_headers_are_off(path: str) -> None:
    assert _cutter().reader.header(path) == f"{path}\n"
    assert _cutter(path_header=False).reader.header(path) == ""


def test_a_path_longer_than_half_of_the_window_keeps_its_end() -> None:
    header = _cutter().reader.header("a/b/c/d/e/f/g/a/b/c/d.py")

    assert header == "/a/b/c/d.py\n"


def test_a_line_that_is_too_long_is_cut_between_words() -> None:
    line = " ".join(["alpha", "ax", "betax"] * 8)
    documents = Documents.of([("id", f"alpha\n{line}\nbeta\n")])

    windows = cut_windows(documents, _cutter())

    texts = [
        documents.slice(0, int(s), int(e))
        for s, e in zip(windows.start_byte, windows.end_byte, strict=True)
    ]
    assert "".join(texts) == documents.text(0)
    assert windows.start_line.tolist() == [1, 2, 2, 2, 3]
    assert all(text.split()[0] in {"alpha", "ax", "betax", "beta"} for text in texts)
    assert windows.length.max() <= WINDOW
    assert windows.truncated.sum() == 0


def test_an_empty_document_and_a_blank_one_have_a_window() -> None:
    documents = Documents.of([("a", ""), ("b", "\n\n  \n")])

    windows = cut_windows(documents, _cutter())

    assert windows.document.tolist() == [0, 1]
    assert windows.end_byte.tolist() == [0, 5]
    assert windows.length.tolist() == [2, 2]


def test_blank_lines_alone_have_no_window_where_there_is_other_text() -> None:
    long_line = " ".join(["alpha"] * 30)
    documents = Documents.of([("a", f"\n\n{long_line}\n\n\n{long_line}")])

    windows = cut_windows(documents, _cutter())

    assert windows.start_line.tolist() == [3, 3, 6, 6]


def test_no_documents_have_no_windows() -> None:
    assert len(cut_windows(Documents.of([]), _cutter())) == 0


def test_a_window_beyond_what_the_model_reads_is_refused() -> None:
    with pytest.raises(ModelError, match="window=100: all-MiniLM-L6-v2 reads at most 64 tokens"):
        _cutter(window=100)


def test_the_prompt_takes_its_room_too() -> None:
    documents = Documents.of([("id", "alpha beta gamma alpha beta\n" * 3)])

    windows = cut_windows(documents, _cutter(passage_prompt="alpha beta gamma a "))

    assert windows.end_line.tolist() == [2, 3]
    assert windows.length.tolist() == [16, 11]


_LINES = st.lists(st.text(st.sampled_from("ab x.é日\ud800\t"), max_size=60), max_size=12)


@given(_LINES, st.sampled_from(["a", "dir/name.py"]))
def test_windows_cover_every_text_in_order_and_fit_the_model(lines: list[str], path: str) -> None:
    documents = Documents.of([(path, "\n".join(lines))])
    cutter = _cutter()

    windows = cut_windows(documents, cutter)

    covered = np.zeros(documents.size(0), int)
    for start, end in zip(windows.start_byte, windows.end_byte, strict=True):
        covered[start:end] += 1
    missed = documents.content[covered == 0].tobytes().decode("utf-8", "surrogatepass")
    assert covered.max(initial=0) <= 1
    assert not missed.strip()
    assert (np.diff(windows.start_byte) > 0).all()
    for number, text in enumerate(window_texts(documents, windows)):
        tokens = cutter.reader.length(text)
        assert windows.length[number] + windows.truncated[number] == tokens
        assert windows.length[number] <= WINDOW


def test_a_truncated_chunk_is_its_beginning_and_what_it_hides_is_counted() -> None:
    text = "alpha beta gamma alpha beta\n" * 8
    documents = Documents.of([("id", text)])
    half = len(text) // 2

    windows = cut_chunk_windows(
        documents,
        _chunks([(0, 0, 28), (0, 0, half), (0, half, len(text))]),
        _cutter(),
        beginning=True,
    )

    assert windows.length.tolist() == [7, 20, 20]
    assert windows.truncated.tolist() == [0, 2, 2]
    assert documents.slice(0, int(windows.start_byte[2]), int(windows.end_byte[2])) == (
        "alpha beta gamma alpha beta\n" * 3 + "alpha beta gamma "
    )


def test_what_a_tokenizer_that_does_not_add_up_hides_is_counted_too() -> None:
    tokenizer = _tokenizer()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.BertPreTokenizer()])
    cutter = Cutter(Reader(tokenizer, EmbeddingModel(window=WINDOW), longest=64))
    documents = Documents.of([("id", "alpha beta gamma\n" * 9)])

    windows = cut_windows(documents, cutter)

    assert not cutter.reader.additive
    assert windows.length.tolist() == [20, 11]


def test_the_windows_of_a_chunk_begin_with_it_and_end_in_it() -> None:
    line = "alpha beta gamma alpha beta\n"
    documents = Documents.of([("ids", line * 7)])
    chunks = _chunks([(0, 0, 2 * len(line)), (0, 2 * len(line) + 6, 7 * len(line))])

    windows = cut_chunk_windows(documents, chunks, _cutter())

    assert windows.chunk.tolist() == [0, 1, 1]
    assert window_texts(documents, windows) == [
        2 * line,
        "beta gamma alpha beta\n" + 2 * line,
        2 * line,
    ]
    assert _pairs(windows, chunks) == [(0, 0), (1, 1), (1, 2)]


def test_a_chunk_without_text_has_a_window_of_its_own() -> None:
    documents = Documents.of([("a", ""), ("b", "alpha\n" + "\n" * 40)])
    chunks = _chunks([(0, 0, 0), (1, 0, 6), (1, 6, 46)])

    windows = cut_chunk_windows(documents, chunks, _cutter())

    assert windows.chunk.tolist() == [0, 1, 2]


def test_the_lines_of_a_chunks_windows_are_counted_from_the_documents_first() -> None:
    documents = Documents.of([("ids", "alpha beta gamma alpha beta\n" * 7)])
    chunks = _chunks([(0, 2 * 28, 7 * 28)])
    chunks = replace(chunks, start_line=np.array([3], np.int32))

    windows = cut_chunk_windows(documents, chunks, _cutter())

    assert windows.start_line.tolist() == [3, 6]
    assert windows.end_line.tolist() == [5, 7]


def test_the_header_of_a_chunk_stands_above_each_of_its_windows_with_the_path_once() -> None:
    documents = Documents.of([("a/b.c", "alpha beta gamma alpha beta\n" * 3)])
    chunks = replace(_chunks([(0, 0, 56), (0, 56, 84)]), headers=("a/b.c\nx\n", "a/b.c\n"))

    windows = cut_chunk_windows(documents, chunks, _cutter())

    line = "alpha beta gamma alpha beta\n"
    assert window_texts(documents, windows) == [
        f"a/b.c\nx\n{line}{line}",
        f"a/b.c\n{line}",
    ]
    assert windows.length.tolist() == [2 + 6 + 10, 2 + 5 + 5]


def test_a_long_header_keeps_its_path_and_the_lines_next_to_the_text() -> None:
    reader = _cutter().reader

    header = reader.header("a.c", "a.c\nalpha alpha alpha\nalpha beta\ngamma alpha beta\n")

    assert header == "a.c\nalpha beta\ngamma alpha beta\n"


@given(_LINES, st.lists(st.integers(0, 200), max_size=5), st.sampled_from(["a", "dir/name.py"]))
def test_windows_of_chunks_cover_them_fit_the_model_and_do_not_leave_them(
    lines: list[str], cuts: list[int], path: str
) -> None:
    text = "\n".join(lines)
    documents = Documents.of([(path, text)])
    ends = [len(text[:cut].encode("utf-8", "surrogatepass")) for cut in sorted(cuts)]
    edges = pairwise(sorted({0, *ends, documents.size(0)}))
    chunks = _chunks([(0, *edge) for edge in edges] or [(0, 0, 0)])
    cutter = _cutter()

    windows = cut_chunk_windows(documents, chunks, cutter)

    assert set(windows.chunk.tolist()) == set(range(len(chunks)))
    for number in range(len(chunks)):
        own = np.flatnonzero(windows.chunk == number)
        starts, ends_ = windows.start_byte[own], windows.end_byte[own]
        assert starts.min() >= chunks.start_byte[number]
        assert ends_.max() <= chunks.end_byte[number]
        seen = "".join(
            documents.slice(0, int(a), int(b)) for a, b in zip(starts, ends_, strict=True)
        )
        assert "".join(seen.split()) == "".join(chunks.text(number, documents).split())
    assert windows.length.max() <= WINDOW
    for number, shown in enumerate(window_texts(documents, windows)):
        tokens = cutter.reader.length(shown)
        assert windows.length[number] + windows.truncated[number] == tokens


@given(
    st.lists(st.text(st.sampled_from("ab x.é\t\n"), max_size=80), min_size=3, max_size=3),
    st.text(st.sampled_from("ab x.é日\n"), max_size=40),
    st.booleans(),
)
def test_what_stands_around_a_chunk_changes_nothing_in_its_windows(
    pieces: list[str], other: str, beginning: bool
) -> None:
    """Not even where a border cuts a word or a line in two."""
    texts = []
    for around in (pieces, [other, pieces[1], other + pieces[2]]):
        documents = Documents.of([("dir/name.py", "".join(around))])
        start = len(around[0].encode())
        chunks = _chunks([(0, start, start + len(around[1].encode()))])
        windows = cut_chunk_windows(documents, chunks, _cutter(), beginning=beginning)
        texts.append((window_texts(documents, windows), windows.length.tolist()))

    assert texts[0] == texts[1]


def test_a_window_counts_where_more_than_30_percent_of_it_lies() -> None:
    windows = _windows([(0, 0, 100), (0, 100, 200), (0, 200, 300)])
    chunks = _chunks([(0, 0, 130), (0, 130, 231), (0, 231, 300)])

    pairs = _pairs(windows, chunks)

    assert pairs == [(0, 0), (1, 1), (1, 2), (2, 2)]


def test_a_chunk_with_too_little_of_any_window_has_the_one_it_overlaps_most() -> None:
    windows = _windows([(0, 0, 100), (0, 100, 200), (1, 0, 100)])
    chunks = _chunks([(0, 90, 110), (0, 95, 120), (1, 5, 15)])

    assert _pairs(windows, chunks) == [(0, 0), (1, 1), (2, 2)]


def test_a_chunk_in_a_gap_or_of_an_empty_file_has_a_window_of_its_document() -> None:
    windows = _windows([(0, 0, 10), (0, 20, 30), (1, 0, 0), (2, 0, 10)])
    chunks = _chunks([(0, 12, 15), (1, 0, 0), (2, 0, 10)])

    assert _pairs(windows, chunks) == [(0, 1), (1, 2), (2, 3)]


_CUTS = st.lists(st.integers(1, 99), min_size=0, max_size=8, unique=True)


@given(st.lists(st.tuples(_CUTS, _CUTS), min_size=1, max_size=4))
def test_members_are_those_of_a_plain_loop(cuts: list[tuple[list[int], list[int]]]) -> None:
    windows = _windows([piece for n, (own, _) in enumerate(cuts) for piece in _pieces(n, own)])
    chunks = _chunks([piece for n, (_, own) in enumerate(cuts) for piece in _pieces(n, own)])

    assert _pairs(windows, chunks) == _by_loop(windows, chunks)


def _pieces(document: int, cuts: list[int]) -> list[tuple[int, int, int]]:
    bounds = [0, *sorted(cuts), 100]
    return [(document, a, b) for a, b in pairwise(bounds)]


def _by_loop(windows: Windows, chunks: Chunks) -> list[tuple[int, int]]:
    pairs = []
    for chunk in range(len(chunks)):
        shares = {}
        for window in range(len(windows)):
            if windows.document[window] == chunks.document[chunk]:
                start = max(windows.start_byte[window], chunks.start_byte[chunk])
                end = min(windows.end_byte[window], chunks.end_byte[chunk])
                shares[window] = int(end) - int(start)
        kept = [
            window
            for window, share in shares.items()
            if share > 0.3 * (windows.end_byte[window] - windows.start_byte[window])
        ]
        pairs += [
            (chunk, window) for window in kept or [max(shares, key=lambda w: (shares[w], -w))]
        ]
    return pairs


def test_tokens_of_a_model_leave_no_gap() -> None:
    """White space belongs to the token before it, and to the first where none is before."""
    reader = Reader(_tokenizer(), EmbeddingModel(window=WINDOW), longest=64)

    assert text_token_ends(reader, "  alpha é\n beta ").tolist() == [8, 12, 17]
    assert text_token_ends(reader, " \n ").tolist() == [3]
    assert text_token_ends(reader, "").tolist() == []
