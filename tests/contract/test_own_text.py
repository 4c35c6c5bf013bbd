"""The score of a chunk depends on its own text: what stands around it changes nothing.

A file consists of blocks of equal length, and each block is a chunk. Putting the blocks in another
order changes what is around every chunk, and neither a border nor a statistic: each block must
keep its score. The borders cut words, names, docs and lines in two, so that whatever looks across
them sees something else.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pytest

from bench.engine import Read, Record, Stage
from bench.queries import Query
from bench.settings import TrialSettings
from bench.stages import Ask
from bench.study.corpus import PreparedRepository
from bench.study.repository_trial import RepositoryTrial
from retrievers.interface import Chunks, Documents
from tests.contract.choices import WANTED, Trying

PATH = "shop/cart_model.py"
SIZE = 1500
ORDERS = ([0, 1, 2, 3], [3, 1, 0, 2], [1, 3, 2, 0])
THINGS = ("parcel", "refund", "invoice", "voucher")
BORDERS = {
    "in a body": ("        left = {0}", "_{0} + 1\n"),
    "in a doc": (
        "    def counts_{0}(self):\n        '''Counts every {0} and ",
        "{0} of the shop.'''\n        return 1\n",
    ),
    "in a name": ("    def {0}", "_{0}(self):\n        pass\n"),
    "behind an attribute": (
        "    # About {0}.\n    @{0}\n",
        "    def {0}rest(self):\n        pass\n",
    ),
}
"""How a block ends and how one begins: inside of the class that the block before began."""
TEXTS = (
    "parcel",
    "how is a refund counted",
    "where is sum_of_invoice defined",
    "what does Of_voucher.sum_of_voucher return",
    "cart_model sum_of_parcel",
    "the rest of the voucher",
    "parcel_refund",
    "Of_parcel.refundrest",
)
QUERIES = tuple(Query(f"q{n}", text, (WANTED,)) for n, text in enumerate(TEXTS))
TYPED = {
    "bm25": (),
    "bm25, stemmed": ("retriever=bm25", "retriever.tokenizer=stemmed"),
    "lexical": (),
    "fields": (),
    "grep": (),
    "dense": (),
    "dense, mean": ("retriever=dense", "embedder.long_text=mean"),
    "dense, truncate": ("retriever=dense", "embedder.long_text=truncate"),
    "late": (),
    "late, mean": ("retriever=late", "embedder.long_text=mean"),
    "hybrid": (),
    "hybrid of all": ("retriever=hybrid", "retriever.channels=[bm25,dense,late,fields,grep]"),
    "reranker=on": ("retriever=bm25", "reranker=on", "reranker.weight=1", "reranker.depth=50"),
    "with paths above": ("retriever=hybrid", "chunker.header=path"),
}


def blocks(borders: str) -> list[str]:
    """Return blocks that can be put in any order: classes, methods, docs and many lines."""
    end, begin = BORDERS[borders]
    found = []
    for number, thing in enumerate(THINGS):
        before = begin.format(thing) + (
            f"\n\nclass Of_{thing}:\n    '''All about the {thing}.'''\n\n"
            f"    def sum_of_{thing}(self, {thing}):\n        '''Add up each {thing}.'''\n"
            f"        return self.{thing} * {number}\n\n    def many(self):\n"
        )
        line = f"        note = 'the {thing} of line'\n"
        after = end.format(thing)
        lines, rest = divmod(SIZE - len(before + after), len(line))
        filling = "".join(["        # ", "." * (rest + len(line) - 11), "\n"])
        found.append(before + line * (lines - 1) + filling + after)
    assert {len(block) for block in found} == {SIZE}
    return found


def around(borders: str) -> tuple[str, str]:
    """Return what the file begins with and ends with, so that all definitions are whole."""
    end, begin = BORDERS[borders]
    return "class Of_all:\n    def many(self):\n" + end.format("thing"), begin.format("thing")


@dataclass(frozen=True)
class InOrder(Stage[Documents]):
    """One file with the blocks in some order."""

    kind: ClassVar[str] = "blocks-in-order"
    codec: ClassVar[Record[Documents]] = Record(Documents)

    borders: str
    order: tuple[int, ...]

    def run(self, _read: Read, /) -> Documents:
        """Return the file."""
        found, (first, last) = blocks(self.borders), around(self.borders)
        text = "".join([first, *(found[number] for number in self.order), last])
        return Documents.of([(PATH, text)])


@dataclass(frozen=True)
class EachBlock(Stage[Chunks]):
    """A chunk for each block, and for what is before and behind them."""

    kind: ClassVar[str] = "chunk-for-each-block"
    codec: ClassVar[Record[Chunks]] = Record(Chunks)

    documents: Stage[Documents]
    before: int
    headers: tuple[str, ...] = ()

    def run(self, read: Read, /) -> Chunks:
        """Return the chunks."""
        documents = read(self.documents)
        inner = [self.before + SIZE * number for number in range(len(THINGS) + 1)]
        edges = np.array([0, *inner, documents.size(0)], np.int32)
        start, end = edges[:-1], edges[1:]
        begins = documents.line_starts(0)
        first = np.searchsorted(begins, start, side="right").astype(np.int32)
        last = np.searchsorted(begins, end - 1, side="right").astype(np.int32)
        none = np.zeros(len(start), np.int32)
        return Chunks(none, start, end, first, last, none, none, self.headers)


@dataclass(frozen=True)
class OfBlocks(RepositoryTrial):
    """A trial whose chunks are the blocks, whatever the chunker would make of the file."""

    headers: tuple[str, ...] = field(default=(), kw_only=True)

    @cached_property
    def chunks(self) -> Stage[Chunks]:
        """The blocks."""
        documents = self.repository.documents
        assert isinstance(documents, InOrder)
        return EachBlock(documents, len(around(documents.borders)[0]), self.headers)


def scores(trying: Trying, settings: TrialSettings, borders: str, order: Sequence[int]) -> Any:
    """Return for each query the score of each chunk, in the order of the blocks' numbers."""
    asked, documents = Ask(TEXTS), InOrder(borders, tuple(order))
    repository = PreparedRepository("shop", documents, asked, QUERIES)
    headers = (f"{PATH}\n",) * (len(order) + 2) if settings.headers else ()
    rankings = trying.made(OfBlocks(settings, repository, headers=headers).ranking)
    number = np.array([0, *(1 + block for block in order), 1 + len(order)])
    found = np.full((len(TEXTS), len(number)), -1.0)
    for query in range(len(TEXTS)):
        chunks, values = rankings.of_query(query)
        found[query, number[chunks]] = values
    return found


