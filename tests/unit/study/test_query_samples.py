"""A round asks the first queries of each repository, and every later one asks them again."""

from itertools import pairwise
from pathlib import Path

import pytest

from bench.corpora import LocalSource
from bench.engine import ArtifactStore
from bench.settings import RepositorySettings, SuiteSettings
from bench.study import Corpus, first_queries, most_queries, prepare


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """Nine queries in three categories, one of them negative."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "cart.py").write_text("total = 1\n", encoding="utf-8")
    lines = [
        f"- {{id: q{number}, query: ask {number}, category: {category}, "
        "expected_files: [cart.py]}"
        for number, category in enumerate("aaaaabbc")
    ]
    lines.append("- {id: none, query: nothing, negative: true}")
    queries = tmp_path / "queries.yaml"
    queries.write_text("\n".join(["queries:", *lines]) + "\n", encoding="utf-8")
    place = RepositorySettings("shop", LocalSource(str(tmp_path / "code")), queries)
    return prepare(SuiteSettings("own", (place,)), ArtifactStore(str(tmp_path / "s")), level=None)


def asked(corpus: Corpus) -> list[str]:
    """Return the ids of what is asked, in the order of the file."""
    return [query.id for one in corpus.repositories for query in one.queries]


def test_each_category_is_asked_before_any_is_asked_again(corpus: Corpus) -> None:
    """Three queries: one of each; five: two of a and b, and the one of c."""
    for size, categories in ((3, "abc"), (5, "aabbc")):
        rung = first_queries(corpus, size, seed=0)

        found = [query.category for one in rung.repositories for query in one.queries]
        assert "".join(found) == categories


def test_a_later_rung_asks_all_that_an_earlier_one_did(corpus: Corpus) -> None:
    """And never a query without targets."""
    rungs = [asked(first_queries(corpus, size, seed=1)) for size in range(1, 10)]

    assert all(set(one) < set(more) for one, more in pairwise(rungs[:8]))
    assert rungs[8] == rungs[7] == [f"q{number}" for number in range(8)]
    assert most_queries(corpus) == 8


def test_texts_and_queries_stay_together(corpus: Corpus) -> None:
    """And another seed asks others first."""
    (one,) = first_queries(corpus, 4, seed=0).repositories

    assert one.questions.texts == tuple(query.text for query in one.queries)
    assert len({tuple(asked(first_queries(corpus, 2, seed=seed))) for seed in range(9)}) > 1
