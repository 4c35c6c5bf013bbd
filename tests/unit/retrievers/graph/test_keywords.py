"""Keywords of a task: the worked example, then each rule by itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.graph.model import Keywords
from retrievers.graph.seeding.keywords import Extraction, extract_keywords


def test_a_task_in_plain_words() -> None:
    """The verb, the articles and what says no thing are gone; what it is about comes first."""
    found = extract_keywords("add a new MCP tool for snapshot diffing")

    assert found == Keywords(
        exact=(),
        compounds=("SnapshotDiffing", "snapshot_diffing"),
        components=("snapshot", "Snapshot", "diffing", "tool", "mcp"),
    )


def test_neighbouring_words_make_names() -> None:
    blast = extract_keywords("blast radius")
    callers = extract_keywords("transitive callers")

    assert blast.compounds == ("BlastRadius", "blast_radius")
    assert callers.compounds == ("TransitiveCallers", "transitive_callers")


def test_pairs_reach_over_no_mark_no_verb_and_no_stop_word() -> None:
    found = extract_keywords("retry, timeout of requests refactor parser")

    assert found.compounds == ()


def test_a_verb_that_begins_names_is_no_word_alone_but_half_of_a_pair() -> None:
    """`compute` is found in too much code to be asked for, `compute_total` is a name."""
    found = extract_keywords("compute total of the cart")

    assert found.compounds == ("ComputeTotal", "compute_total")
    assert found.components == ("total", "Total", "cart")


def test_a_name_that_begins_with_a_verb_stays_whole() -> None:
    found = extract_keywords("why does compute_total round down")

    assert found.compounds[0] == "compute_total"
    assert "compute" not in found.components


@pytest.mark.parametrize(("task", "made"), [("log odd rows", 2), ("big odd map", 0)])
def test_one_word_of_a_pair_is_longer(task: str, made: int) -> None:
    """`odd rows` is a pair, `log odd` is none: its words have three letters each."""
    assert len(extract_keywords(task).compounds) == made


@pytest.mark.parametrize(
    ("task", "exact"),
    [
        ("call `before_request` first", ("before_request",)),
        ("the `QuerySet` class", ("QuerySet", "queryset")),
        ("`std::vec::push()` here", ("std.vec.push",)),
        ("run `pip install x` now", ()),
        ("`3.9` and ``", ()),
        (f"`{'x' * 101}`", ()),
        (f"`{'x' * 100}`", ("x" * 100,)),
    ],
)
def test_quoted_identifiers_are_exact(task: str, exact: tuple[str, ...]) -> None:
    assert extract_keywords(task).exact == exact


@pytest.mark.parametrize(
    ("task", "compounds"),
    [
        ("the .delete() of it", ("delete",)),
        ("what does get_inlines() do", ("get_inlines",)),
        ("QuerySet.annotate()", ("QuerySet.annotate", "queryset.annotate")),
        ("ModelAdmin.get_inlines", ("ModelAdmin.get_inlines", "modeladmin.get_inlines")),
        ("django.utils.html.escape", ("django.utils.html.escape",)),
        ("shop.line_items", ("shop.line_items",)),
        ("items.filter(x, y) is slow", ("items.filter",)),
    ],
)
def test_what_can_only_be_code_is_a_compound(task: str, compounds: tuple[str, ...]) -> None:
    assert extract_keywords(task).compounds == compounds


@pytest.mark.parametrize("task", ["e.g. this", "i.e. that etc.", "from 3.9 to 2.0", "file(s)"])
def test_prose_and_versions_are_no_code(task: str) -> None:
    assert extract_keywords(task).compounds == ()


def test_a_dotted_word_without_an_underscore_is_no_code_pattern() -> None:
    """It has no variants, as a pattern would; as a name of two parts it is asked for still."""
    assert extract_keywords("Foo of foo.bar").compounds == ("foo.bar",)


def test_identifiers_in_a_sentence_are_compounds_and_their_parts_components() -> None:
    found = extract_keywords("why does commandLineParser ignore _private and max_depth")

    assert found.compounds == ("commandLineParser", "max_depth")
    assert found.components == (
        "command",
        "private",
        "maximum",
        "parser",
        "ignore",
        "depth",
        "line",
        "max",
    )


def test_what_a_task_is_about_may_be_a_compound() -> None:
    found = extract_keywords("refactor the HTTP ConnectionPool for reuse")

    assert found.compounds[0] == "ConnectionPool"
    assert found.components == ("connection", "reuse", "http", "pool")


def test_abbreviations_are_spelled_out_and_kept() -> None:
    found = extract_keywords("ctx cfg svc")

    assert set(found.components) == {"ctx", "context", "cfg", "config", "svc", "service"}


def test_limits_are_settings() -> None:
    task = "blast radius of `abcdef`"

    found = extract_keywords(task, Extraction(5, 7, 6, 6))

    assert found == Keywords()


@given(st.text(max_size=200))
def test_any_text_has_keywords_without_doubles(task: str) -> None:
    found = extract_keywords(task)

    for names in (found.exact, found.compounds, found.components):
        assert len(set(names)) == len(names)
        assert all(names)
    assert found == extract_keywords(task)
