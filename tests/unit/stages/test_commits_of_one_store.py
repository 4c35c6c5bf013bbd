"""What is made of an earlier commit is, byte for byte, what a store without it gets."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.corpora import LocalSource, content_digest
from bench.engine import ArtifactStore, Stage, Task, perform
from bench.stages import Ask, CheckOutFolder, Parse, RankQueries, RepositoryStages, Tokenize
from bench.stages.cutting import CutAtBreaks, FindBreaks
from retrievers.chunkers import Recursive
from retrievers.graph import Graph
from retrievers.interface import Documents, Retriever
from retrievers.lexical import BM25

Files = dict[str, str]
FILES = 150


def module(number: int, extra: str = "") -> str:
    """Return a module of words of its own, large enough for its tables to be stored as deltas."""
    methods = [
        f"    def weigh_{number}_{part}(self, parcel_{number}: Parcel) -> int:\n"
        f'        """Weigh parcel number {number * part} in depot {part}."""\n'
        f"        return self.scale_{number}(parcel_{number}.grams_{part}) * {part}\n"
        for part in range(12)
    ]
    return "\n".join([f"class Depot{number}:", f"    scale_{number} = {number}", *methods, extra])


CYCLE = {"van": "depot", "depot": "road", "road": "van"}


def cyclic(name: str, other: str) -> str:
    """Return a module that imports another one and is imported by it in the end."""
    return (
        f"from shop.{other} import *\nfrom shop.{other} import {other} as next_{name}\n\n"
        f"class {name}(next_{name}):\n    def go(self):\n        self.load = self.{other}\n"
        f"        self.{other} = self.load\n        next_{name}.load(self).go()\n"
    )


def trees() -> Iterator[tuple[str, Files]]:
    """Yield a first tree and then trees that differ from it."""
    first = {f"shop/module_{number:03}.py": module(number) for number in range(FILES)}
    first |= {"a_note.md": "# Parcels\n\n   ", "z_note.md": "# Weights\n\nof parcels\n"}
    first |= {"shop/module_148.txt": "no definitions\n", "shop/module_050a.txt": "blanks\n\t "}
    first |= {"shop/module_049a.txt": "", "shop/module_049b.txt": "<"}
    first |= {f"shop/{name}.py": cyclic(name, other) for name, other in CYCLE.items()}
    yield "first", first
    uses = cyclic("van", "depot").replace("load(self)", "weigh_3_1(load)")
    yield "of other uses", first | {"shop/van.py": f"# Vans.\n{uses}"}
    changed = {"shop/module_007.py": module(7, "def plumless(): ...\n"), "a_note.md": "buckeroo\n"}
    yield "changed", first | changed
    yield "of equal size", first | {"shop/module_050.py": module(50).replace("weigh", "heavy")}
    yield (
        "of other neighbours",
        first | {"shop/module_050.py": "/close\n", "shop/module_051.py": "\n"},
    )
    yield "emptied", first | {"shop/module_000.py": "", "shop/module_149.py": "\n"}
    yield "added", first | {"a.py": module(900), "shop/module_007a.py": module(901), "zz.py": ""}
    moved = {path.replace("module_01", "moved/one_"): text for path, text in first.items()}
    yield "renamed", moved
    yield "deleted", {path: text for path, text in first.items() if "module_14" not in path}
    yield "swapped", first | {"shop/module_003.py": module(4), "shop/module_004.py": module(3)}
    yield "unrelated", {"other.py": module(5000, "x = 1\n")}


def made(folder: Path, store: Path, files: Files, retriever: Retriever) -> dict[str, bytes]:
    """Return all artifacts behind a ranking, by kind and fingerprint, made in a store."""
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    digest = content_digest(Documents.of(list(files.items())))
    source = LocalSource(str(folder))
    documents = CheckOutFolder(digest, source=source, repository="shop")
    tokens = Tokenize(documents)
    chunks = CutAtBreaks(documents, tokens, FindBreaks(documents, tokens), Recursive(32))
    questions = Ask(("how is parcel_7 weighed", "plumless buckeroo", "Depot14"))
    stages = RepositoryStages(documents, tokens, Parse(documents), chunks, questions)
    found: dict[str, bytes] = {}
    for stage in in_order(RankQueries.of(retriever, stages)):
        outcome = perform(Task(stage, str(store)))
        assert outcome.failure is None, outcome.failure
        artifact = ArtifactStore(str(store)).load(stage)
        assert artifact is not None
        found[f"{stage.kind} {stage.fingerprint}"] = artifact.payload
    return found


def in_order(last: Stage[Any]) -> list[Stage[Any]]:
    """Return a stage after all that it needs, each once."""
    found = {one.fingerprint: one for stage in last.inputs for one in in_order(stage)}
    return [*found.values(), last]


@pytest.mark.parametrize("retriever", [BM25(), Graph()], ids=["bm25", "graph"])
def test_each_commit_is_what_it_is_in_an_empty_store(retriever: Retriever, tmp_path: Path) -> None:
    for name, files in trees():
        folder, alone = tmp_path / name, tmp_path / f"{name} alone"

        shared = made(folder, tmp_path / "shared", files, retriever)

        assert shared == made(folder, alone, files, retriever), name


def test_a_later_commit_looks_only_at_what_it_changes(tmp_path: Path) -> None:
    """Which it could not if the tables of the first commit were too small to be found again."""
    (_, first), (_, second), *_ = trees()

    tables = made(tmp_path / "first", tmp_path / "store", first, Graph())
    later = made(tmp_path / "second", tmp_path / "store", second, Graph())

    kinds = (
        "check-out-folder",
        "tokenize",
        "find-breaks",
        "cut-at-breaks",
        "parse",
        "build-index",
    )
    sizes = [len(found) for name, found in tables.items() if name.startswith(kinds)]
    assert len(sizes) == 5 + 5
    assert min(sizes) > 100_000
    (parse,) = {name for name in later if name.startswith("parse ")}
    artifact = ArtifactStore(str(tmp_path / "store")).load_at(*parse.split())
    assert artifact is not None
    counts = artifact.cost.counts
    assert (counts["files_known"], counts["files_parsed"]) == (0, 1)
