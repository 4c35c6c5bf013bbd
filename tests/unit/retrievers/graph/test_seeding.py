"""From a task to seeds: noise, interfaces, order, number, and what is remembered."""

from dataclasses import replace

import numpy as np
import pytest

from retrievers.errors import SeedError
from retrievers.graph import CodeGraph, Keywords, Seeds
from retrievers.graph.seeding import (
    CHANNELS,
    ChannelName,
    ChannelWeights,
    EquivalenceClass,
    EquivalenceSeeds,
    LearnedSeeds,
    MatchedConcept,
    Noise,
    PathSeeds,
    Seeder,
    Seeding,
    Selection,
    TieredSeeds,
    Vocabulary,
)
from retrievers.graph.seeding.learned import telling
from retrievers.graph.seeding.noise import NoiseFilter
from retrievers.graph.seeding.selection import Selector
from retrievers.interface import Documents
from tests.unit.retrievers.graph.small_sources import graph_of, seed_texts

SHOP = '''\
class Ledger:
    """A book of payments."""

    def append(self, payment): ...


class PaperLedger(Ledger): ...


class MockLedger: ...


def pay(ledger): ...
'''
DOCUMENTS = Documents.of(
    [
        ("billing/ledger.py", SHOP),
        ("billing/vendor/ledger.py", "def ledger(): ...\n"),
        ("web/views.py", "def show_ledger(): ...\n"),
    ]
)
LEDGER, APPEND, PAPER, MOCK, PAY, VENDORED, SHOW = range(7)
EXACT = TieredSeeds(tiers=("exact",), fallback_below=0)
PAPER_IS = (PAPER, LEDGER, "implements")


def shop() -> CodeGraph:
    return graph_of(DOCUMENTS, [PAPER_IS, (SHOW, PAY, "calls")], external=("external://sql",))


def seeder(settings: Seeding | None = None, **known: object) -> Seeder:
    graph = shop()
    return Seeder(graph, seed_texts(graph, DOCUMENTS), settings, **known)  # type: ignore[arg-type]


def only(*channels: ChannelName, **more: object) -> Seeding:
    return Seeding(channels=channels, **more)  # type: ignore[arg-type]


def test_an_exact_name_comes_first_and_mocks_and_vendored_code_are_left_out() -> None:
    seeds = seeder().seed("where is `Ledger` filled")

    assert seeds.node[0] == LEDGER
    assert not {MOCK, VENDORED} & set(seeds.node.tolist())
    assert set(seeds.channels) >= {"tiered", "bm25"}


def test_a_score_is_what_the_channels_give_together() -> None:
    seeds = seeder().seed("show the ledger of payments")

    total = np.sum(list(seeds.channels.values()), axis=0)
    assert seeds.score == pytest.approx(total)
    assert all(len(part) == len(seeds.node) for part in seeds.channels.values())


@pytest.mark.parametrize(("candidates", "seeds"), [(1, [PAY]), (2, [PAY, LEDGER]), (3, None)])
def test_so_many_of_the_fused_symbols_are_candidates(
    candidates: int, seeds: list[int] | None
) -> None:
    """Three names in the order of the task have 1/11, 1/12 and 1/13."""
    alone = Selection(interfaces=False)
    settings = only("tiered", tiered=EXACT, candidates=candidates, selection=alone)

    found = seeder(settings).seed("`pay` into the `Ledger` as `show_ledger`")

    assert found.node.tolist() == (seeds or [PAY, LEDGER, SHOW])
    assert found.score == pytest.approx([1 / 11, 1 / 12, 1 / 13][:candidates])


def test_what_implements_a_candidate_shares_in_its_score() -> None:
    """`Ledger` is the only exact name and gets 1/11; what implements it a quarter of that."""

    seeds = seeder(only("tiered", tiered=EXACT, implementor_share=0.25)).seed("`Ledger`")

    assert seeds.node.tolist() == [LEDGER, PAPER]
    assert seeds.channels["tiered"] == pytest.approx([1 / 11, 0])
    assert seeds.channels["implementors"] == pytest.approx([0, 0.25 / 11])


def test_implementors_are_those_that_are_no_candidates_yet() -> None:
    selector = Selector(shop(), Selection())

    assert selector.implementors([LEDGER, PAY]) == {PAPER: LEDGER}
    assert selector.implementors([LEDGER, PAPER]) == {}
    assert selector.implementors([PAY]) == {}
    assert Selector(shop(), Selection(interfaces=False)).implementors([LEDGER]) == {}


def test_only_the_walk_starts_from_types_of_a_named_package() -> None:
    seeds = seeder(only("tiered", "path", tiered=EXACT)).seed("`show_ledger` of billing")

    assert LEDGER in seeds.supplement.tolist()
    assert LEDGER not in seeds.node.tolist()
    assert not set(seeds.supplement.tolist()) & set(seeds.node.tolist())


