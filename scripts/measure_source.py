"""Measure what symbols and edges of a repository cost: by default Django's sdist.

Run as `python scripts/measure_source.py [--folder PATH]`. Times are CPU-seconds of this process
and of the parsers it starts; resolving is what `find_edges` takes beyond reading the facts.
`--twice` also measures a second run after one file has changed, against the first: both keep what
the parser says in a store.
"""

import argparse
import resource
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from bench.corpora import LocalSource, PypiSource, Source, read_source
from bench.engine import ArtifactStore, BlobCache
from retrievers.interface import Documents
from retrievers.source import EDGE_KINDS, ParsingLimits, find_edges, find_symbols, language_of
from retrievers.source.parsing import Parsing
from retrievers.source.registry import languages

T = TypeVar("T")
DJANGO = PypiSource(
    package="django",
    version="5.2",
    file="Django-5.2.tar.gz",
    sha256="1a47f7a7a3d43ce64570d350e008d2949abe8c7e21737b351b6a1611277c6d89",
)


def main() -> None:
    """Run the requested measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", help="measure the files of a folder instead")
    parser.add_argument("--twice", action="store_true", help="measure a second run instead")
    given = parser.parse_args()
    source: Source = LocalSource(given.folder) if given.folder else DJANGO
    documents = read_source(source).documents
    if given.twice:
        measure_twice(documents)
    else:
        measure_once(documents)


def measure_twice(documents: Documents) -> None:
    """Print the cost of a first run, and of a second run after a change of one file."""
    texts = [(path, documents.text(number)) for number, path in enumerate(documents.paths)]
    middle = next(n for n in range(len(texts) // 2, len(texts)) if language_of(texts[n][0]))
    texts[middle] = (texts[middle][0], texts[middle][1] + "\n")
    with tempfile.TemporaryDirectory() as folder:
        first = run_costs(documents, ArtifactStore(folder))
        second = run_costs(Documents.of(texts), ArtifactStore(folder))
    print(f"{len(documents)} files, {len(documents.content) / 1e6:.1f} MB; first and second run")
    for name, before, after in zip(("symbols", "edges"), first, second, strict=True):
        share = after.seconds / before.seconds
        print(
            f"{name:8} {before.seconds:6.2f} s {after.seconds:6.2f} s {share:6.2f};"
            f" parsed {before.parsed} and {after.parsed} files"
        )


class Cost(NamedTuple):
    """CPU-seconds of a run, and the number of distinct files that were parsed."""

    seconds: float
    parsed: int


class CountedCache(BlobCache):
    """A cache that counts new answers of the parser."""

    given = 0

    def add(self, blobs: Mapping[bytes, bytes]) -> None:
        """Store new answers and count them."""
        self.given += len(blobs)
        super().add(blobs)


def run_costs(documents: Documents, store: ArtifactStore) -> tuple[Cost, Cost]:
    """Return the costs of symbols and edges, with a store as the cache."""
    known, facts = CountedCache(store, "definitions"), CountedCache(store, "facts")
    symbols, for_symbols = timed(lambda: find_symbols(documents, answers=known))
    _, for_edges = timed(lambda: find_edges(documents, symbols, answers=facts))
    return Cost(for_symbols, known.given), Cost(for_edges, facts.given)


def measure_once(documents: Documents) -> None:
    """Print the numbers of symbols, facts and edges, and the time that they take."""
    symbols, for_symbols = timed(lambda: find_symbols(documents))
    facts, for_facts = timed(lambda: read_facts(documents))
    edges, for_edges = timed(lambda: find_edges(documents, symbols))
    print(f"{len(documents)} files, {len(documents.content) / 1e6:.1f} MB")
    print(f"symbols      {for_symbols:6.2f} s  {len(symbols)}")
    print(f"facts        {for_facts:6.2f} s  {facts}")
    print(f"resolving    {for_edges - for_facts:6.2f} s  {len(edges)} edges")
    print(f"all          {for_symbols + for_edges:6.2f} s")
    for kind, count in Counter(edges.kind.tolist()).most_common():
        print(f"  {EDGE_KINDS[kind]:18}{count}")


def read_facts(documents: Documents) -> int:
    """Return the number of facts in the documents."""
    count = 0
    with Parsing(ParsingLimits(), languages()) as parsing:
        for document, path in enumerate(documents.paths):
            language = language_of(path)
            if language:
                count += len(parsing.facts(language, documents.source(document)) or ())
    return count


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return the result of `work` and its CPU-seconds."""
    before = spent()
    result = work()
    return result, spent() - before


def spent() -> float:
    """Return the CPU-seconds of this process and of its finished children."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


if __name__ == "__main__":
    main()
