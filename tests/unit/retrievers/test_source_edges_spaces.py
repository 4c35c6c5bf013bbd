"""Imports of C# lead to what the repository declares, however its namespaces are written."""

import pytest

from retrievers.interface import Documents
from retrievers.source import EDGE_KINDS, find_edges, find_symbols

FILES = {
    "Cart.cs": (
        "namespace Shop.Models;\n\nclass Cart { class Line {} public static int Sum() => 1; }\n"
    ),
    "Tools.cs": "namespace Shop\n{\n  namespace Tools.Hand\n  {\n    class Saw { }\n  }\n}\n",
    "one/Part.cs": "namespace Shop.Parts { partial class Part { } }\n",
    "two/Part.cs": "namespace Shop.Parts { partial class Part { } }\n",
}


def edges(*uses: str) -> set[tuple[str, str]]:
    """Return kind and target of the imports and calls of one more file, external ones in <>."""
    source = "\n".join([*uses, "class Use { int Go() { return Sum(); } }\n"])
    documents = Documents.of([*FILES.items(), ("Use.cs", source)])
    symbols = find_symbols(documents)
    found = find_edges(documents, symbols)
    external = (f"<{name}>" for name in found.external)
    nodes = [*symbols.names, *documents.paths, *external]
    kinds = [EDGE_KINDS[kind] for kind in found.kind]
    pairs = zip(found.source.tolist(), kinds, found.target.tolist(), strict=True)
    wanted = [(kind, nodes[to]) for one, kind, to in pairs if nodes[one].startswith("Use")]
    return {pair for pair in wanted if pair[0] in ("imports", "calls")}


@pytest.mark.parametrize(
    "name", ["Shop.Models", "Shop", "Shop.Tools.Hand", "Shop.Parts", "Shop.Parts.Part"]
)
def test_declared_names_are_not_external(name: str) -> None:
    """One of several parts of a class is not chosen."""
    assert edges(f"using {name};") == {("calls", "<Sum>")}


def test_undeclared_names_are_external() -> None:
    found = edges("using System.Text;", "using Tools.Hand;", "using static Shop.Models.Saw;")

    external = {"<System.Text>", "<Tools.Hand>", "<Shop.Models.Saw>"}
    assert {target for kind, target in found if kind == "imports"} == external


def test_a_type_is_imported_from_its_namespace() -> None:
    found = edges("using static Shop.Models.Cart;", "using Row = Shop.Models.Cart.Line;")

    assert found == {
        ("imports", "Cart.Cart"),
        ("imports", "Cart.Cart.Line"),
        ("imports", "Cart.cs"),
        ("calls", "Cart.Cart.Sum"),
    }