def test_paths_compete_when_told_to_and_when_nothing_else_is_found() -> None:
    fused = seeder(only("tiered", "path", path=PathSeeds(fused=True)))
    alone = seeder(only("path"))

    together = fused.seed("`show_ledger` of billing")
    single = alone.seed("billing")

    assert LEDGER in together.node.tolist()
    assert together.channels["path"][together.node.tolist().index(LEDGER)] > 0
    assert single.node[0] == LEDGER
    assert single.score[0] == pytest.approx(1.5 / 11)


@pytest.mark.parametrize("channel", CHANNELS)
def test_every_channel_can_stand_alone(channel: ChannelName) -> None:
    vocabulary = Vocabulary({"billing": {"billing.ledger.pay": 5}})
    idea = EquivalenceClass("IDEA", ("billing",), ("paper_ledger",), 1.0, "project")
    lone = seeder(only(channel), vocabulary=vocabulary, classes=[idea])

    seeds = lone.seed("`Ledger` in billing")

    assert len(seeds.node) > 0
    assert set(seeds.channels) <= {channel, "implementors"}


def test_a_class_of_a_project_is_forced_past_everything_but_noise() -> None:
    idea = EquivalenceClass("IDEA", ("money book",), ("mock_ledger", "append"), 1.0, "project")
    settings = Seeding(equivalence=EquivalenceSeeds(inject=True))

    forced = seeder(settings, classes=[idea]).seed("the money book").forced.tolist()
    usual = seeder(classes=[idea]).seed("the money book").forced.tolist()

    assert forced == [APPEND]
    assert usual == []


def noisy(
    *,
    spare_tests: bool = False,
    settings: Noise | None = None,
    named: Keywords = Keywords(),  # noqa: B008 - it is frozen
) -> list[int]:
    files = [
        ("app/mock_store.py", "class MockStore:\n    def save(self): ...\nclass Mocking: ...\n"),
        ("app/names.py", "def ab(): ...\ndef ID(): ...\ndef abc(): ...\n"),
        ("build/out.py", "def built(): ...\n"),
        ("static/site.min.py", "def bundled(): ...\n"),
        ("tests/conftest.py", "def client(): ...\n"),
        ("src/testutil/all.py", "def make(): ...\n"),
    ]
    graph = graph_of(Documents.of(files), external=("external://sql",))
    flags = NoiseFilter(graph, settings or Noise()).noisy(named, spare_tests=spare_tests)
    return np.flatnonzero(flags[: graph.symbol_count]).tolist()


def test_noise_is_known_by_paths_types_and_names() -> None:
    """0 MockStore, 1 save, 2 Mocking, 3 ab, 4 ID, 5 abc, 6 built, 7 make, 8 bundled, 9 client."""
    assert noisy() == [0, 1, 3, 6, 7, 8, 9]


def test_what_helps_tests_is_spared_where_a_task_speaks_of_tests() -> None:
    assert noisy(spare_tests=True) == [3, 6, 8]


def test_each_sort_of_noise_is_a_setting() -> None:
    assert noisy(settings=Noise(folders=(), doubles=(), name_letters=0)) == [7, 8, 9]
    assert noisy(settings=Noise(folders=("DIST",), doubles=("Mock", "FAKE", "Stub"))) == noisy(
        settings=Noise(folders=("dist",))
    )


def test_fields_and_variables_are_noise_unless_the_task_names_them() -> None:
    graph = graph_of(Documents.of([("a.py", "total = 1\nlimit = 2\ndef total_of(): ...\n")]))
    noise = NoiseFilter(graph, Noise())

    unnamed = noise.noisy(Keywords(components=("total",)), spare_tests=False)
    named = noise.noisy(Keywords(exact=("a.Total",), compounds=("x",)), spare_tests=False)

    assert np.flatnonzero(unnamed[:3]).tolist() == [0, 1]
    assert np.flatnonzero(named[:3]).tolist() == [1]


def test_what_is_outside_is_noise() -> None:
    flags = NoiseFilter(shop(), Noise()).noisy(Keywords(), spare_tests=True)

    assert flags[-1]


def test_a_name_from_outside_is_noise_whatever_its_kind() -> None:
    """A function that something else has put into the graph under such a name is not a seed."""
    graph = shop()
    prefixed = {PAY: "external://pay", SHOW: "stdlib://show_ledger"}
    names = tuple(prefixed.get(node, name) for node, name in enumerate(graph.names))
    renamed = replace(graph, names=names)
    assert {graph.kinds[node] for node in prefixed} == {"function"}

    plain, outside = (
        Seeder(one, seed_texts(graph, DOCUMENTS)).seed("pay into the ledger and show_ledger")
        for one in (graph, renamed)
    )

    assert {PAY, SHOW} <= set(plain.node.tolist())
    assert set(plain.node.tolist()) - set(outside.node.tolist()) == {PAY, SHOW}


@pytest.mark.parametrize(
    ("nodes", "seeds"), [(10_000, 15), (10_001, 20), (40_000, 20), (40_001, 25)]
)
def test_larger_graphs_get_more_seeds(nodes: int, seeds: int) -> None:
    assert Selection(seeds=15, medium_seeds=20, large_seeds=25).count(nodes) == seeds


