"""The configuration of the graph is its defaults, and every number of it can be set."""

from dataclasses import asdict
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.cli.graph_settings import graph_settings
from bench.errors import SettingError, UsageError
from bench.launcher.points import read_points
from bench.settings import TrialSettings
from bench.settings.graph import parse_graph
from retrievers.dense import Dense, EmbeddingModel
from retrievers.graph import Graph
from retrievers.graph.reordered import ReorderedGraph
from retrievers.graph.reordering import Reordering
from tests.composed_grids import composed_grid

CONF = Path(__file__).parents[3] / "conf" / "retriever"


def node() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((CONF / "graph.yaml").read_text(encoding="utf-8"))
    return found


def trial(**typed: object) -> TrialSettings:
    """Return the trial that the settings describe."""
    overrides = [f"{name}={value}" for name, value in typed.items()]
    ((_, found),) = composed_grid([], overrides).trials
    return found


def names(content: dict[str, Any], within: str = "") -> set[str]:
    found = {within + name for name in content}
    for name, value in content.items():
        if isinstance(value, dict):
            found |= names(value, f"{within}{name}.")
    return found


def test_the_file_says_what_the_defaults_are() -> None:
    assert parse_graph(node()) == Graph()


def test_the_file_names_every_setting() -> None:
    from dataclasses import fields, is_dataclass

    def of(settings: Any, within: str = "") -> set[str]:
        found: set[str] = set()
        for field in fields(settings):
            value = getattr(settings, field.name)
            found.add(within + field.name)
            if is_dataclass(value):
                found |= of(value, f"{within}{field.name}.")
        return found

    assert of(Graph()) - {"classes"} <= names(node())


def test_the_described_graph_changes_only_what_it_names() -> None:
    described = yaml.safe_load((CONF / "graph_described.yaml").read_text(encoding="utf-8"))

    changed = names(described) - {"defaults"}

    assert changed <= names(node())
    assert described["defaults"] == ["graph", "_self_"]


DESCRIBED: dict[str, object] = {
    "seeding.channels": ("tiered", "bm25", "text", "equivalence", "path", "learned"),
    "seeding.weights": {
        "tiered": 2.0,
        "bm25": 2.0,
        "text": 0.0,  # a channel that the description does not have
        "equivalence": 2.0,
        "path": 1.5,
        "learned": 1.0,
    },
    "seeding.rank_constant": 60.0,
    "seeding.candidates": 40,
    "seeding.implementor_share": 1.0,
    "seeding.tiered": {
        "tiers": ("exact", "prefix", "substring", "path"),
        "prefix_below": 15,
        "prefix_limit": 30,
        "fallback_below": 5,
        "substring_below": 5,
        "substring_limit": 20,
        "substring_letters": 4,
        "path_below": 30,
        "path_limit": 40,
        "path_letters": 3,
        "word_share": 1.0,
    },
    "seeding.bm25.limit": 30,
    "seeding.bm25.fields": {
        "tokenizer": "identifier",
        "symbol_name": 10.0,
        "concepts": 5.0,
        "qualified_name": 3.0,
        "signature": 1.0,
        "path": 4.0,
        "doc": 3.0,
        "body": 0.0,
    },
    "seeding.equivalence.word_share": 1.0,
    "seeding.equivalence.per_target": 1000,
    "seeding.equivalence.inject": True,
    "seeding.equivalence.inject_weight": 0.9,
    "seeding.noise.unless_named": (),
    "seeding.selection": {
        "interfaces": True,
        "implementing_kinds": ("implements",),
        "types_first_over": 50_000,
        "focus": True,
        "seeds": 15,
        "medium_over": 10_000,
        "medium_seeds": 20,
        "large_over": 40_000,
        "large_seeds": 25,
    },
    "walk.alpha": 0.2,
    "walk.steps": 20,
    "walk.tolerance": 0.001,
    "walk.stable_top": 10,
    "walk.stable_steps": 2,
    "walk.hops": 4,
    "walk.backward": 0.0,
    "walk.floor": 0.02,
    "walk.first_seed": 1.0,
    "walk.last_seed": 0.4,
    "walk.supplement": 0.3,
    "walk.weights": {
        "calls": 1.0,
        "implements": 0.8,
        "overrides": 0.8,
        "contains": 0.8,
        "handles_route": 0.7,
        "extends": 0.7,
        "member_of": 0.6,
        "tests": 0.6,
        "accesses_field": 0.6,
        "imports": 0.5,
        "depends_on": 0.5,
        "consumes_endpoint": 0.5,
        "tested_by": 0.5,
        "co_tested_with": 0.5,
        "type_hint_of": 0.5,
        "executes_process": 0.5,
        "references": 0.4,
        "throws": 0.4,
        "reads_env": 0.4,
        "decorates": 0.3,
        "inherits": 0.3,
        "documents": 0.2,
        "owned_by": 0.0,
        "authored_by": 0.0,
    },
    "walk.provenances": {"resolved": 1.0, "inferred": 1.0},
    "hits": {
        "nodes": 200,
        "steps": 10,
        "seed_authority_over": 0.05,
        "seed_authority": 0.25,
        "other_authority_over": 0.2,
        "other_authority": 0.15,
        "seed_hub_over": 0.1,
        "seed_hub": 0.1,
    },
    "scoring.base": {"reach": 0.4, "confidence": 0.25, "recency": 0.2, "distance": 0.15},
    "scoring.hits": {"reach": 0.35, "confidence": 0.2, "recency": 0.15, "distance": 0.15},
    "scoring.seed": 0.0,
    "scoring.test_factor": 0.3,
}
"""The figures of the description, as settings: a change of any of them is another graph."""


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    """The settings of the described graph as a grid composes and reads them."""
    (point,) = read_points(["retriever=graph_described"], CONF.parent, multirun=False)
    return asdict(parse_graph(point.config["retriever"]))


