"""A second run parses only what changed, and finds what a first one would have found."""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.engine import ArtifactStore, Read, Record, Stage, Task, perform
from bench.stages.sources import FindEdges, Parse
from retrievers.interface import Documents
from retrievers.source import ParsingLimits, find_edges, find_symbols, languages
from retrievers.source.parsing import Parsing

TREE = {
    "shop/__init__.py": "",
    "shop/cart.py": "from shop.post import ship\n\ndef checkout():\n    return ship()\n",
    "shop/post.py": "class Post:\n    pass\n\ndef ship():\n    return Post()\n",
    "shop/notes.md": "Call `ship`.\n",
    "web/cart.ts": "import { total } from './sum';\nexport const cart = () => total();\n",
    "web/sum.ts": "export function total(): number { return 1; }\n",
}
PARSED = 5
"""Files of a known language."""
WRITTEN = (
    "",
    "def ship():\n    return 1\n",
    "class Post(Base):\n    def ship(self):\n        return self.open()\n",
    "export class Post { ship() { return total(); } }\n",
    "def broken(:\n  ((",
    "\x00 def f(): pass\n",
)


@dataclass
class InMemory:
    """Keeps answers, and knows how many it was given."""

    kept: dict[bytes, bytes] = field(default_factory=dict)
    added: int = 0

    def find(self, digests: Sequence[bytes], /) -> Mapping[bytes, bytes]:
        """Return those that are kept."""
        return {one: self.kept[one] for one in digests if one in self.kept}

    def add(self, blobs: Mapping[bytes, bytes], /) -> None:
        """Keep and count them."""
        self.kept.update(blobs)
        self.added += len(blobs)


@dataclass(frozen=True)
class GivenTree(Stage[Documents]):
    """Documents that are told."""

    kind: ClassVar[str] = "given-tree-for-parsing"
    codec: ClassVar[Record[Documents]] = Record(Documents)

    files: tuple[tuple[str, str], ...]

    def run(self, _read: Read, /) -> Documents:
        """Return them."""
        return Documents.of(self.files)


def tree(changes: Mapping[str, str]) -> GivenTree:
    return GivenTree(tuple((TREE | dict(changes)).items()))


def counts(stage: Stage[Any], store: ArtifactStore) -> tuple[int, int]:
    """Return how many files a stage has parsed, and how many it knew."""
    outcome = perform(Task(stage, store.url))
    assert outcome.failure is None, outcome.failure
    found = outcome.cost.counts
    return found.get("files_parsed", 0), found.get("files_known", 0)


def same(one: Any, other: Any) -> bool:
    pairs = ((getattr(one, each.name), getattr(other, each.name)) for each in fields(one))
    return all(np.array_equal(first, second) for first, second in pairs)


def test_after_one_file_changed_one_file_is_parsed(tmp_path: Path) -> None:
    store = ArtifactStore(str(tmp_path))
    before, after = tree({}), tree({"shop/post.py": "def ship():\n    return 2\n"})

    first = counts(Parse(before), store), counts(FindEdges(before, Parse(before)), store)
    second = counts(Parse(after), store), counts(FindEdges(after, Parse(after)), store)

    assert first == ((PARSED, 0), (PARSED, 0))
    assert second == ((1, PARSED - 1), (1, PARSED - 1))


def test_a_file_that_moves_is_known_and_gets_its_new_name(tmp_path: Path) -> None:
    store = ArtifactStore(str(tmp_path))
    moved = GivenTree(tuple((f"lib/{path}", text) for path, text in TREE.items()))
    perform(Task(Parse(tree({})), store.url))

    again = counts(Parse(moved), store)

    assert again == (0, PARSED)
    artifact = store.load(Parse(moved))
    assert artifact is not None
    assert "lib.shop.post.ship" in Parse.codec.decode(artifact.payload).names


edits = st.lists(
    st.dictionaries(st.sampled_from(list(TREE)), st.sampled_from(WRITTEN), min_size=1, max_size=3),
    min_size=1,
    max_size=3,
)


@given(commits=edits)
@settings(max_examples=6, deadline=None)
def test_what_is_found_is_what_a_first_run_would_find(commits: list[dict[str, str]]) -> None:
    definitions, facts, files = InMemory(), InMemory(), dict(TREE)
    for changes in [{}, *commits]:
        files |= changes
        documents = Documents.of(list(files.items()))

        symbols = find_symbols(documents, answers=definitions)
        edges = find_edges(documents, symbols, answers=facts)

    assert same(symbols, find_symbols(documents))
    assert same(edges, find_edges(documents, symbols))
    assert definitions.added == len(definitions.kept)


def test_another_query_grammar_or_limit_asks_again() -> None:
    (python,) = (one for one in languages() if one.name == "python")
    answers, source = InMemory(), b"def f(): pass\n"
    asked = [
        (python, ParsingLimits()),
        (replace(python, definitions=f"{python.definitions}\n; a word more"), ParsingLimits()),
        (replace(python, unread="(f)"), ParsingLimits()),
        (python, ParsingLimits(definitions=7)),
        (python, ParsingLimits(seconds=2)),
    ]

    added = []
    for language, limits in asked:
        with Parsing(limits, (language,), answers) as parsing:
            parsing.expect("definitions", [(language, source)])
            parsing.found(language, source)
        added.append(answers.added)

    assert added == [1, 2, 3, 4, 4]


def test_symbols_are_known_by_the_grammars_that_found_them() -> None:
    now = Parse(tree({}))

    upgraded = replace(now, grammars=(*now.grammars[:-1], "tree_sitter_typescript 99"))

    assert f"tree_sitter_python {version('tree-sitter-python')}" in now.grammars
    assert f"tree_sitter {version('tree-sitter')}" in now.grammars
    assert now.fingerprint != upgraded.fingerprint


def test_a_grammar_of_unknown_version_is_asked_each_time() -> None:
    (python,) = (one for one in languages() if one.name == "python")
    unnamed = replace(python, grammar="tree_sitter_python._binding")
    answers = InMemory()

    with Parsing(ParsingLimits(), (unnamed,), answers) as parsing:
        found = parsing.found(unnamed, b"def f(): pass\n")

    assert found is not None
    assert answers.kept == {}


def test_what_parsing_wasted_counts_when_it_is_known() -> None:
    answers, limits = InMemory(), ParsingLimits(wasted_seconds=5)
    documents = Documents.of([("a.py", "def slow(): pass\n"), ("b.py", "def left_out(): pass\n")])
    find_symbols(Documents.of([("a.py", documents.text(0))]), limits=limits, answers=answers)
    (digest,) = answers.kept
    answer = json.loads(zlib.decompress(answers.kept[digest]))
    answers.kept[digest] = zlib.compress(json.dumps(answer | {"seconds": 50.0}).encode())

    symbols = find_symbols(documents, limits=limits, answers=answers)

    assert symbols.names == ("a.slow",)
    assert symbols.unparsed.tolist() == [1]
