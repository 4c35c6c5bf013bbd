"""Points of a grid are what Hydra would compose for each of them, at the price of a few files."""

from pathlib import Path
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from bench.errors import SettingError, UsageError
from bench.launcher.catalogue import Catalogue
from bench.launcher.grid import read_grid
from bench.launcher.points import Point, as_yaml, read_points

CONF = Path(__file__).parents[3] / "conf"
CHOICES = [
    f"{group}={choice}" for group, names in Catalogue(CONF).groups.items() for choice in names
]


def one_point(*overrides: str) -> Point:
    """Return the point that overrides describe."""
    (point,) = read_points(overrides, CONF, multirun=False)
    return point


def composed_by_hydra(*overrides: str) -> Any:
    """Return the whole configuration as Hydra composes it."""
    with initialize_config_dir(version_base="1.3", config_dir=str(CONF)):
        return OmegaConf.to_container(compose("config", list(overrides)))


@pytest.mark.parametrize("choice", CHOICES)
def test_every_choice_is_as_hydra_composes_it(choice: str) -> None:
    """Also those whose files have a defaults list of their own."""
    group = choice.partition("=")[0]

    point = one_point(choice)

    assert point.config == composed_by_hydra(choice)
    assert point.choices[group] == choice.partition("=")[2]


@pytest.mark.parametrize(
    "typed",
    [
        ("retriever=graph", "retriever.walk.alpha=0.5", "retriever.walk.weights.calls=2"),
        ("retriever=graph", "retriever.walk={alpha: 0.5, hops: 2}"),
        ("retriever=hybrid_graph", "retriever.fields.body=3"),
        ("targets={easy: 0.7}", "targets.hard=0.1"),
        ("measures=[ndcg_at_5,map]", "weights=[0.2, 0.8]", "limit=null"),
        ("retriever.k1=2", "retriever=bm25", "retriever.k1=3", "chunk=64"),
        ("repository='a, b'", 'queries="q\'s"', "output='1'", "suite=own"),
        ("suite=own", "repository=${oc.env:RANKGRID_TEST}/x", "queries=${output}.yaml"),
    ],
    ids=" ".join,
)
def test_typed_settings_are_as_hydra_composes_them(
    typed: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANKGRID_TEST", "there")
    point = one_point(*typed)

    with initialize_config_dir(version_base="1.3", config_dir=str(CONF)):
        expected = compose("config", list(typed))
    assert point.config == OmegaConf.to_container(expected, resolve=True)


def test_a_grid_is_every_combination_in_the_order_that_was_typed() -> None:
    points = read_points(["chunk=64,128", "reranker=on,off"], CONF, multirun=True)

    assert [dict(point.typed) for point in points] == [
        {"chunk": "64", "reranker": "on"},
        {"chunk": "64", "reranker": "off"},
        {"chunk": "128", "reranker": "on"},
        {"chunk": "128", "reranker": "off"},
    ]
    assert [point.config["chunk"] for point in points] == [64, 64, 128, 128]
    assert [point.config["reranker"]["kind"] for point in points[:2]] == [
        "late_interaction",
        "off",
    ]


def test_points_do_not_change_each_other() -> None:
    """They share whatever they have in common."""
    changed, kept = read_points(["reranker=on,off", "reranker.depth=7"], CONF, multirun=True)

    assert changed.value("reranker.depth") == 7
    assert not kept.has("reranker.depth")
    assert one_point("reranker=on").value("reranker.depth") == 20


def test_a_field_that_a_choice_lacks_is_idle_there_and_told_if_it_is_idle_everywhere() -> None:
    some = read_grid(read_points(["reranker=on,off", "reranker.depth=7"], CONF, multirun=True))
    none = read_grid([one_point("reranker=off", "reranker.depth=7")])

    assert some.notes == ()
    idle = "warning: reranker.depth changes nothing in any trial of this study"
    assert none.notes == (f"{idle}: reranker=off has no such setting",)


def test_a_field_of_no_choice_is_refused_inside_a_mapping_too() -> None:
    with pytest.raises(SettingError, match="alhpa=1: no such setting; did you mean alpha"):
        one_point("retriever=graph", "retriever.walk={alhpa: 1}")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("hydra.verbose=true", "no such setting"),
        ("hydra.searchpath=[x]", "no such setting"),
        ("hydra/launcher=basic", "no such setting"),
        ("retriever@chunker=bm25", "has a package"),
        ("chunk=interval(64,128)", "cannot be an axis"),
        ("retriever=glob(*)", "cannot be an axis"),
        ("weights=grid(20)", "cannot be read"),
    ],
)
def test_other_things_that_hydra_knows_are_refused_in_one_line(typed: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as refused:
        read_points([typed], CONF, multirun=True)

    assert "\n" not in str(refused.value)


def test_of_two_values_for_one_setting_the_later_counts() -> None:
    point = one_point("chunk=64", "chunk=128")

    assert (point.config["chunk"], dict(point.typed)) == (128, {"chunk": "128"})


def test_no_file_of_conf_has_an_interpolation() -> None:
    """Only points whose typed values have some are resolved."""
    assert not [file for file in CONF.rglob("*.yaml") if "${" in file.read_text("utf-8")]


def test_a_grid_of_weights_is_typed_as_data() -> None:
    grid = read_grid(read_points(["weights={steps: 4},{steps:2},[1,1]"], CONF, multirun=True))

    assert [
        trial.retrieval.fusion.steps for _, trial in grid.trials if trial.retrieval.fusion
    ] == [
        4,
        2,
        None,
    ]
    assert [name for name, _ in grid.trials][:2] == ["weights={steps:4}", "weights={steps:2}"]


def test_the_former_form_of_a_grid_of_weights_is_refused_with_todays() -> None:
    with pytest.raises(
        UsageError, match=r'grid\(20\): cannot be read; write "weights=\{steps: 20\}"'
    ):
        read_points(["weights=grid(20)"], CONF, multirun=False)


@pytest.mark.parametrize("steps", ["0", "x", "1.5", "200000"])
def test_wrong_steps_are_refused(steps: str) -> None:
    with pytest.raises(SettingError, match=r"weights=\{steps:"):
        read_grid([one_point(f"weights={{steps: {steps}}}")])


def test_the_configuration_is_shown_as_yaml() -> None:
    shown = as_yaml(one_point("retriever=bm25", "retriever.k1=2"))

    words = "  tokenizer: identifier\n  stop_words: null\n  stemmer: null\n"
    assert f"\nretriever:\n  kind: bm25\n{words}  k1: 2\n" in shown
