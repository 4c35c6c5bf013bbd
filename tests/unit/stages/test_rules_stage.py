"""The rules as a stage: what it reads, what it is known by, and what it makes."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import numpy as np

from bench.engine import ArtifactStore, BlobCache, Read, Record, Stage
from bench.stages.cutting import Cut, Tokenize
from bench.stages.inputs import RepositoryStages
from bench.stages.ranking import RankQueries
from bench.stages.rules import ApplyRules, ReadPaths
from bench.stages.sources import Ask, Parse
from retrievers.chunkers import File
from retrievers.interface import Documents
from retrievers.lexical import BM25
from retrievers.rules import PathWords, Rules, apply_rules

T = TypeVar("T")
FILES = Documents.of(
    [
        ("shop/cart.py", "def checkout():\n    return ship\n"),
        ("shop/order.py", "def total():\n    return 2\n"),
        ("shop/post.py", "def ship(order):\n    return order, order\n"),
    ]
)


@dataclass(frozen=True)
class GivenFiles(Stage[Documents]):
    """The files above."""

    kind: ClassVar[str] = "given-files-for-rules"
    codec: ClassVar[Record[Documents]] = Record(Documents)

    def run(self, _read: Read, /) -> Documents:
        """Return the files."""
        return FILES


@dataclass
class Desk:
    """Carries out every stage it is asked for, through its codec."""

    made: dict[str, Any] = field(default_factory=dict)

    def __call__(self, stage: Stage[T], /) -> T:
        """Return what `stage` makes, as a store would give it back."""
        if stage.fingerprint not in self.made:
            payload = stage.codec.encode(stage.run(self))
            self.made[stage.fingerprint] = stage.codec.decode(payload)
        found: T = self.made[stage.fingerprint]
        return found

    def earlier(self, _stage: Stage[T], /, *_inputs: Stage[Any]) -> None:
        """Return nothing: there was no commit before."""

    def cache(self, name: str) -> Any:
        """Refuse: nothing here needs a cache."""
        raise KeyError(name)

    def texts(self, name: str) -> Any:
        """Refuse: nothing here needs a cache."""
        raise KeyError(name)

    def parts(self, name: str) -> Any:
        """Refuse: nothing here needs a cache."""
        raise KeyError(name)

    def blobs(self, name: str) -> BlobCache:
        """Keep what the parser says in memory."""
        return BlobCache(ArtifactStore("memory://rules-stage"), name)

    def count(self, **amounts: int) -> None:
        """Count nothing."""


def stage_for(rules: Rules) -> ApplyRules:
    files = GivenFiles()
    questions = Ask(("the order", "who calls ship"))
    tokens = Tokenize(files)
    chunks = Cut(files, tokens, File())
    stages = RepositoryStages(files, tokens, Parse(files), chunks=chunks, questions=questions)
    ranking = RankQueries.of(BM25(), stages)
    return ApplyRules(
        ranking=ranking,
        questions=questions,
        chunks=chunks,
        paths=ReadPaths(files),
        symbols=Parse(files),
        rules=rules,
    )


def test_the_stage_reorders_what_its_ranking_holds() -> None:
    stage, desk = stage_for(Rules()), Desk()

    found = desk(stage)

    assert sorted(found.chunk) == sorted(desk(stage.ranking).chunk)
    direct = apply_rules(
        desk(stage.ranking),
        desk(stage.questions).texts,
        desk(stage.chunks),
        FILES,
        symbols=desk(stage.symbols),
        rules=Rules(),
        depth=stage.depth,
    )
    np.testing.assert_array_equal(found.chunk, direct.chunk)
    np.testing.assert_array_equal(found.score, direct.score)


def test_path_words_come_back_from_the_store_as_they_were() -> None:
    made = PathWords.of(FILES)

    found = Desk()(ReadPaths(GivenFiles()))

    assert (found.words, found.paths) == (made.words, made.paths)
    for name in ("in_stem", "in_stem_stops", "in_path", "in_path_stops", "stem_size", "kind"):
        np.testing.assert_array_equal(getattr(found, name), getattr(made, name))


def test_path_words_of_no_files_can_be_stored() -> None:
    nothing = PathWords.of(Documents.of([]))

    found = ReadPaths.codec.decode(ReadPaths.codec.encode(nothing))

    assert found.words == ()
    assert len(found.stem_size) == 0


def test_rules_are_part_of_what_a_ranking_is_known_by() -> None:
    known = stage_for(Rules()).fingerprint

    assert stage_for(Rules()).fingerprint == known
    assert stage_for(Rules(name_boost=0.5)).fingerprint != known


def test_rules_of_all_weights_share_the_words_of_the_paths() -> None:
    first, second = stage_for(Rules()), stage_for(Rules(name_boost=0.0))

    assert first.paths.fingerprint == second.paths.fingerprint
    assert first.fingerprint != second.fingerprint
