"""Token ends are true byte offsets, whatever the text."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrievers.chunkers import Tokens, recounted, token_ends, token_lines
from retrievers.chunkers.tokens import _check, _encoder, _encoder_of_package, _pieces
from retrievers.errors import TokenizerError
from retrievers.interface import Documents

HOSTILE = {
    "emoji": "x = '👩‍👩‍👧‍👦🏳️‍🌈'\n" * 50,
    "lone surrogate": "a\ud800b\udfffc",
    "surrogate pair": "a\ud83d\ude00b",
    "special token": "<|endoftext|> and <|fim_prefix|>",
    "nul bytes": "\x00\x00a\x00\n",
    "other line breaks": "a\r\nb\rc\u2028d\x0be",
    "long line": "αβγ👍" * 100_000,
    "blank": "\n" * 300_000,
}


def numbers(text: str) -> list[int]:
    """Return the tokens of a text that is encoded whole."""
    encode, _ = _encoder("o200k_base")
    return list(encode(text))


def test_tokens_end_where_a_known_encoding_says() -> None:
    """o200k parts `hello world` before the space."""
    documents = Documents.of([("a.txt", "hello world"), ("b.txt", ""), ("c.txt", "hello")])

    tokens = token_ends(documents)

    assert tokens.ends.tolist() == [5, 11, 5]
    assert tokens.stops.tolist() == [2, 2, 3]
    assert tokens.of(1).tolist() == []


def test_characters_can_be_counted_instead_of_tokens() -> None:
    """A character of several bytes is one, and a carriage return is one."""
    documents = Documents.of([("a.txt", "aé日\r\n"), ("b.txt", "")])

    tokens = token_ends(documents, "characters")

    assert tokens.of(0).tolist() == [1, 3, 6, 7, 8]
    assert tokens.of(1).tolist() == []


@pytest.mark.parametrize("name", HOSTILE)
def test_characters_cover_hostile_texts_as_well(name: str) -> None:
    documents = Documents.of([("a", HOSTILE[name])])

    ends = token_ends(documents, "characters").of(0)

    assert len(ends) == len(HOSTILE[name])
    assert ends[-1] == documents.size(0)


def test_chunks_are_counted_again_in_other_tokens() -> None:
    """A token that a boundary cuts counts in both chunks; o200k parts `hello| world|\\n`."""
    documents = Documents.of([("a.txt", "x" * 16), ("b.txt", "hello world\nhello world\n")])
    o200k = token_ends(documents)
    assert o200k.of(1).tolist() == [5, 11, 12, 17, 23, 24]

    chunks = recounted(
        Tokens(16).cut(documents, token_ends(documents, "characters")), documents, o200k
    )

    assert chunks.end_byte[1:].tolist() == [16, 24]
    assert chunks.start_token[1:].tolist() == [0, 3]
    assert chunks.end_token[1:].tolist() == [4, 6]


@given(st.lists(st.text("ab(){} \n\té😀", max_size=200), max_size=4), st.integers(16, 40))
def test_chunks_of_the_same_tokens_keep_their_counts(texts: list[str], size: int) -> None:
    documents = Documents.of([(str(number), text) for number, text in enumerate(texts)])
    tokens = token_ends(documents, "characters")
    chunks = Tokens(size).cut(documents, tokens)

    again = recounted(chunks, documents, tokens)

    assert again.start_token.tolist() == chunks.start_token.tolist()
    assert again.end_token.tolist() == chunks.end_token.tolist()


def test_no_documents_have_no_tokens() -> None:
    """A repository may be empty."""
    tokens = token_ends(Documents.of([]))

    assert len(tokens.ends) == 0
    assert len(tokens.stops) == 0


@pytest.mark.parametrize("name", HOSTILE)
def test_tokens_cover_hostile_texts_to_the_last_byte(name: str) -> None:
    """No text shifts the offsets of what comes after it."""
    documents = Documents.of([("a", HOSTILE[name]), ("b", "after")])

    tokens = token_ends(documents)

    assert tokens.of(0)[-1] == documents.size(0)
    assert np.all(np.diff(tokens.of(0)) > 0)
    assert tokens.of(1).tolist() == [5]


def test_a_file_of_five_megabytes_has_the_tokens_that_its_halves_have() -> None:
    """The tokenizer's limit on a text's length is not ours."""
    lines = "".join(f"    value_{number} = compute({number} * 3);\n" for number in range(140_000))
    documents = Documents.of([("whole", lines)])

    tokens = token_ends(documents)

    parts = lines.splitlines(keepends=True)
    counted = sum(
        len(numbers("".join(parts[start : start + 2000]))) for start in range(0, len(parts), 2000)
    )
    assert documents.size(0) > 5_000_000
    assert tokens.of(0)[-1] == documents.size(0)
    assert len(tokens.ends) == counted


@given(st.text("ab;/\n\r\t 1é\u3000😀", max_size=300), st.integers(min_value=16, max_value=60))
@settings(deadline=None)
def test_pieces_are_small_and_make_the_text(text: str, limit: int) -> None:
    """Nothing is lost or repeated between pieces."""
    pieces = list(_pieces(text, limit))

    assert "".join(pieces) == text
    assert all(len(piece.encode()) <= limit for piece in pieces)


@given(st.lists(st.text("ab;/\n\r\t 1é\u3000😀'", max_size=4), min_size=8, max_size=20))
@settings(deadline=None)
def test_cutting_at_a_line_break_changes_no_token(lines: list[str]) -> None:
    """A large file has the tokens that it would have if it were encoded whole."""
    text = "\nx".join(lines)

    found = [number for piece in _pieces(text, 40) for number in numbers(piece)]

    assert found == numbers(text)


@given(st.lists(st.text("ab \n\t{}/é😀", max_size=40), min_size=1, max_size=4))
@settings(deadline=None)
def test_a_token_is_on_the_line_in_which_it_starts(texts: list[str]) -> None:
    """A token may span several lines."""
    documents = Documents.of([(f"{number}", text) for number, text in enumerate(texts)])
    tokens = token_ends(documents)

    lines = token_lines(documents, tokens)

    expected = [
        documents.text(document).encode()[:start].count(b"\n") + 1
        for document in range(len(documents))
        for start in [0, *tokens.of(document).tolist()][:-1]
    ]
    assert lines.dtype == np.int32
    assert lines.tolist() == expected


def test_another_encoding_gives_other_tokens() -> None:
    """The encoding is a setting, not only a name."""
    documents = Documents.of([("a", "नमस्ते दुनिया")])

    large, small = token_ends(documents), token_ends(documents, "cl100k_base")

    assert len(small.ends) > len(large.ends)
    assert small.ends[-1] == large.ends[-1]


def test_an_unknown_encoding_is_refused_with_the_known_ones() -> None:
    """The error says what to choose from."""
    with pytest.raises(TokenizerError, match=r"encoding=p9 is not known; choose one of .*o200k"):
        token_ends(Documents.of([("a", "b")]), "p9")


@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
def test_the_extension_alone_gives_the_tokens_of_the_package(encoding: str) -> None:
    texts = ["def f(x):\n    return x\n", "", "<|endoftext|> é👍\ufffd", "日本語" * 20_000]

    encode, lengths = _encoder(encoding)
    encode_by_package, lengths_by_package = _encoder_of_package(encoding)

    assert [*map(encode, texts)] == [*map(encode_by_package, texts)]
    assert lengths.tolist() == lengths_by_package[: len(lengths)].tolist()
    assert len(lengths_by_package) - len(lengths) < 30  # special tokens, which no text has


def test_finding_tokens_loads_no_vocabulary_but_its_own() -> None:
    code = (
        "import sys; from retrievers.chunkers import token_ends;"
        "from retrievers.interface import Documents;"
        "token_ends(Documents.of([('a.txt', 'hello world')]));"
        "sys.exit('bpe_openai' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_tokens_that_do_not_add_up_are_refused() -> None:
    """A wrong offset must never become a wrong span."""
    with pytest.raises(TokenizerError, match=r"src/a\.py: its tokens make 3 bytes of 4"):
        _check(3, 4, "src/a.py")


@pytest.mark.parametrize("first", ["bpe_openai", "retrievers.chunkers"])
def test_counting_alone_gives_the_same_numbers_before_and_after_the_package(first: str) -> None:
    texts = ["def f(x):\n    return x\n", "", "<|endoftext|> é\ud800", "y" * 450_000]
    documents = Documents.of([(f"{place}", text) for place, text in enumerate(texts)])
    expected = np.diff(token_ends(documents).stops, prepend=0).tolist()
    code = (
        f"import {first}; from retrievers.chunkers import count_tokens;"
        "texts = eval(input()); print(count_tokens(texts).tolist());"
        "import bpe_openai; encode = bpe_openai.get_encoding('o200k_base').encode_ordinary;"
        "assert len(encode(texts[0])) == count_tokens(texts)[0]"
    )

    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        input=repr(texts),
        capture_output=True,
        text=True,
        check=True,
    )

    assert found.stdout.strip() == str(expected)
