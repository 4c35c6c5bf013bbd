"""YAML of queries has the same values from the fast parser and from the library's own."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.errors import FixtureError
from bench.queries.yaml_text import _composed, _quickly_composed, load_yaml

FIXTURES = Path(__file__).parents[3] / "fixtures"
FILES = [*(FIXTURES / "quick").glob("*.yaml"), *(FIXTURES / "tiered").rglob("*.yaml")]
ODD = ["a:\tb", "!", "[!, a]", "? a", "a: b\x85c: d", "a: \u2028", "---\na: 1", "\r\n\ufeff# a"]


def plain(node: yaml.Node | None) -> Any:
    """Return a node with its tag and line, and all below it."""
    if isinstance(node, yaml.MappingNode):
        value: Any = [(plain(key), plain(item)) for key, item in node.value]
    elif isinstance(node, yaml.SequenceNode):
        value = [plain(item) for item in node.value]
    else:
        value = node and node.value
    return node and (node.tag, node.start_mark.line, value)


def result_of(compose: Any, text: str) -> Any:
    """Return what a text is read as, or that it is refused."""
    try:
        return plain(compose(text))
    except (yaml.YAMLError, ValueError):
        return "refused"


def test_the_files_of_the_suites_have_the_same_values() -> None:
    texts = [file.read_text("utf-8") for file in FILES]

    assert len(texts) > 20
    assert [plain(_quickly_composed(text)) for text in texts] == [
        plain(_composed(text)) for text in texts
    ]


@pytest.mark.parametrize("text", ODD, ids=ascii)
def test_what_libyaml_reads_otherwise_is_left_to_the_library(text: str) -> None:
    assert result_of(_quickly_composed, text) == result_of(_composed, text)


def test_deep_nesting_is_refused_with_its_line() -> None:
    with pytest.raises(FixtureError, match=r"q\.yaml:1: is not valid YAML: nests deeper than 50"):
        load_yaml("[" * 100_000, "q.yaml")
