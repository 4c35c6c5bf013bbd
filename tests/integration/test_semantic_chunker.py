"""The packaged model finds where a text changes its topic, and studies cut there."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from bench.engine import Alone, ArtifactStore, NoObserver, Plan, Read, Record, Stage, carry_out
from bench.launcher.door import run_bench
from bench.results.identity import chunking_of
from bench.stages import Cuttable, Parse, Tokenize
from retrievers.chunkers import Semantic
from retrievers.dense import EmbeddingModel
from retrievers.interface import Chunks, Documents
from tests.small_study import CART, QUERIES

BEES = (
    "Honey bees collect nectar from flowers. The hive turns nectar into honey."
    " Worker bees feed the queen of the hive. "
)
TRAINS = (
    "The express train leaves the station at noon. Passengers buy tickets for the train."
    " The railway has two stations."
)
PROSE = BEES + TRAINS
SENTENCES = (
    "The court adjourned.",
    "Basalt is cooled lava.",
    "She tuned the cello.",
    "Rates rose by a quarter.",
    "A vaccine was approved.",
    "Yeast makes bread rise.",
    "The pilot asked for fuel.",
    "Two goals decided the match.",
    "Their kernel panicked at boot.",
    "Monks copied the scrolls.",
    "Tides follow the moon.",
)
CODE = """\
def add_prices(prices):
    total = sum(prices)
    return total

def add_taxes(prices, tax):
    total = sum(prices) * tax
    return total

def connect_socket(host, port):
    socket = open_socket(host)
    socket.connect(port)
"""
MODEL = EmbeddingModel(dtype="float32", path_header=False)


@dataclass(frozen=True)
class Texts(Stage[Documents]):
    """Given files."""

    kind: ClassVar[str] = "texts-of-the-semantic-chunker"
    codec: ClassVar[Record[Documents]] = Record(Documents)

    files: tuple[tuple[str, str], ...]

    def run(self, _read: Read, /) -> Documents:
        """Return the files."""
        return Documents.of(list(self.files))


def stage_of(files: tuple[tuple[str, str], ...], chunker: Semantic) -> Stage[Chunks]:
    """Return the stage that cuts these files by the packaged model."""
    documents = Texts(files)
    tokens = Tokenize(documents)
    return Cuttable(documents, tokens, Parse(documents), tokens, MODEL).cut(chunker)


def cut(folder: Path, path: str, text: str, chunker: Semantic) -> tuple[list[str], int]:
    """Return the chunks of a text, and how many texts the model read for them."""
    stage, store = stage_of(((path, text),), chunker), ArtifactStore(str(folder))
    plan = Plan.reaching([stage], done=store.has)
    outcomes = carry_out(plan, str(folder), Alone(), NoObserver())
    assert not [one.failure for one in outcomes.values() if one.failure]
    artifact, documents = store.load(stage), Documents.of([(path, text)])
    assert artifact is not None
    chunks = stage.codec.decode(artifact.payload)
    costs = [store.cost(one) for one in plan.stages]
    embedded = sum(cost.counts.get("embedded", 0) for cost in costs if cost)
    return [chunks.text(number, documents) for number in range(len(chunks))], embedded


def test_prose_is_cut_where_its_topic_changes(tmp_path: Path) -> None:
    found, embedded = cut(tmp_path, "a.md", PROSE, Semantic())

    # A token of a word begins with the space before it.
    assert found == [BEES.rstrip(), " " + TRAINS]
    assert embedded == 6


def test_code_is_cut_where_its_topic_changes(tmp_path: Path) -> None:
    found, _ = cut(tmp_path, "a.py", CODE, Semantic(percentile=50))

    place = CODE.index("def connect_socket")
    assert found == [CODE[:place], CODE[place:]]


def test_another_percentile_embeds_nothing(tmp_path: Path) -> None:
    cut(tmp_path, "a.md", PROSE, Semantic())

    found, embedded = cut(tmp_path, "a.md", PROSE, Semantic(percentile=0))

    assert embedded == 0
    assert len(found) == 5  # all differences but the smallest


def test_a_text_that_the_model_does_not_see_at_once_is_one_sentence(tmp_path: Path) -> None:
    sentence = f"the hive {'and its many bees ' * 120}sleep."

    found, _ = cut(tmp_path, "a.md", f"{sentence} {TRAINS}", Semantic(percentile=80))

    assert found[0] == sentence


def test_the_model_is_part_of_how_documents_are_cut_and_the_documents_are_not() -> None:
    here, there = (stage_of((("a.md", text),), Semantic()) for text in (PROSE, CODE))
    tokens = Tokenize(Texts(()))
    other = replace(MODEL, window=128)
    cuttable = Cuttable(Texts(()), tokens, Parse(Texts(())), tokens, other)

    assert chunking_of(here) == chunking_of(there)
    assert chunking_of(here) != chunking_of(cuttable.cut(Semantic()))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A small repository with queries."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "cart.py").write_text(CART, encoding="utf-8")
    for number in range(12):  # in some of so many texts, two models see other topics
        sentences = [SENTENCES[(number * 5 + place * 3) % len(SENTENCES)] for place in range(6)]
        (tmp_path / "shop" / f"{number}.md").write_text(" ".join(sentences), encoding="utf-8")
    (tmp_path / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    return tmp_path


def test_it_is_a_trial_beside_others_with_the_embedder_as_an_axis(shop: Path) -> None:
    own = ["suite=own", f"repository={shop / 'shop'}", f"queries={shop / 'queries.yaml'}"]
    fixed = ["tracking=none", "latency=off", "execution=local", "execution.workers=1"]
    places = [f"output={shop / 'out'}", f"store={shop / 'store'}", "retriever=bm25"]
    typed = ["chunker=recursive,semantic", "embedder=minilm,static"]

    assert run_bench(["-m", *own, *typed, *fixed, *places], "bench/run.py") == 0

    text = (shop / "out/latest/results.json").read_text(encoding="utf-8")
    trials: list[dict[str, Any]] = json.loads(text)["reports"]
    names = [trial["config"]["name"] for trial in trials]
    assert names == [
        "chunker=recursive",
        "chunker=semantic embedder=minilm",
        "chunker=semantic embedder=static",
    ]
    assert len({trial["configuration"] for trial in trials}) == 3
