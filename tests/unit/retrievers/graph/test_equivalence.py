"""Equivalence: how classes are read and matched, what they find, and the guards."""

from dataclasses import replace

import numpy as np
import pytest

from retrievers.errors import SeedError
from retrievers.graph import CodeGraph
from retrievers.graph.seeding import (
    EquivalenceClass,
    EquivalenceSeeds,
    built_in_classes,
    read_classes,
)
from retrievers.graph.seeding.aliases import Aliases
from retrievers.graph.seeding.channel import Asked
from retrievers.graph.seeding.classes import has_phrase, matches, spoken
from retrievers.graph.seeding.equivalence import EquivalenceChannel
from retrievers.graph.seeding.keywords import extract_keywords
from retrievers.interface import Documents
from retrievers.source import languages
from tests.unit.retrievers.graph.small_sources import graph_of

SHOP = """\
def handle_blast_radius(): ...
def transitive_callers(): ...
def openLedger(): ...
def get(): ...
def pay(): ...
"""
HANDLE, CALLERS, LEDGER, GET, PAY, TEST_LEDGER = range(6)
EVERY = np.ones(100, bool)
DOCUMENTS = Documents.of(
    [("shop.py", SHOP), ("tests/test_shop.py", "def open_ledger(): ...\n"), ("a.go", "package a")]
)
BARE = EquivalenceSeeds(universal=False, language=False, aliases=False)


def shop() -> CodeGraph:
    return graph_of(DOCUMENTS, [(HANDLE, CALLERS, "calls")])


def idea(*targets: str, phrases: tuple[str, ...] = ("money book",), weight: float = 1.0) -> object:
    return EquivalenceClass("IDEA", phrases, targets, weight, "project")


def found(task: str, settings: EquivalenceSeeds, *classes: object, **earlier: list[int]) -> list:  # type: ignore[type-arg]
    channel = EquivalenceChannel(shop(), settings, classes)  # type: ignore[arg-type]
    finds = {name: dict.fromkeys(nodes, 1.0) for name, nodes in earlier.items()}
    return list(channel.find(Asked(task, extract_keywords(task), EVERY, finds)))


def test_a_phrase_leads_to_symbols_however_their_names_are_written() -> None:
    """Files that are not tests come first."""
    assert found("balance the Money-Book", BARE, idea("open_ledger")) == [LEDGER, TEST_LEDGER]
    assert found("close the moneyBooks", BARE, idea("OpenLedger")) == [LEDGER, TEST_LEDGER]
    assert found("balance the book", BARE, idea("open_ledger")) == []


def test_phrases_are_whole_words() -> None:
    assert has_phrase(spoken("a cli for this"), "cli")
    assert has_phrase(spoken("two clis"), "cli")
    assert not has_phrase(spoken("the client"), "cli")
    assert not has_phrase(spoken("anything"), "...")


def test_names_that_say_nothing_are_no_targets() -> None:
    """`get` is on the list, `pay` has three letters."""
    assert found("money book", BARE, idea("get", "pay", "transitive_callers")) == [CALLERS]


def test_a_target_means_few_symbols() -> None:
    one = EquivalenceSeeds(universal=False, language=False, aliases=False, per_target=1)

    assert found("money book", one, idea("open_ledger")) == [LEDGER]


def test_what_is_found_is_limited_by_what_names_and_words_find_if_they_find_anything() -> None:
    classes = idea("open_ledger", "transitive_callers", "handle_blast_radius")

    alone = found("money book", BARE, classes)
    beside = found("money book", BARE, classes, tiered=[GET], bm25=[])
    nothing = found("money book", BARE, classes, tiered=[], bm25=[])

    assert alone == [LEDGER, TEST_LEDGER, CALLERS, HANDLE]
    assert beside == [LEDGER, TEST_LEDGER]
    assert nothing == alone


def test_weightier_classes_come_first_then_those_that_are_named_more() -> None:
    light = EquivalenceClass("LIGHT", ("money",), ("open_ledger",), 0.5, "project")
    once = EquivalenceClass("ONCE", ("book",), ("get_it",), 1.0, "project")
    twice = EquivalenceClass("TWICE", ("money", "money book"), ("set_it",), 1.0, "project")

    found = matches("the money book", [light, once, twice])

    assert [match.of.concept for match in found] == ["TWICE", "ONCE", "LIGHT"]


def test_a_find_counts_what_its_class_weighs_and_less_for_a_single_word() -> None:
    """0.8 by a phrase of two words, half of it by one word, 0.7 by a caller's name."""
    phrase = EquivalenceClass("A", ("money book",), ("open_ledger",), 0.8, "project")
    word = EquivalenceClass("B", ("book",), ("handle_blast_radius",), 0.8, "project")
    settings = EquivalenceSeeds(universal=False, language=False, per_target=1)
    channel = EquivalenceChannel(shop(), settings, [word, phrase])
    task = "money book of the blast radius"

    found = channel.find(Asked(task, extract_keywords(task), EVERY, {"bm25": {CALLERS: 1.0}}))
    every = EquivalenceChannel(shop(), replace(settings, share_limit=9), [word, phrase])
    all_found = every.find(Asked(task, extract_keywords(task), EVERY, {"bm25": {CALLERS: 1.0}}))

    assert found == {LEDGER: 0.8, CALLERS: 0.7}
    assert all_found == {LEDGER: 0.8, CALLERS: 0.7, HANDLE: 0.4}