@pytest.mark.parametrize("borders", BORDERS)
@pytest.mark.parametrize("kind", TYPED)
def test_a_chunk_keeps_its_score_whatever_stands_around_it(
    trying: Trying, kind: str, borders: str
) -> None:
    """Before units: `unit=file` adds a share of the file on purpose."""
    typed = TYPED[kind] or (f"retriever={kind}",)
    settings = trying.settings(*typed, "embedder.window=64")

    first, *others = (scores(trying, settings, borders, order) for order in ORDERS)

    assert np.ptp(first, axis=1).max() > 0.01, "every block has the same score: nothing is tested"
    for other in others:
        np.testing.assert_allclose(other, first, atol=2e-6)


@pytest.mark.parametrize("borders", BORDERS)
def test_a_cross_encoder_scores_a_chunk_on_its_own_text(trying: Trying, borders: str) -> None:
    settings = trying.reranker("cross_encoder", "reranker.depth=50")

    first, *others = (scores(trying, settings, borders, order) for order in ORDERS)

    for other in others:
        np.testing.assert_allclose(other, first, atol=2e-6)


def test_small_to_big_scores_a_chunk_by_text_around_it(trying: Trying) -> None:
    """So it is a design of its own; this also shows that the test above can fail."""
    settings = trying.settings(
        "retriever=dense", "embedder.windows=small_to_big", "embedder.window=64"
    )

    first, second = (scores(trying, settings, "in a body", order) for order in ORDERS[:2])

    assert np.abs(first - second).max() > 0.01
