"""Chunks end at the strongest breaks; hand arithmetic on texts in which every byte is a token."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrievers.chunkers import Recursive, Tokens
from retrievers.chunkers.breaks import Layout
from retrievers.chunkers.line_starts import whole_line_starts
from retrievers.interface import Documents, TokenEnds


def byte_tokens(path: str, text: str) -> tuple[Documents, TokenEnds]:
    """Return a document in which every byte is a token."""
    documents = Documents.of([(path, text)])
    size = documents.size(0)
    return documents, TokenEnds(np.arange(1, size + 1, dtype=np.int32), np.array([size]))


def pieces(path: str, text: str, size: int, overlap: int = 0) -> list[str]:
    """Return the texts of the chunks."""
    documents, tokens = byte_tokens(path, text)
    return list(Recursive(size, overlap).cut(documents, tokens).texts(documents))


def test_paragraphs_are_packed_and_stay_whole() -> None:
    """Three of ten letters do not fit into 25, two do."""
    paragraph = "aaaa\nbbbb\n\n"

    found = pieces("a.txt", paragraph * 3, 25)

    assert found == [paragraph * 2, paragraph]


def test_a_section_of_markdown_begins_a_chunk_before_a_paragraph_does() -> None:
    """The second heading is stronger than the later paragraph that would fit."""
    first, second = "# One\n\nfirst text\n\n", "# Two\n\nab\n\ncd cd cd\n"

    found = pieces("a.md", first + second, 33)

    assert found == [first, second]


def test_a_lower_heading_gives_way_to_a_higher_one() -> None:
    """`#` before `##`, although both would fit."""
    text = "# A\naaaaaaaaa\n# B\nbbbb\n## C\ncccccccccccc\n"

    found = pieces("a.md", text, 32)

    assert found == ["# A\naaaaaaaaa\n", "# B\nbbbb\n## C\ncccccccccccc\n"]


def test_underlined_headings_are_headings() -> None:
    """Both kinds of Markdown, and not a rule below an empty line."""
    text = "Title\n=====\n\naaaa aaaa\n\nNext\n----\nbbbb\n\n---\nccc\n"

    found = pieces("a.md", text, 30)

    assert found == ["Title\n=====\n\naaaa aaaa\n\n", "Next\n----\nbbbb\n\n---\nccc\n"]


def test_a_fence_that_fits_is_not_cut() -> None:
    """Neither its empty lines nor what looks like a heading in it are breaks."""
    fence = "```sh\nmake\n\n# all\nmake it\n```\n"

    found = pieces("a.md", "text text text\n" + fence + "\nmore text\n", 36)

    assert found == ["text text text\n", fence + "\n", "more text\n"]


def test_a_fence_that_is_too_large_is_cut_at_its_empty_lines() -> None:
    """It must be cut somewhere."""
    fence = "```sh\n" + "make a\n" * 4 + "\n" + "make b\n" * 4 + "```\n"

    found = pieces("a.md", fence, 40)

    assert found == ["```sh\n" + "make a\n" * 4 + "\n", "make b\n" * 4 + "```\n"]


def test_titles_of_restructured_text_rank_by_their_first_appearance() -> None:
    """The overline belongs to the title; `-` came second, so it is the weaker one."""
    text = "===\nTop\n===\n\nOne\n---\naaaa\n\n===\nTwo\n===\n\nab\n\nSub\n---\nbbb\n"
    first, second = text[:27], text[27:]

    found = pieces("a.rst", text, 34)

    assert found == [first, second]


def test_configuration_is_cut_at_its_top_level_blocks() -> None:
    """Keys of the first column begin chunks, closing brackets do not."""
    text = '{\n  "one": {\n    "a": 1\n  },\n  "two": {\n    "b": 2\n  }\n}\n'

    found = pieces("a.json", text, 36)

    assert found == ['{\n  "one": {\n    "a": 1\n  },\n', '  "two": {\n    "b": 2\n  }\n}\n']


def test_a_small_beginning_joins_what_must_be_cut_anyway() -> None:
    """Else a decorator would be a chunk of its own."""
    text = "@d\ndef f():\n" + "    body()\n" * 8

    found = pieces("a.py", text, 48)

    assert found[0] == "@d\ndef f():\n" + "    body()\n" * 3


def test_a_small_beginning_stays_alone_where_what_follows_fits() -> None:
    """A whole section is worth more than a full chunk."""
    text = "# A\na\n\n# B\n" + "bbbbbbb\n" * 4

    found = pieces("a.md", text, 40)

    assert found == ["# A\na\n\n", "# B\n" + "bbbbbbb\n" * 4]


def test_a_long_line_is_cut_after_a_sentence_then_after_a_word() -> None:
    """A sentence that ends in the second half of a chunk ends it."""
    documents, tokens = byte_tokens("a.txt", "one two. three four five six seven eight")

    chunks = Recursive(size=16).cut(documents, tokens)

    assert list(chunks.texts(documents)) == ["one two.", " three four five", " six seven eight"]


def test_overlap_repeats_whole_lines() -> None:
    """As `lines` does."""
    found = pieces("a.txt", "aaaaaaa\n" * 5, 24, overlap=15)

    assert found == ["aaaaaaa\n" * 3, "aaaaaaa\n" * 3]


@pytest.mark.parametrize("overlap", [0, 5, 15])
def test_runs_of_tokens_have_the_size_and_repeat_the_overlap(overlap: int) -> None:
    """Only the last may be shorter."""
    documents, tokens = byte_tokens("a.txt", "abcdefg\n" * 10)

    chunks = Tokens(16, overlap).cut(documents, tokens)

    assert set((chunks.end_token - chunks.start_token)[:-1].tolist()) == {16}
    assert set((chunks.end_token[:-1] - chunks.start_token[1:]).tolist()) == {overlap}


Text = st.text("a#`-= .\n", min_size=1, max_size=300)


@given(Text, st.sampled_from(["a.md", "a.rst", "a.py"]), st.integers(16, 64))
@settings(deadline=None)
def test_chunks_without_overlap_make_the_document(text: str, path: str, size: int) -> None:
    """Nothing is lost or repeated, and only a line above the size is cut."""
    documents, tokens = byte_tokens(path, text)

    chunks = Recursive(size).cut(documents, tokens)

    assert "".join(chunks.texts(documents)) == text
    longest = [len(line) + 1 for line in text.split("\n")]
    for end in chunks.end_byte[:-1].tolist():
        assert text[end - 1] == "\n" or longest[text[:end].count("\n")] > size


@given(
    st.lists(st.text("a\t \n}\r<é/", max_size=30), max_size=4),
    st.integers(0, 500),
)
def test_the_look_of_lines_is_that_of_each_line_by_itself(texts: list[str], blanks: int) -> None:
    """However far a line is indented; blanks at the end of all are an empty line."""
    whole = [*texts, f"{' ' * blanks}b\n"]
    documents = Documents.of([(str(place), text) for place, text in enumerate(whole)])

    found = Layout.of(documents)

    content = documents.content.tobytes()
    shown = [len(content) - len(content[n:].lstrip(b" \t")) for n in whole_line_starts(documents)]
    assert found.shown.tolist() == shown