def test_classes_of_a_language_mean_its_symbols_only() -> None:
    def of(language: str) -> EquivalenceClass:
        return EquivalenceClass("X", ("money",), ("open_ledger",), 0.8, "language", (language,))

    by_language = EquivalenceSeeds(universal=False, aliases=False)

    assert found("money", by_language, of("python")) == [LEDGER, TEST_LEDGER]
    assert found("money", by_language, of("go")) == []
    assert found("money", BARE, of("python")) == []


def test_callers_give_a_symbol_its_aliases() -> None:
    """handle_blast_radius calls transitive_callers: `handle` says nothing, the rest is a pair."""
    aliases = Aliases(shop(), "calls")

    assert list(aliases.phrases(CALLERS)) == ["blast radius"]
    assert list(aliases.phrases(HANDLE)) == ["transitive callers"]
    assert aliases.meant("show the blast radius", [LEDGER, CALLERS]) == [CALLERS]


def test_aliases_put_forward_what_names_have_found() -> None:
    only = EquivalenceSeeds(universal=False, language=False, project=False)

    assert found("blast radius", only, tiered=[GET, CALLERS]) == [CALLERS]
    assert found("blast radius", only, bm25=[CALLERS]) == [CALLERS]
    assert found("blast radius", BARE, tiered=[CALLERS]) == []
    first = EquivalenceSeeds(universal=False, language=False, aliases_of=1)
    assert found("blast radius", first, tiered=[GET, CALLERS]) == []


@pytest.mark.parametrize(
    ("task", "phrases", "weight", "inject", "expected"),
    [
        ("money", ("money",), 1.0, True, []),
        ("money book", ("money book",), 1.0, True, [LEDGER, TEST_LEDGER]),
        ("money in a book", ("money", "book"), 1.0, True, [LEDGER, TEST_LEDGER]),
        ("money book", ("money book",), 0.9, True, [LEDGER, TEST_LEDGER]),
        ("money book", ("money book",), 0.89, True, []),
        ("money book", ("money book",), 1.0, False, []),
    ],
)
def test_weighty_classes_are_forced_if_more_than_a_word_speaks_of_them(
    task: str, phrases: tuple[str, ...], weight: float, inject: bool, expected: list[int]
) -> None:
    classes = [EquivalenceClass("IDEA", phrases, ("open_ledger",), weight, "project")]
    channel = EquivalenceChannel(shop(), EquivalenceSeeds(inject=inject), classes)

    assert channel.forced(task, EVERY) == expected


def test_classes_that_come_with_us_are_never_forced() -> None:
    channel = EquivalenceChannel(
        graph_of(Documents.of([("a.py", "def parse_args(): ...")])),
        EquivalenceSeeds(inject=True, inject_weight=0.1),
    )

    assert channel.forced("command line argument", EVERY) == []


def test_the_classes_that_come_with_us_can_be_read_and_name_known_languages() -> None:
    classes = built_in_classes()

    concepts = [one.concept for one in classes]
    named = {language for one in classes for language in one.languages}
    assert len(set(concepts)) == len(concepts)
    assert named <= {language.name for language in languages()}
    assert {one.weight for one in classes} == {0.8}
    assert {one.origin for one in classes} == {"universal", "language"}


def test_every_class_that_comes_with_us_has_a_phrase_of_its_own_words() -> None:
    """A class could never match if its phrases are not words."""
    for one in built_in_classes():
        assert matches(one.phrases[0], [one]), one.concept


GOOD = """\
classes:
  - concept: LEDGER
    phrases: [money book, books]
    targets: [open_ledger]
    weight: 0.95
"""


def test_a_project_brings_classes_of_its_own() -> None:
    assert read_classes(GOOD, place="mine.yaml") == (
        EquivalenceClass("LEDGER", ("money book", "books"), ("open_ledger",), 0.95, "project"),
    )
    assert read_classes(GOOD.replace("    weight: 0.95\n", ""), place="x")[0].weight == 1.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("classes: [", "mine.yaml: no readable YAML: while parsing"),
        ("- a", "mine.yaml: no classes; write `classes:` and a list below it"),
        ("classes: [1]", "mine.yaml: class 1: not a mapping; give it concept"),
        (GOOD + "    word: x\n", "class 1: word is not known; choose from concept"),
        (GOOD.replace("LEDGER", "''"), "class 1: no concept; name the idea"),
        (GOOD.replace("[open_ledger]", "[]"), "class 1: no targets; list at least one"),
        (GOOD.replace("books", "on"), "class 1: phrases: not a list of texts; quote what"),
        (GOOD.replace("0.95", "2"), "class 1: weight=2 is out of range; choose above 0, to 1"),
        (GOOD.replace("0.95", "true"), "class 1: weight=True is out of range"),
        ("a: !!python/object/apply:os.system [x]", "mine.yaml: no readable YAML"),
    ],
)
def test_classes_that_cannot_be_read_are_refused(text: str, message: str) -> None:
    with pytest.raises(SeedError, match=message):
        read_classes(text, place="mine.yaml")


def test_shares_out_of_range_are_refused() -> None:
    with pytest.raises(SeedError, match="inject_weight=2 is out of range; choose 0 to 1"):
        EquivalenceSeeds(inject_weight=2)
    with pytest.raises(SeedError, match="per_target=-1 is out of range; choose 0 or more"):
        EquivalenceSeeds(per_target=-1)
