"""Stop words and stemmers of BM25 are settings of their own, whatever the tokenizer."""

import re
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import pytest
import Stemmer

from bench.errors import SettingError
from bench.settings.retrieving import parse_retrieval
from retrievers.lexical import BM25, BM25Index, count_words, tokenize

TEXT = "The generalizations of his_ManyBodies were generously relational, and the running ran"
PORTER, SNOWBALL = Stemmer.Stemmer("porter").stemWord, Stemmer.Stemmer("english").stemWord
LUCENE = set(
    re.findall(
        r"\w+",
        "a an and are as at be but by for if in into is it no not of on or such that the their"
        " then there these they this to was will with",
    )
)


def bm25(**own: Any) -> BM25:
    """Return the settings that a configuration describes."""
    node = {"kind": "bm25", "tokenizer": "identifier", **own}
    (found,) = parse_retrieval({"retriever": node, "measure_level": None}).channels
    assert isinstance(found, BM25)
    return found


def words(**own: Any) -> list[str]:
    """Return the tokens of the text."""
    return tokenize(TEXT, bm25(**own).tokenizer)


def expected(pattern: str, *, stop: set[str], stem: Any) -> list[str]:
    """Return the tokens that plain Python gives."""
    return [stem(word) for word in re.findall(pattern, TEXT.lower()) if word not in stop]


@pytest.mark.parametrize("stop", [None, "none", "default"])
@pytest.mark.parametrize("stemmer", [None, "none", "porter", "snowball"])
@pytest.mark.parametrize("tokenizer", ["plain", "english"])
def test_every_choice_replaces_its_part_alone(
    tokenizer: str, stop: str | None, stemmer: str | None
) -> None:
    is_english = tokenizer == "english"
    stops = LUCENE if stop == "default" or (stop is None and is_english) else set()
    stem = {"porter": PORTER, "snowball": SNOWBALL, "none": str}[
        stemmer or ("snowball" if is_english else "none")
    ]

    found = words(tokenizer=tokenizer, stop_words=stop, stemmer=stemmer)

    assert found == expected(r"\w\w+" if is_english else r"\w+", stop=stops, stem=stem)


def test_the_words_of_names_are_cut_before_they_are_stemmed() -> None:
    assert words(tokenizer="stemmed", stemmer="none") == words(tokenizer="identifier")
    assert words(tokenizer="identifier", stemmer="snowball") == words(tokenizer="stemmed")
    assert words(tokenizer="snake+stem", stemmer="none") == words(tokenizer="snake")
    assert words(tokenizer="snake+stop", stop_words="none") == words(tokenizer="snake")
    assert words(tokenizer="snake", stop_words="default") == words(tokenizer="snake+stop")


def test_unset_both_follow_the_tokenizer() -> None:
    assert bm25() == BM25("identifier")
    assert bm25(tokenizer="english", stop_words=None, stemmer=None) == BM25("english")


def test_stop_words_are_read_from_a_file_and_known_by_what_it_holds(tmp_path: Path) -> None:
    for name, content in (("a.txt", "THE\nrunning\n"), ("b.txt", "running the"), ("c.txt", "the")):
        (tmp_path / name).write_text(content, encoding="utf-8")

    a, b, c = (bm25(tokenizer="plain", stop_words=str(tmp_path / f"{name}.txt")) for name in "abc")

    assert a == b != c
    assert tokenize(TEXT, a.tokenizer) == expected(r"\w+", stop={"the", "running"}, stem=str)


@pytest.mark.parametrize(
    ("own", "said"),
    [
        (
            {"stop_words": "nowhere.txt"},
            r"retriever\.stop_words=nowhere\.txt: cannot be read",
        ),
        ({"stemmer": "lancaster"}, r"retriever\.stemmer=lancaster: not one of its values"),
        ({"tokenizer": "made up", "stemmer": "none"}, "tokenizer=made up"),
    ],
)
def test_what_is_wrong_is_named(own: dict[str, str], said: str) -> None:
    with pytest.raises(SettingError, match=said):
        bm25(**own)


def test_words_that_a_name_cannot_hold_are_refused(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("a,b", encoding="utf-8")

    with pytest.raises(SettingError, match=r"has \| or , in a word"):
        bm25(stop_words=str(tmp_path / "words.txt"))


def test_scores_equal_bm25s_with_the_same_tokens() -> None:
    """Lucene's variant, Porter's stems and Lucene's stop words."""
    settings = bm25(tokenizer="plain", stop_words="default", stemmer="porter", k1=0.9, b=0.4)
    texts = [TEXT, "bodies that ran", "a general relation", "nothing of the kind"]
    plain = [
        [PORTER(word) for word in re.findall(r"\w+", text.lower()) if word not in LUCENE]
        for text in texts
    ]
    theirs = bm25s.BM25(method="lucene", k1=0.9, b=0.4)
    theirs.index(plain, show_progress=False)

    ours = BM25Index(count_words(texts, settings.tokenizer), settings)

    for query, tokens in zip(texts, plain, strict=True):
        np.testing.assert_allclose(ours.scores(query), theirs.get_scores(tokens), rtol=1e-5)