@pytest.mark.parametrize(("place", "figure"), DESCRIBED.items(), ids=DESCRIBED.keys())
def test_the_described_graph_has_the_figures_of_the_description(
    described: dict[str, Any], place: str, figure: object
) -> None:
    assert reduce(getitem, place.split("."), described) == figure


def test_a_number_deep_inside_can_be_set() -> None:
    content = node()
    content["walk"]["weights"]["calls"] = 2

    assert parse_graph(content).walk.weights.calls == 2.0


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("walk", "alpha"), 7, "retriever.walk.alpha=7.0 is out of range"),
        (("walk", "alpah"), 0.1, "retriever.walk.alpah: no such setting; did you mean alpha"),
        (("seeding", "channels"), ["teired"], "retriever.seeding.channels"),
        (("walk",), 3, "retriever.walk=3: must be"),
    ],
)
def test_what_cannot_be_is_named(place: tuple[str, ...], value: Any, said: str) -> None:
    content = node()
    inner = content
    for part in place[:-1]:
        inner = inner[part]
    inner[place[-1]] = value

    with pytest.raises(SettingError) as caught:
        parse_graph(content)

    assert said in caught.value.message


def test_a_graph_has_a_model_only_where_vectors_reorder_it() -> None:
    plain, reordered = (
        trial(retriever="graph", **{"retriever.reordering.weight": weight}).retrieval
        for weight in (0, 0.6)
    )

    assert plain.channels == (Graph(),)
    assert plain.embedder is None
    (channel,) = reordered.channels
    assert isinstance(channel, ReorderedGraph)
    assert (channel.graph, channel.reordering) == (Graph(), Reordering(80, 0.6))
    assert reordered.embedder == EmbeddingModel().resolved()


def test_the_graph_in_a_hybrid_is_reordered_by_the_model_of_the_trial() -> None:
    typed = {"retriever.graph.reordering.weight": 0.6, "retriever.graph.reordering.depth": 40}

    found = trial(retriever="hybrid_graph", **typed).retrieval.channels

    (graph,) = (one for one in found if isinstance(one, ReorderedGraph))
    (dense,) = (one for one in found if isinstance(one, Dense))
    assert graph.reordering == Reordering(40, 0.6)
    assert graph.embedder == dense.embedder


def test_without_a_weight_the_depth_changes_nothing() -> None:
    found = [trial(retriever="graph", **{"retriever.reordering.depth": n}) for n in (20, 80)]

    assert found[0] == found[1]
    assert found[0].why_idle("retriever.reordering.depth") == "retriever.reordering.weight=0"


def test_a_reordering_that_cannot_be_is_named() -> None:
    where = "retriever.graph.reordering.weight"

    with pytest.raises(SettingError, match=rf"{where}=2.0 is out of range"):
        trial(retriever="hybrid_graph", **{where: 2})


def test_a_command_reorders_with_a_model_only_where_vectors_have_a_weight() -> None:
    found = graph_settings(["reordering.weight=0.6"], embedder="static")

    assert graph_settings(["reordering.depth=10"], embedder="static") == Graph()
    assert isinstance(found, ReorderedGraph)
    assert found.reordering == Reordering(weight=0.6)
    assert found.embedder == EmbeddingModel("static-code-256", window=256).resolved()


def test_a_command_has_the_model_of_a_configuration_but_for_what_needs_trust(
    tmp_path: Path,
) -> None:
    place = tmp_path / "chosen.yaml"
    chosen = "retriever: graph\nretriever.reordering.weight: 0.5\nembedder: static\n"
    place.write_text(chosen + "embedder.query_prompt: 'q: '\n", encoding="utf-8")

    found = graph_settings([], retriever=str(place))
    place.write_text(chosen + "embedder.trust_remote_code: true\n", encoding="utf-8")

    assert isinstance(found, ReorderedGraph)
    assert (found.embedder.model, found.embedder.query_prompt) == ("static-code-256", "q: ")
    with pytest.raises(UsageError, match=r"embedder\.trust_remote_code runs code .*remove it"):
        graph_settings([], retriever=str(place))


def test_a_command_names_models_that_are_near() -> None:
    with pytest.raises(UsageError, match="--embedder minilmm: no such model; did you mean minilm"):
        graph_settings(["reordering.weight=0.6"], embedder="minilmm")


def test_a_projects_classes_are_read_from_its_file(tmp_path: Path) -> None:
    place = tmp_path / "ideas.yaml"
    place.write_text(
        "classes:\n- {concept: PAY, phrases: [check out], targets: [total]}\n", encoding="utf-8"
    )

    found = parse_graph(node() | {"equivalences": str(place)})

    assert [one.concept for one in found.classes] == ["PAY"]


def test_a_file_of_classes_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"retriever\.equivalences=.*cannot be read"):
        parse_graph(node() | {"equivalences": str(tmp_path / "missing.yaml")})
