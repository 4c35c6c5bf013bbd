"""Edges of what is not code: manifests, prose and owners."""

from pathlib import Path

import pytest

from retrievers.interface import Documents
from retrievers.source import EDGE_KINDS, Edges, Symbols, find_edges, find_symbols

ROOT = Path(__file__).parents[3]
FILES = {
    "pyproject.toml": '[project]\nname = "x"\ndependencies = [\n  "attrs>=1",\n  "rich",\n]\n',
    "web/package.json": '{"dependencies": {"left-pad": "1"}, "devDependencies": {"tap": "2"}}',
    "Cargo.toml": '[dependencies]\nserde = "1"\n',
    "go.mod": "module a.b/c\n\nrequire (\n\tgolang.org/x/net v0.1.0\n)\n",
    "CODEOWNERS": "* @all\n/shop/ @shop @sales  # theirs\n",
    "shop/cart.py": "class Cart:\n    def total(self): ...\n\ndef helper(): ...\n",
    "shop/other.py": "def helper(): ...\n",
    "docs/guide.md": "# Guide\n\nUse `Cart.total` or `helper()`,\nnot `shop.other.helper`.\n",
}


def edges_of(files: dict[str, str]) -> tuple[Documents, Symbols, Edges]:
    documents = Documents.of(list(files.items()))
    symbols = find_symbols(documents)
    return documents, symbols, find_edges(documents, symbols)


def shown(files: dict[str, str], kind: str) -> set[tuple[str, str, int]]:
    documents, symbols, edges = edges_of(files)
    names = [*symbols.names, *documents.paths, *edges.external]
    return {
        (names[edges.source[one]], names[edges.target[one]], int(edges.line[one]))
        for one in range(len(edges))
        if EDGE_KINDS[edges.kind[one]] == kind
    }


def test_every_kind_of_edge_is_found_in_a_repository() -> None:
    samples = ROOT / "fixtures" / "samples" / "edges"
    of_code = {
        place.relative_to(samples).as_posix(): place.read_text(encoding="utf-8")
        for place in sorted(samples.rglob("*"))
        if place.is_file() and place.name != "edges.yaml"
    }
    asking = "import requests\n\n\ndef ask():\n    return requests.get('http://x.org/carts')\n"
    authors = '[project]\nname = "y"\nauthors = [{name = "Ada"}]\n'
    files = {**FILES, **of_code, "ask.py": asking, "y/pyproject.toml": authors}

    _, _, edges = edges_of(files)

    assert {EDGE_KINDS[kind] for kind in edges.kind.tolist()} == set(EDGE_KINDS)


def test_manifests_depend_on_packages() -> None:
    assert shown(FILES, "depends_on") == {
        ("pyproject.toml", "package:attrs", 4),
        ("pyproject.toml", "package:rich", 5),
        ("web/package.json", "package:left-pad", 1),
        ("web/package.json", "package:tap", 1),
        ("Cargo.toml", "package:serde", 2),
        ("go.mod", "package:golang.org/x/net", 4),
    }


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pyproject.toml", "[project\n"),
        ("pyproject.toml", "project = 1\n"),
        ("package.json", "[" * 100_000),
        ("package.json", '{"dependencies": ["a"]}'),
        ("Cargo.toml", "\0"),
        ("go.mod", ""),
    ],
)
def test_a_broken_manifest_depends_on_nothing(path: str, text: str) -> None:
    assert shown({path: text}, "depends_on") == set()


@pytest.mark.parametrize(
    "text",
    ["\n" * 200_000, "a." * 100_000, "a.b/c" + " " * 200_000, "require " * 20_000],
    ids=["lines", "dots", "blanks", "words"],
)
def test_a_manifest_made_to_be_slow_is_not(text: str) -> None:
    """It would take hours where time grows with the square of the length."""
    assert shown({"go.mod": text}, "depends_on") == set()


@pytest.mark.timeout(60)
def test_a_pattern_of_owners_may_have_any_number_of_stars() -> None:
    files = {
        "CODEOWNERS": f"*.py @all\n{'a*' * 25}.py @many\n! @none\n{'a*' * 25}b @slow\n",
        "a" * 120 + ".py": "x = 1\n",
    }

    assert {owner for _, owner, _ in shown(files, "owned_by")} == {"owner:@many"}


def test_prose_documents_what_only_one_definition_can_be_meant_by() -> None:
    assert shown(FILES, "documents") == {
        ("docs/guide.md", "shop.cart.Cart.total", 3),
        ("docs/guide.md", "shop.other.helper", 4),
    }


def test_the_last_rule_that_fits_says_who_owns_a_file() -> None:
    found = shown(FILES, "owned_by")

    assert {owner for path, owner, _ in found if path == "shop/cart.py"} == {
        "owner:@shop",
        "owner:@sales",
    }
    assert ("docs/guide.md", "owner:@all", 1) in found
