"""The list of what any file may set, against every setting that there is."""

from pathlib import Path

import pytest
import yaml

from bench.errors import SettingError
from bench.launcher.catalogue import Catalogue
from bench.settings.trust import CHOICES, reason_for_trust, refuse_interpolations

CONF = Path(__file__).parents[3] / "conf"
NEED_TRUST = {
    *("output", "store", "suite.kind", "suite.name", "suite.repositories", "suite.include"),
    "suite.issues",
    *("chunker.target", "chunker.command", "chunker.version", "chunker.timeout_seconds"),
    *("chunker.kind", "embedder.model", "embedder.revision", "embedder.trust_remote_code"),
    *("embedder.url", "embedder.key_variable", "embedder.batch_size", "embedder.timeout_seconds"),
    *("embedder.tries", "embedder.requests_per_second", "reranker.kind", "reranker.model"),
    *("reranker.revision", "reranker.trust_remote_code", "reranker.url", "reranker.key_variable"),
    *("reranker.shape", "reranker.batch_size", "reranker.timeout_seconds", "reranker.tries"),
    *("reranker.requests_per_second", "answerer.kind", "answerer.url", "answerer.model"),
    *("answerer.key_variable", "answerer.template", "answerer.refusal", "answerer.attempts"),
    *("answerer.context_tokens", "answerer.answer_tokens", "answerer.timeout_seconds"),
    *("answerer.longest_wait_seconds", "answerer.parallel", "answerer.prompt_price"),
    *("answerer.completion_price", "vectors.kind", "vectors.url", "vectors.grpc_port"),
    *("vectors.key_variable", "execution.kind", "execution.address", "tracking.kind"),
    *("query.kind", "query.url", "query.model", "query.key_variable", "query.answer_tokens"),
    *("query.timeout_seconds", "query.attempts", "query.longest_wait_seconds", "query.parallel"),
    *("query.prompt_price", "query.completion_price"),
    *("tracking.uri", "tracking.experiment", "store_max_gb", "share", "share.text", "points"),
}
"""A setting that is new is harmless or not: whoever adds it decides, here or in the tables."""
ENGINES = ("http", "command", "mcp", "python", "run")
OF_ENGINES = {
    *("kind", "url", "version", "index_url", "depth", "timeout_seconds", "index_timeout_seconds"),
    *("tries", "requests_per_second", "key_variable", "first_line", "answer", "command"),
    *("index_command", "answers", "batch", "no_hits_status", "tool", "query_argument", "target"),
    *("limit_argument", "root_argument", "repository_argument", "arguments", "index_tool"),
    *("environment", "equivalences", "observations", "path", "stop_words"),
}
"""Of `retriever`, at its top."""


def every_setting() -> set[str]:
    """Return the names of all settings but the choices of groups."""
    known = Catalogue(CONF)
    named = [*known.groups, *known.scalars]
    return {f"{top}.{name}" for top in named for name in known.fields(top)} | {*known.scalars}


def needs_trust(name: str) -> bool:
    """Tell whether the list of harmless settings lacks a name."""
    return bool(reason_for_trust(name, ["bm25"]))


def test_every_setting_is_known_to_be_harmless_or_needs_trust() -> None:
    found = {name for name in every_setting() if not name.startswith("retriever.")}

    assert {name for name in found if needs_trust(name)} == NEED_TRUST


def test_every_setting_of_retrievers_is_known_to_be_harmless_or_needs_trust() -> None:
    """Under the name of a channel it is what it is at the top; engines have nothing harmless."""
    names = {name.removeprefix("retriever.") for name in every_setting() if "retriever." in name}
    channels = tuple(f"{name}." for name in CHOICES["retriever.channels"])
    top = {name for name in names if "." not in name}
    engines = {name for name in names if name.startswith(tuple(f"{one}." for one in ENGINES))}

    assert {name for name in top if needs_trust(f"retriever.{name}")} == OF_ENGINES
    assert len(engines) > 50
    assert all(needs_trust(f"retriever.{name}") for name in engines)
    for name in names:
        if name.startswith(channels):
            own = name.partition(".")[2]
            assert needs_trust(f"retriever.{name}") == (own in OF_ENGINES), name


