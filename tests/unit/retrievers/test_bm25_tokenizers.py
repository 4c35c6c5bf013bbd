"""What each tokenizer makes of a text."""

import bm25s
import pytest
import Stemmer
from bm25s.stopwords import STOPWORDS_EN
from hypothesis import example, given
from hypothesis import strategies as st

from retrievers.errors import LexicalError
from retrievers.lexical import TOKENIZERS, TokenizerName, tokenize

KINDS: list[TokenizerName] = ["identifier", "stemmed", "plain", "english"]


@pytest.mark.parametrize(
    ("word", "tokens"),
    [
        ("getUserName", ["get", "user", "name", "getusername"]),
        ("UserName", ["user", "name", "username"]),
        ("user_name", ["user", "name", "user_name"]),
        ("user-name", ["user", "name", "user-name"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("parseHTML5Doc", ["parse", "html", "5", "doc", "parsehtml5doc"]),
        ("utf8", ["utf", "8", "utf8"]),
        ("MAX_SIZE", ["max", "size", "max_size"]),
        ("__init__", ["init", "__init__"]),
        ("my-HTTPServer2", ["my", "http", "server", "2", "httpserver2", "my-httpserver2"]),
        ("Word", ["word"]),
        ("word", ["word"]),
        ("ABC", ["abc"]),
        ("42", ["42"]),
        ("ÜberGröße", ["über", "größe", "übergröße"]),
        ("用户", ["用户"]),
        ("___", []),
        ("--", []),
        ("2024-01-31", ["2024", "01", "31"]),
        ("a->b", ["a", "b"]),
    ],
)
def test_identifiers_are_split_and_kept(word: str, tokens: list[str]) -> None:
    """A name is found by its parts and by itself."""
    found = tokenize(word, "identifier")

    assert found == tokens


def test_stemmed_names_meet_the_words_of_prose() -> None:
    """A name is found by its parts in any form, and by itself."""
    names, prose = (
        tokenize("renderTemplates", "stemmed"),
        tokenize("rendering of a templ", "stemmed"),
    )

    assert names == ["render", "templat", "rendertempl"]
    assert prose == ["render", "of", "a", "templ"]


def test_plain_words_are_only_lower_cased() -> None:
    """Names stay whole."""
    found = tokenize("The getUserName(user_id), of A", "plain")

    assert found == ["the", "getusername", "user_id", "of", "a"]


def test_english_words_lose_endings_and_stop_words() -> None:
    """Words of one letter are dropped too."""
    found = tokenize("The running foxes of a x", "english")

    assert found == ["run", "fox"]


@given(st.text("abcxyz ABC thein'-_.é1", max_size=200))
def test_english_is_what_bm25s_and_snowball_make_of_it(text: str) -> None:
    """The usual English pipeline has a reference."""
    expected = bm25s.tokenize(
        [text],
        stopwords=list(STOPWORDS_EN),
        stemmer=Stemmer.Stemmer("english"),
        return_ids=False,
        show_progress=False,
    )[0]

    found = tokenize(text, "english")

    assert found == expected


@pytest.mark.parametrize("word", STOPWORDS_EN)
def test_the_stop_words_are_those_of_bm25s(word: str) -> None:
    """Published numbers stand on this list."""
    found = tokenize(f"{word} other", "english")

    assert found == ["other"]


@pytest.mark.parametrize("kind", KINDS)
@given(text=st.text(max_size=200))
def test_tokens_are_never_empty_and_have_no_white_space(kind: TokenizerName, text: str) -> None:
    """Tokens are words, whatever the text."""
    found = tokenize(text, kind)

    assert all(token and not any(letter.isspace() for letter in token) for token in found)


@given(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,30}", fullmatch=True))
def test_an_identifier_can_be_found_by_its_name_in_any_case(name: str) -> None:
    """Splitting never loses the original."""
    found = tokenize(name, "identifier")

    assert name.lower() in found or not name.strip("_")


def test_every_tokenizer_is_tested_here() -> None:
    """A new tokenizer joins these tests."""
    assert sorted(TOKENIZERS) == sorted(KINDS)


def test_an_unknown_tokenizer_is_refused_with_the_known_ones() -> None:
    """The error says what to choose from."""
    with pytest.raises(LexicalError, match="tokenizer=klingon is not known; choose one of ident"):
        tokenize("x", "klingon")


@pytest.mark.parametrize("kind", ["camel+klingon", "camel+", "+", "", "camel snake"])
def test_parts_that_there_are_not_are_refused_with_those_there_are(kind: str) -> None:
    with pytest.raises(LexicalError, match=r"or join some of camel\+snake\+kebab"):
        tokenize("x", kind)


SAME = {
    "identifier": "camel+snake+kebab+digits+original",
    "stemmed": "camel+snake+kebab+digits+original+stem",
    "english": "stem+stop+long",
}


@pytest.mark.parametrize(("named", "parts"), SAME.items())
@example(text="İ")
@given(
    text=st.one_of(
        st.text(max_size=60), st.text("aBcDE01_- 9ßÜλ", max_size=40), st.from_regex(r"\w{1,20}")
    )
)
def test_what_has_a_name_is_what_its_parts_make(named: str, parts: str, text: str) -> None:
    """In whatever script, with whatever marks."""
    assert tokenize(text, parts) == tokenize(text, named)


@pytest.mark.parametrize(
    ("kind", "tokens"),
    [
        ("camel", ["my", "get", "http", "server2_x"]),
        ("snake", ["my", "gethttpserver2", "x"]),
        ("digits", ["my", "gethttpserver", "2", "_x"]),
        ("kebab", ["my", "gethttpserver2_x"]),
        ("original", ["my", "gethttpserver2_x"]),
        ("kebab+original", ["my", "gethttpserver2_x", "my-gethttpserver2_x"]),
        ("camel+snake", ["my", "get", "http", "server2", "x"]),
        ("camel+snake+long", ["my", "get", "http", "server2"]),
        ("camel+snake+original", ["my", "get", "http", "server2", "x", "gethttpserver2_x"]),
    ],
)
def test_each_part_does_its_own(kind: str, tokens: list[str]) -> None:
    """Worked out by hand."""
    assert tokenize("my-getHTTPServer2_x", kind) == tokens
