"""What makes two trials of different studies the same configuration."""

import pytest

from bench.files import data_folder
from bench.launcher.points import read_points
from bench.launcher.units import with_units
from bench.settings import parse_trial
from bench.settings.configuration import configuration_of
from bench.settings.suite import parse_suite


def digest(*typed: str) -> str:
    """Return the configuration of what is typed on the command line."""
    point = read_points(typed, data_folder("conf"), multirun=False)[0]
    suite = parse_suite(point.config)
    (point,), _ = with_units([point], suite)
    return configuration_of(parse_trial(point.config, choices=point.choices, suite=suite))


@pytest.mark.parametrize(
    "typed", ["suite=python", "vectors=exact", "embedder.dtype=float32", "latency=off", "seed=3"]
)
def test_other_questions_and_other_costs_are_the_same_configuration(typed: str) -> None:
    assert digest(typed) == digest()


@pytest.mark.parametrize(
    "typed",
    [
        "chunk=256",
        "chunker=lines",
        "chunker.header=path",
        "retriever.k1=1.2",
        "retriever.name_boost=0.4",
        "weight=0.5",
        "embedder=static",
        "embedder.long_text=mean",
        "reranker=on",
        "measure_level=file",
    ],
)
def test_a_setting_that_changes_rankings_is_another_configuration(typed: str) -> None:
    """One ranks files at the level of files, so the level is among them."""
    assert digest(typed) != digest()


@pytest.mark.parametrize(
    ("typed", "is_same"),
    [
        ("vectors.quantization=scalar", True),
        ("vectors.ranked=true", False),
    ],
)
def test_a_vector_engine_is_part_of_a_configuration_where_it_ranks(
    typed: str, *, is_same: bool
) -> None:
    dense = ("retriever=dense", "vectors=edge")

    assert (digest(*dense, typed) == digest(*dense)) == is_same


def test_what_an_engine_that_ranks_does_is_another_configuration() -> None:
    ranked = ("retriever=dense", "vectors=edge", "vectors.ranked=true")

    assert digest(*ranked, "vectors.quantization=scalar") != digest(*ranked)
    assert digest(*ranked, "vectors.rescore=on") == digest(*ranked)  # nothing is quantised


@pytest.mark.parametrize(
    ("typed", "is_new"),
    [
        ("retriever.reading=plain", False),
        ("retriever.reading=parts", True),
        ("retriever.data_penalty=1.0", False),
        ("retriever.data_penalty=0.5", True),
        ("retriever.path_boost=0.0", False),
        ("retriever.path_boost=0.3", True),
        ("retriever.frame_boost=0.5", True),
    ],
)
def test_a_setting_that_is_newer_than_the_tables_counts_where_it_does_something(
    typed: str, *, is_new: bool
) -> None:
    neutral = (
        "retriever.reading=plain",
        "retriever.data_penalty=1.0",
        "retriever.path_boost=0.0",
        "retriever.frame_boost=0.0",
    )

    own = [one for one in neutral if one.partition("=")[0] != typed.partition("=")[0]]

    assert (digest(*own, typed) != digest(*neutral)) == is_new


def test_a_setting_of_the_retriever_that_is_not_used_changes_nothing() -> None:
    assert digest("retriever=bm25", "embedder=static") == digest("retriever=bm25")


@pytest.mark.parametrize(
    ("retriever", "name", "why"),
    [
        ("bm25", "vectors.ranked", "nothing is searched by vectors"),
        ("late retriever.served_from=vectors", "vectors.ranked", "no channel is dense"),
        ("dense", "vectors.ranked", None),
        ("hybrid", "vectors.ranked", None),
        ("dense", "vectors.rescore", "vectors.quantization=none"),
        ("dense", "vectors.oversampling", "vectors.quantization=none"),
    ],
)
def test_settings_of_an_engine_that_change_nothing_are_known(
    retriever: str, name: str, why: str | None
) -> None:
    typed = [*f"retriever={retriever}".split(), "vectors=edge", "vectors.ranked=true"]
    point = read_points(typed, data_folder("conf"), multirun=False)[0]
    (point,), _ = with_units([point], parse_suite(point.config))

    found = parse_trial(point.config, choices=point.choices).why_idle(name)

    assert found is None if why is None else why in str(found)
