"""A damaged store costs time and never a result: lost and exchanged files are made again."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from fsspec.core import url_to_fs

from bench.advice import advice_record, advise
from bench.engine import Alone, ArtifactStore, NoObserver, Pool, ProcessPool, carry_out
from bench.launcher.grid import Grid
from bench.launcher.planning import planned
from bench.results import completed
from bench.results.collect import collect
from bench.results.document import as_json
from bench.study import Study
from tests.composed_grids import composed_grid

QUERIES = """\
queries:
  - {id: q1, query: how are prices added up, difficulty: easy, expected_symbols: [cart.total]}
  - {id: q2, query: take an item out, tags: [items], expected_symbols: [cart.remove]}
  - {id: q3, query: keep an order with the others, expected_symbols: [orders.save]}
  - {id: q4, query: find an order by its number, expected_symbols: [orders.find]}
  - {id: q5, query: send a parcel by drone, negative: true}
  - {id: q6, query: zzz qqq, negative: true}
"""
FILES = {
    "cart.py": '''\
def total(prices):
    """Add the prices up."""
    return sum(prices)


def remove(items, name):
    """Take an item out, by its name."""
    del items[name]
''',
    "orders.py": '''\
def save(orders, order):
    """Keep an order with the other orders."""
    orders[order.number] = order


def find(orders, number):
    """Find an order by its number."""
    return orders[number]
''',
    "notes.md": "Prices and orders of a small shop.\n",
}
LEXICAL = ["chunk=16", "retriever=bm25", "reranker=off", "weights=null"]
JOINED = ["chunk=64", "retriever=hybrid", "reranker=on", "weights={steps:2}"]
OF_THE_RUN = ("study", "timestamp", "seconds", "plan")
"""Fields that differ between two runs: their names, their times, and the stages carried out."""
MEASURED = (
    "index_seconds",
    "stage_seconds",
    "answer_latency_p50_ms",
    "answer_latency_p95_ms",
)
"""Times, which are measured again where a stage is made again; so are memory and each answer."""


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> Grid:
    """Two trials on a small repository: a lexical one, and one with a model in every step."""
    place = tmp_path_factory.mktemp("shop")
    (place / "code").mkdir()
    for name, text in FILES.items():
        (place / "code" / name).write_text(text, encoding="utf-8")
    (place / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    suite = ["suite=own", f"repository={place}/code", f"queries={place}/queries.yaml"]
    shared = [*suite, "answerer=extractive", "latency=off", "tracking=none"]
    return composed_grid(shared, LEXICAL, JOINED)


class Store:
    """A store with the results of a study, and its files."""

    def __init__(self, url: str, grid: Grid, pool: Pool) -> None:
        self._grid = replace(grid, settings=replace(grid.settings, store=url))
        self._planned = planned(self._grid)
        self._files, self._root = url_to_fs(url)
        self._pool = pool
        self.results = self.run()

    def run(self) -> dict[str, Any]:
        """Run the study and return its results file, without the fields named above."""
        settings, known = self._grid.settings, self._planned
        study = Study(known.id, known.corpus, known.trials, ArtifactStore(settings.store))
        outcomes = study.carry_out(
            lambda plan: carry_out(plan, study.store.url, self._pool, NoObserver())
        )
        result = collect(study, outcomes, self._grid.notes, settings=settings)
        said = advise(result, settings.advice, seed=settings.seed)
        record = advice_record(said)
        whole: Any = as_json(completed(result, record, command="", seconds=0.0))
        for report in whole["reports"]:
            assert report["status"] == "complete", report["failures"]
            assert all(report["summary"].pop(name) > 0 for name in MEASURED)
            # A stage that is made again fits into what the process of the tests already holds.
            assert report["summary"].pop("peak_memory_bytes") >= 0
            assert all(one["answer"].pop("milliseconds") > 0 for one in report["query_results"])
        return {name: value for name, value in whole.items() if name not in OF_THE_RUN}

    def names(self) -> list[str]:
        """Return the names of all files."""
        return sorted(name.removeprefix(self._root) for name in self._files.find(self._root))

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        content: bytes = self._files.cat_file(self._root + name)
        return content

    def write(self, content: Mapping[str, bytes | None]) -> None:
        """Overwrite files; a file without content is removed."""
        for name, new in content.items():
            if new is None:
                self._files.rm_file(self._root + name)
            else:
                self._files.pipe_file(self._root + name, new)

    @contextmanager
    def changed(self, content: Mapping[str, bytes | None]) -> Iterator[None]:
        """Overwrite files, and put back what they had."""
        sound = {name: self.read(name) for name in content}
        self.write(content)
        try:
            yield
        finally:
            self.write(sound)


@pytest.fixture(scope="module", params=["folder", "memory"])
def store(
    request: pytest.FixtureRequest, grid: Grid, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """A complete store of the study, in a folder or in the memory of this process."""
    folder = str(tmp_path_factory.mktemp("store"))
    url = folder if request.param == "folder" else f"memory:/{folder}"
    complete = Store(url, grid, Alone())
    assert complete.run() == complete.results
    yield complete
    complete.write(dict.fromkeys(complete.names()))


def flipped(content: bytes, place: int) -> bytes:
    """Return a content with one byte changed."""
    changed = bytearray(content)
    changed[place] ^= 1
    return bytes(changed)


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda _content: None, id="deleted"),
        pytest.param(lambda content: flipped(content, 150), id="cost flipped"),
        pytest.param(lambda content: flipped(content, -1), id="end flipped"),
    ],
)
def test_every_file_can_be_damaged_without_a_change_in_the_results(
    store: Store, damage: Callable[[bytes], bytes | None]
) -> None:
    """One file after the other: artifacts, caches and rates."""
    names = store.names()
    assert len(names) > 40

    for name in names:
        with store.changed({name: damage(store.read(name))}):
            assert store.run() == store.results, name


def test_every_pair_of_one_kind_can_be_exchanged_without_a_change_in_the_results(
    store: Store,
) -> None:
    """Sound files at each other's addresses: artifacts of a kind, and segments of a cache."""
    kinds: dict[str, list[str]] = {}
    for name in store.names():
        kinds.setdefault("/".join(name.split("/")[:3]), []).append(name)
    pairs = [pair for names in kinds.values() for pair in combinations(names, 2)]
    assert len(pairs) > 30

    for one, other in pairs:
        with store.changed({one: store.read(other), other: store.read(one)}):
            assert store.run() == store.results, (one, other)


def test_worker_processes_give_whole_results_to_a_store_in_memory(
    grid: Grid, tmp_path: Path
) -> None:
    """A worker cannot read such a store, and the driver cannot read what a worker puts there."""
    lexical = replace(grid, trials=grid.trials[:1])
    expected = Store(str(tmp_path), lexical, Alone()).results

    with closing(ProcessPool(2)) as pool:
        results = Store(f"memory:/{tmp_path}", lexical, pool).results

    assert results["reports"] == expected["reports"]