def test_in_dense_graphs_types_come_first() -> None:
    dense = Selection(types_first_over=9)

    assert len(shop()) == 11
    assert Selector(shop(), dense).ordered([PAY, LEDGER, SHOW, PAPER]) == [
        LEDGER,
        PAPER,
        PAY,
        SHOW,
    ]
    usual = Selection(focus=False)
    assert Selector(shop(), usual).ordered([PAY, LEDGER, SHOW]) == [PAY, LEDGER, SHOW]


def test_the_package_with_the_most_candidates_comes_first() -> None:
    selector = Selector(shop(), Selection(focus=True, seeds=3))

    assert selector.ordered([SHOW, PAY, VENDORED, LEDGER]) == [PAY, LEDGER, SHOW]
    assert selector.ordered([SHOW, PAY]) == [SHOW, PAY]
    assert selector.ordered([]) == []


def test_words_that_led_to_a_symbol_lead_to_it_again() -> None:
    task = telling(Keywords(components=("invoice", "new", "of")), 3)
    vocabulary = Vocabulary()
    for _ in range(2):
        vocabulary = vocabulary.learn(task, ["billing.ledger.pay", "gone.away"])

    known = seeder(only("learned"), vocabulary=vocabulary).seed("the invoice")
    once = Vocabulary().learn(task, ["billing.ledger.pay"])

    assert vocabulary.counts == {"invoice": {"billing.ledger.pay": 2, "gone.away": 2}}
    assert known.node.tolist() == [PAY]
    assert known.score == pytest.approx([0.3 / 11])
    assert seeder(only("learned"), vocabulary=once).seed("the invoice").node.tolist() == []


def test_what_is_used_more_often_counts_more() -> None:
    shares = [LearnedSeeds().share(count) for count in (2, 6, 10, 99)]

    assert shares == pytest.approx([0.3, 0.55, 0.8, 0.8])


@pytest.mark.parametrize("task", ["", "`", "the", "a" * 5000, "\ud800", "Ledger " * 500])
def test_any_task_has_seeds_or_none(task: str) -> None:
    seeds = seeder().seed(task)

    assert isinstance(seeds, Seeds)
    assert np.isfinite(seeds.score).all()


def test_the_same_task_has_the_same_seeds_whatever_was_asked_before() -> None:
    """Nothing is remembered from one task to the next."""
    task = "show the ledger of payments in billing"
    used = seeder()

    used.seed("`append` to something else")
    again, fresh = used.seed(task), seeder().seed(task)

    assert again.node.tolist() == fresh.node.tolist()
    assert again.score.tobytes() == fresh.score.tobytes()
    assert again.supplement.tolist() == fresh.supplement.tolist()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Seeding(channels=("magic",)), "channels=magic is not known; choose some of"),  # type: ignore[arg-type]
        (lambda: Seeding(channels=()), "channels=nothing is not known"),
        (lambda: Seeding(candidates=0), "candidates=0 is out of range; choose 1 or more"),
        (lambda: Seeding(rank_constant=-1), "rank_constant=-1 is out of range"),
        (lambda: Seeding(implementor_share=2), "implementor_share=2 is out of range"),
        (lambda: ChannelWeights(bm25=-1), "bm25=-1 is not a weight; use 0 or more"),
        (lambda: Selection(seeds=0), "seeds=0 is out of range; choose 1 or more"),
        (lambda: Selection(large_over=5), "large_over=5 is below medium_over=10000"),
        (lambda: LearnedSeeds(least_count=10), "full_count=10 is not above least_count=10"),
        (lambda: LearnedSeeds(full_share=3), "full_share=3 is out of range; choose 0 to 1"),
    ],
)
def test_settings_that_cannot_be_are_refused(make: object, message: str) -> None:
    with pytest.raises(SeedError, match=message):
        make()  # type: ignore[operator]


def test_reasons_name_the_rank_the_tier_and_the_concept_of_a_symbol() -> None:
    classes = [EquivalenceClass("BOOKS", ("keep accounts",), ("Ledger",), 1.0, "project")]
    opened = seeder(None, classes=classes)

    by_name = opened.reasons("append to the `Ledger`", LEDGER)
    by_concept = opened.reasons("how do we keep accounts", LEDGER)

    assert by_name.keywords.exact == ("Ledger", "ledger")
    assert (by_name.tiers, by_name.ranks["tiered"]) == ({"tiered": "exact"}, 1)
    assert by_name.concepts == ()
    assert by_concept.tiers == {}
    assert by_concept.concepts == (
        MatchedConcept("BOOKS", ("keep accounts",), "Ledger", "project", 1.0),
    )


def test_reasons_name_the_neighbours_whose_names_have_a_phrase_of_the_task() -> None:
    graph = graph_of(DOCUMENTS, [(SHOW, PAY, "calls")])
    opened = Seeder(graph, seed_texts(graph, DOCUMENTS))

    found = opened.reasons("`pay` when we show ledger entries", PAY)

    assert [(one.origin, one.phrases) for one in found.concepts] == [
        ("neighbours", ("show ledger",))
    ]
