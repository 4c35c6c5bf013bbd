"""Everything that changes a number changes the trial's fingerprint; nothing else does."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from bench.engine import ArtifactStore, Cost, Plan
from bench.errors import SettingError
from bench.settings import parse_trial
from bench.stages import Latency
from bench.study import Trial, prepare

ROOT = Path(__file__).parents[3]
CONF = ROOT / "conf"
GOLDEN = Path(__file__).with_name("fingerprints.json")
GROUPS = {
    "suite": "own",
    "chunker": "lines",
    "embedder": "minilm",
    "retriever": "hybrid",
    "reranker": "off",
    "vectors": "edge",
    "answerer": "off",
    "query": "plain",
}


WINDOWS = ("own", "small_to_big")
SERVER: dict[str, Any] = {
    "embedder": "server",
    "embedder__url": "http://127.0.0.1:9/v1",
    "embedder__model": "m",
    "embedder__revision": "1",
}
ASKED: dict[str, Any] = {
    "query__url": "http://127.0.0.1:9/v1",
    "query__model": "m",
}
SMALL_TO_BIG: dict[str, Any] = {"embedder__windows": "small_to_big"}


def node(group: str, choice: str) -> dict[str, Any]:
    """Return the content of a configuration file."""
    text = (CONF / group / f"{choice}.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text)
    composed = found.pop("defaults", ["_self_"])[:-1]
    return {
        name: node(group, name) for name in (each.partition("@")[0] for each in composed)
    } | found


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository of one file, and one query."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "cart.py").write_text("def total():\n    return 1\n", encoding="utf-8")
    queries = "queries:\n- {id: q, query: add up, expected_files: [cart.py]}\n"
    (tmp_path / "queries.yaml").write_text(queries, encoding="utf-8")
    return tmp_path


def trial(shop: Path, *, measures: tuple[str, ...] = (), **changes: Any) -> Trial:
    """Return the default trial on the shop with some settings changed (`group__field`)."""
    choices = {name: changes.pop(name, choice) for name, choice in GROUPS.items()}
    config: dict[str, Any] = {name: node(name, choice) for name, choice in choices.items()}
    config |= {"chunk": 512, "weight": None, "weights": None, "limit": 10, "seed": 0}
    config |= {"measure_level": None, "symbol_credit": "strict", "repository": str(shop / "code")}
    config |= {"queries": str(shop / "queries.yaml")}
    config["embedder"]["dtype"] = "float32"
    for name, value in changes.items():
        group, _, field = name.partition("__")
        if field:
            config[group][field] = value
        else:
            config[group] = value
    settings = parse_trial(config, choices=choices)
    store = ArtifactStore(str(shop / "store"))
    corpus = prepare(settings.suite, store, level=settings.measure_level, measures=measures)
    return Trial.of("trial", settings, corpus, latency="reuse")


@pytest.mark.parametrize(
    "change",
    [
        {"chunk": 256},
        {"chunker": "file"},
        {"chunker": "tokens"},
        {"chunker": "recursive"},
        {"chunker": "syntax"},
        {"chunker": "symbol"},
        {"chunker__overlap": 16},
        {"chunker__header": "path"},
        {"chunker__header": "scope"},
        {"chunker__header": "full"},
        {"embedder__path_header": False},
        {"embedder__long_text": "mean"},
        {"embedder__windows": "small_to_big"},
        {"embedder__long_text": "truncate"},
        {"embedder__window": 128},
        {"embedder__dtype": "bfloat16"},
        {"embedder__query_prompt": "query: "},
        {"embedder__passage_prompt": "passage: "},
        {"embedder__dimensions": 128},
        {"retriever": "bm25"},
        {"retriever": "dense"},
        {"retriever": "late"},
        {"retriever": "fields"},
        {"retriever": "grep"},
        {"retriever": "exact"},
        {"retriever": "tiered"},
        {"retriever": "random"},
        {"retriever": "constant"},
        {"retriever": "oracle"},
        {"retriever__channels": ["bm25", "fields"]},
        {"retriever__channels": ["bm25", "dense", "tiered"]},
        {"retriever__channels": ["bm25", "dense", "late"]},
        {"retriever__normalisation": "min_max"},
        {"retriever__normalisation": "rrf"},
        {"retriever__normalisation": "z_score"},
        {"retriever__symbol_weight": 0.1},
        {"retriever__error_weight": 0.1},
        {"retriever__issue_weight": 0.1},
        {"retriever__k1": 1.2},
        {"retriever__b": 0.5},
        {"retriever__method": "atire"},
        {"retriever__tokenizer": "plain"},
        {"retriever__unit": "definition"},
        {"retriever__unit": "file"},
        {"reranker": "on"},
        {"weight": 0.3},
        {"limit": 5},
        {"most_matches": 2},
        {"query": "rewrite", **ASKED},
        {"query": "hyde", **ASKED},
        {"query": "several", **ASKED},
    ],
)
def test_any_change_of_a_setting_is_another_trial(shop: Path, change: dict[str, Any]) -> None:
    """One change at a time."""
    assert trial(shop, **change).fingerprint != trial(shop).fingerprint


@pytest.mark.parametrize(
    "change",
    [
        {"reranker__depth": 10},
        {"reranker__weight": 0.5},
        {"reranker__keep": 5},
        {"reranker__vectors": "computed"},
        {"reranker__path_header": False},
    ],
)
def test_any_change_of_the_reranker_is_another_trial(shop: Path, change: dict[str, Any]) -> None:
    """Its settings, and what its model reads."""
    assert (
        trial(shop, reranker="on", **change).fingerprint != trial(shop, reranker="on").fingerprint
    )


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        ({"query__url": "http://127.0.0.1:10/v1"}, True),
        ({"query__model": "n"}, True),
        ({"query__count": 2}, True),
        ({"query__original": False}, True),
        ({"query__answer_tokens": 99}, True),
        ({"query__parallel": 2}, False),
        ({"query__timeout_seconds": 5.0}, False),
        ({"query__prompt_price": 1.0}, False),
    ],
)
def test_what_changes_the_texts_of_a_question_is_another_trial(
    shop: Path, change: dict[str, Any], *, differs: bool
) -> None:
    """Patience and prices change none."""
    expanded = trial(shop, query="several", **ASKED)

    changed = trial(shop, query="several", **{**ASKED, **change})

    assert (changed.fingerprint != expanded.fingerprint) == differs


def test_floors_and_runs_are_not_expanded(shop: Path) -> None:
    """They do not read the question, so that one trial stands for all."""
    plain, expanded = (
        trial(shop, retriever="random"),
        trial(shop, retriever="random", query="hyde"),
    )

    assert expanded.fingerprint == plain.fingerprint
    assert expanded.settings.why_idle("query") == "the retriever does not read the question"


@pytest.mark.parametrize(
    "change",
    [
        {"retriever__pooling": 2},
        {"retriever__bits": 16},
        {"embedder__long_text": "mean"},
        {"embedder__window": 128},
    ],
)
def test_any_change_of_late_interaction_is_another_trial(
    shop: Path, change: dict[str, Any]
) -> None:
    """How its vectors are stored, and what its model reads."""
    late = trial(shop, retriever="late")

    assert trial(shop, retriever="late", **change).fingerprint != late.fingerprint


def test_late_interaction_over_tokens_is_over_windows_that_dense_has_too(shop: Path) -> None:
    """Chunks are cut into windows once for both."""
    kinds = [
        {
            s.fingerprint
            for s in Plan.reaching(trial(shop, retriever=r).goals).stages
            if s.kind == "cut-chunk-windows"
        }
        for r in ("late", "dense")
    ]

    assert kinds[0] == kinds[1] != set()


def test_the_engine_of_latency_changes_no_quality(shop: Path) -> None:
    """It changes the latency stage alone."""
    edge, exact = trial(shop), trial(shop, vectors="exact")

    assert edge.fingerprint == exact.fingerprint
    assert edge.latency != exact.latency


def test_fusion_weights_share_one_latency(shop: Path) -> None:
    """Weights are arithmetic: they take no other time."""
    assert trial(shop, weight=0.2).latency == trial(shop, weight=0.8).latency


def test_more_columns_are_more_work_and_the_same_trial(shop: Path) -> None:
    """What is asked of a ranking does not change the ranking."""
    plain, more = trial(shop), trial(shop, measures=("ndcg_at_5",))

    assert more.fingerprint == plain.fingerprint
    assert more.judged[0].scores.fingerprint != plain.judged[0].scores.fingerprint
    assert more.judged[0].scores.columns == (*plain.judged[0].scores.columns, "ndcg_at_5")


def test_the_same_weight_for_symbols_is_no_other_ranking_of_them(shop: Path) -> None:
    """Equal weights for all kinds are the trial with one weight."""
    same = trial(shop, weight=0.3, retriever__symbol_weight=0.3)

    assert same.fingerprint == trial(shop, weight=0.3).fingerprint
    assert {s.kind for s in Plan.reaching(same.goals).stages if "fuse" in s.kind} == {"fuse"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"retriever__symbol_weight": 2}, "retriever.symbol_weight=2: must be from 0 to 1"),
        ({"retriever__symbol_weight": "x"}, "retriever.symbol_weight=x: must be a number"),
        (
            {"retriever__symbol_weight": 0.1, "retriever__channels": ["bm25", "grep"]},
            "retriever.symbol_weight=0.1: dense is not a channel here",
        ),
        ({"reranker": "on", "reranker__keep": -1}, "keep=-1: give how many hits are left"),
    ],
)
def test_weights_and_counts_that_cannot_be_are_refused(
    shop: Path, changes: dict[str, Any], said: str
) -> None:
    """One line that names the setting."""
    with pytest.raises(SettingError, match=said):
        trial(shop, **changes)


def test_the_level_of_the_study_decides_the_oracle_and_no_other_ranking(shop: Path) -> None:
    """Every query has a target at file level, and none is finer, so null means file."""
    levels = (None, "file", "symbol")

    oracles, words = (
        [
            trial(shop, retriever=kind, retriever__unit="chunk", measure_level=level).fingerprint
            for level in levels
        ]
        for kind in ("oracle", "bm25")
    )

    assert oracles[0] == oracles[1] != oracles[2]
    assert len(set(words)) == 1


def test_the_credit_of_symbols_decides_every_score_and_the_oracle(shop: Path) -> None:
    """It is part of what is measured; rankings of real retrievers do not depend on it."""
    strict, lenient = (
        trial(shop, retriever="bm25", symbol_credit=credit) for credit in ("strict", "lenient")
    )
    oracles = [
        trial(shop, retriever="oracle", symbol_credit=credit).judged[0].scores.ranking
        for credit in ("strict", "lenient")
    ]

    assert strict.fingerprint != lenient.fingerprint
    assert strict.judged[0].scores.ranking == lenient.judged[0].scores.ranking
    assert oracles[0].fingerprint != oracles[1].fingerprint


def test_a_half_of_the_queries_is_another_trial(shop: Path) -> None:
    """Scores on other queries are other scores; and the halves are apart."""
    queries = "".join(
        f"- {{id: q{n}, query: add up, expected_files: [cart.py]}}\n" for n in range(9)
    )
    (shop / "queries.yaml").write_text(f"queries:\n{queries}", encoding="utf-8")

    whole, tune, report = (trial(shop, half=half) for half in ("all", "tune", "report"))

    assert len({whole.fingerprint, tune.fingerprint, report.fingerprint}) == 3
    asked = [[query.id for query in one.judged[0].repository.queries] for one in (tune, report)]
    assert sorted(asked[0] + asked[1]) == [f"q{n}" for n in range(9)]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"half": "both"}, "half=both: .*there are all, report, tune"),
        ({"most_matches": 0}, "most_matches=0: must be a whole number of at least 1"),
        ({"most_matches": True}, "most_matches=true: must be a whole number"),
    ],
)
def test_what_no_suite_can_be_is_refused(shop: Path, changes: dict[str, Any], said: str) -> None:
    """One line that says what may be said."""
    with pytest.raises(SettingError, match=said):
        trial(shop, **changes)


def test_a_changed_byte_of_the_tree_is_another_trial(shop: Path) -> None:
    """And the old bytes are the old trial again."""
    before = trial(shop).fingerprint
    place = shop / "code" / "cart.py"
    text = place.read_text(encoding="utf-8")
    place.write_text(text.replace("1", "2"), encoding="utf-8")
    changed = trial(shop).fingerprint
    place.write_text(text, encoding="utf-8")

    assert changed != before
    assert trial(shop).fingerprint == before


def test_where_the_folder_lies_changes_nothing(shop: Path) -> None:
    """A tree is known by what it contains."""
    before = trial(shop).fingerprint
    (shop / "code").rename(shop / "moved")
    (shop / "code").symlink_to(shop / "moved")

    assert trial(shop).fingerprint == before


def test_small_to_big_shares_windows_and_vectors_between_chunk_sizes(shop: Path) -> None:
    """One set of vectors serves a whole grid of sizes."""
    kinds = ("cut-windows", "embed", "embed-queries", "tokenize", "parse")

    def shared(size: int) -> set[str]:
        stages = Plan.reaching(trial(shop, chunk=size, **SMALL_TO_BIG).goals).stages
        return {stage.fingerprint for stage in stages if stage.kind in kinds}

    assert shared(64) == shared(2048) != set()


def test_each_chunk_size_has_windows_of_its_own(shop: Path) -> None:
    """A chunk is scored on its own text; equal texts are found in the cache of the model."""

    def models(size: int, kind: str) -> set[str]:
        stages = Plan.reaching(trial(shop, chunk=size).goals).stages
        return {stage.fingerprint for stage in stages if stage.kind == kind}

    assert models(64, "cut-chunk-windows").isdisjoint(models(2048, "cut-chunk-windows"))
    assert models(64, "embed").isdisjoint(models(2048, "embed"))
    assert models(64, "embed-queries") == models(2048, "embed-queries") != set()


def test_small_to_big_takes_the_best_window_whatever_long_text_says(shop: Path) -> None:
    """Equal searches are one trial."""
    best, mean = (trial(shop, embedder__long_text=how, **SMALL_TO_BIG) for how in ("max", "mean"))

    assert best.fingerprint == mean.fingerprint != trial(shop).fingerprint


def test_the_rerankers_windows_may_be_those_of_documents(shop: Path) -> None:
    """Small to big is a setting of late interaction, as of dense search."""
    own, shared = (trial(shop, reranker="on", reranker__windows=w) for w in WINDOWS)

    assert own.fingerprint != shared.fingerprint


def test_the_fingerprints_of_the_default_words_are_the_reviewed_ones(shop: Path) -> None:
    """A change of identity throws away everyone's stored work: it must be seen in a diff."""
    stages = Plan.reaching(trial(shop, retriever="bm25").judged[0].scores.inputs).stages

    found = {stage.kind: stage.fingerprint for stage in stages}

    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("changes", "is_own"),
    [
        ({}, True),
        ({"reranker": "on"}, True),
        ({"vectors": "server"}, False),
        (SERVER, False),
        ({"reranker": "server", "reranker__url": "http://127.0.0.1:9/v1"}, False),
        ({"retriever": "command", "retriever__command": ["true"]}, False),
        ({"retriever": "bm25", "vectors": "server"}, True),
    ],
    ids=str,
)
def test_the_latency_stage_knows_whether_another_process_answers(
    shop: Path, changes: dict[str, Any], is_own: bool
) -> None:
    """Waiting for a server does not mean that the machine is busy."""
    latency = trial(shop, **changes).latency

    assert latency is not None
    assert latency.is_own is is_own


@pytest.mark.parametrize("busy", [False, True])
def test_a_latency_that_is_kept_is_that_of_a_quiet_machine(shop: Path, busy: bool) -> None:
    latency, store = trial(shop).latency, ArtifactStore(str(shop / "store"))
    assert latency is not None
    result = Latency(np.array([1.0]), {"busy": busy})

    if latency.is_final(result):
        store.save(latency, latency.codec.encode(result), Cost())

    assert store.has(latency) is not busy
