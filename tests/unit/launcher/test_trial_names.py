"""The name of a trial has the settings that it uses, and equal trials are one."""

from pathlib import Path

import pytest

from bench.errors import UsageError
from bench.launcher.grid import Grid, read_grid
from bench.launcher.points import read_points

CONF = Path(__file__).parents[3] / "conf"
STATIC = "embedder=static,minilm_int8"


def grid(*overrides: str) -> Grid:
    """Return the grid of overrides."""
    shared = ("measure_level=span", "tracking=none")
    return read_grid(read_points([*shared, *overrides], CONF, multirun=True))


def names(found: Grid) -> list[str]:
    return [name for name, _ in found.trials]


def test_a_setting_that_does_nothing_in_a_trial_is_not_in_its_name() -> None:
    found = grid("chunk=256,512", "retriever=graph,dense", STATIC)

    assert names(found) == [
        "chunk=256 retriever=graph",
        "chunk=256 retriever=dense embedder=static",
        "chunk=256 retriever=dense embedder=minilm_int8",
        "chunk=512 retriever=graph",
        "chunk=512 retriever=dense embedder=static",
        "chunk=512 retriever=dense embedder=minilm_int8",
    ]
    merged = "2 points differ only in settings that do nothing there, and are not run again"
    where = "embedder in chunk=256 retriever=graph; embedder in chunk=512 retriever=graph"
    assert found.notes == (f"{merged}: {where}",)
    assert "embedder" not in found.trials[0][1].axes


@pytest.mark.parametrize(
    ("kept", "idle", "why"),
    [
        ("retriever=graph", STATIC, "no retriever ranks by vectors"),
        ("retriever=bm25", "weights=[1,1],[1,2]", "there is one channel and nothing to weigh"),
        ("chunker=file", "chunk=64,128", "the chunker has no size"),
        ("retriever=bm25", "reranker.depth=7,9", "reranker=off has no such setting"),
        ("chunker=file", "chunker.overlap=8,16", "chunker=file has no such setting"),
        (
            "retriever=lexical retriever.rules=off",
            "retriever.test_penalty=1,0.2",
            "retriever.rules=off",
        ),
        (
            "retriever=bm25",
            "retriever.aggregation=0.1,0.2",
            "only retriever.unit=file adds chunks up",
        ),
        (
            "embedder=minilm_int8",
            "retriever.rank_constant=10,20",
            "only normalisation=rrf reads it",
        ),
        (
            "retriever.channels=[dense,grep] embedder=minilm_int8",
            "retriever.k1=2,3",
            "bm25 is not a channel",
        ),
        ("embedder=minilm_int8", "retriever.graph.walk.alpha=0.5,0.6", "graph is not a channel"),
        ("retriever=bm25", "vectors=exact,edge", "nothing is searched by vectors"),
    ],
)
def test_a_swept_setting_that_does_nothing_is_named_with_the_reason(
    kept: str, idle: str, why: str
) -> None:
    found = grid(*kept.split(), idle)

    name = idle.partition("=")[0]
    assert names(found) == [kept]
    merged = "1 point differs only in settings that do nothing there, and is not run again"
    assert found.notes == (
        f"{merged}: {name} in {kept}",
        f"warning: {name} changes nothing in any trial of this study: {why}",
    )


def test_idle_settings_with_one_value_are_not_in_the_name_of_the_only_trial() -> None:
    assert names(grid("retriever=graph", "embedder=static", "chunk=64")) == [
        "retriever=graph chunk=64"
    ]


def test_equal_names_are_equal_trials_whatever_is_swept() -> None:
    found = grid(
        "retriever=bm25,graph,hybrid",
        "chunker=recursive,file",
        "chunk=128,256",
        STATIC,
        "weight=0.3,0.7",
        "reranker=off,on",
    )

    every = names(found)
    # One way to cut files and two of the others, times the embedders and weights of hybrid.
    assert len(every) == len(set(every)) == 2 * 3 * (1 + 1 + 4)
    assert len(dict(found.trials).values()) == len(every)
    assert not [one for one in every if "graph" in one and ("weight" in one or "embedder" in one)]


def test_a_setting_whose_values_all_make_the_same_trial_is_not_in_a_name() -> None:
    """The recipe gives dense of a static model 0: null and 0 are one trial."""
    found = grid("retriever=hybrid", "embedder=static", "weight=null,0", "chunk=64,128")

    assert names(found) == ["chunk=64", "chunk=128"]
    assert found.notes[-1] == (
        "warning: weight changes nothing in any trial of this study:"
        " all its values make the same trial"
    )


def test_two_spellings_of_one_value_are_one_trial_by_the_first() -> None:
    found = grid("retriever=hybrid", "embedder=static", "weight=null,0.0,0.2")

    assert names(found) == ["weight=null", "weight=0.2"]
    assert [note.partition(":")[0] for note in found.notes] == [
        "static-code-256",
        "1 point differs only in settings that do nothing there, and is not run again",
    ]


def test_what_does_nothing_is_not_kept_for_the_next_run() -> None:
    found = grid("retriever=graph", "embedder=static,minilm_int8", "chunk=64")

    assert found.typed == {
        names(found)[0]: {
            "measure_level": "span",
            "tracking": "none",
            "retriever": "graph",
            "chunk": "64",
        }
    }


def test_a_label_names_a_trial_and_is_no_part_of_it() -> None:
    (labelled,) = grid("retriever=bm25", "name=nightly build").trials
    (plain,) = grid("retriever=bm25").trials

    assert labelled == ("nightly build", plain[1])
    assert labelled[1].axes == plain[1].axes


def test_a_label_of_a_grid_has_settings_in_it() -> None:
    found = grid("retriever=bm25,graph", "chunk=64,128", "name=${retriever.kind} ${chunk}")

    assert names(found) == ["bm25 64", "bm25 128", "graph 64", "graph 128"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("chunk=64,128 name=fast", "name=fast: 2 trials cannot have one name. Use the settings"),
        ("chunk=64,128 name=a,b", "name=a,b: a name is not an axis. Use settings in it"),
        ("name=${retriever}", "must be a line of text. Use settings that are one value"),
        ("name='  '", "must be a line of text"),
        (f"name={'x' * 101}", "is too long. Use at most 100 characters"),
    ],
)
def test_wrong_labels_are_refused_in_one_line(typed: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        grid("retriever=bm25", *typed.split(" ", 1 if "chunk" in typed else 0))

    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