@pytest.mark.parametrize("group", [name for name in CHOICES if "." not in name])
def test_every_choice_is_known_to_be_harmless_or_needs_trust(group: str) -> None:
    need = {
        "embedder": {"server"},
        "retriever": {*ENGINES},
        "reranker": {"server"},
        "answerer": {"openai"},
        "query": {"rewrite", "hyde", "several"},
        "chunker": {"python", "command"},
        "vectors": {"server"},
        "execution": {"ray"},
    }
    choices = {file.stem for file in (CONF / group).glob("*.yaml")}

    assert choices - CHOICES[group] == need.get(group, set())
    assert choices >= CHOICES[group]


def test_groups_without_a_list_do_not_exist() -> None:
    folders = {place.name for place in CONF.iterdir() if place.is_dir()}

    assert folders - {"study"} == {name for name in CHOICES if "." not in name}


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("retriever", "command", "starts a program"),
        ("retriever", ["bm25"], "not among"),
        ("retriever", {"kind": "bm25"}, "not among"),
        ("retriever.channels", ["bm25", "python"], "runs Python code"),
        ("retriever.channels", [["bm25"]], "not among"),
        ("retriever.http.url", "http://x", "address of a server"),
        ("retriever.graph.equivalences", "x", "chooses what is read"),
        ("retriever.path", "x", "chooses what is read"),
        ("retriever", "run", "chooses what is read"),
        ("retriever.stop_words", "words.txt", "chooses what is read"),
        ("embedder.trust_remote_code", True, "code that the model brings"),
        ("embedder.key_variable", "HOME", "reads the environment"),
        ("store", "x", "where files are written"),
        ("chunk", object(), "not among"),
        ("targets", {"easy": object()}, "not among"),
        ("made.up", 1, "not among"),
        ("", 1, "not among"),
    ],
)
def test_the_reason_says_what_the_setting_does(name: str, value: object, why: str) -> None:
    assert why in reason_for_trust(name, ["bm25", value] if name == "retriever" else [value])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("chunk", 512),
        ("weights", [0.5, 0.5]),
        ("targets", {"easy": 0.5}),
        ("limit", None),
        ("retriever", "bm25"),
        ("retriever.channels", ["bm25", "graph"]),
        ("retriever.graph.walk.weights.calls", 1.0),
        ("retriever.fields.signature", 2.0),
        ("retriever.path", 2.0),
        ("retriever.stop_words", "default"),
        ("retriever.grep.stop_words", True),
        ("retriever.fields.path", 1),
        ("suite.path", "suite.yaml"),
    ],
)
def test_what_is_harmless_needs_no_reason(name: str, value: object) -> None:
    assert reason_for_trust(name, [value]) == ""


@pytest.mark.parametrize(
    "text",
    [
        "a: ${oc.env:SECRET}",
        "a: {b: [1, {c: 'x ${oc.env:SECRET}'}]}",
        "'${a}': 1",
        'a: "$\\x7boc.env:SECRET}"',
        "a: >-\n  $\\\n  {x}\n  ${oc.env:SECRET}",
        "base: &b {c: ['${x}']}\na:\n  <<: *b",
        "a: &a [1, *a, '${x}']",
    ],
)
def test_an_interpolation_is_found_wherever_it_is(text: str) -> None:
    with pytest.raises(SettingError, match=r"mine: .* is an interpolation") as refused:
        refuse_interpolations(yaml.safe_load(text), "mine")

    assert "\n" not in str(refused.value)


def test_dollars_alone_are_text() -> None:
    refuse_interpolations({"a": ["$x", "{y}", "$ {z}"]}, "mine")
