"""Where a name means a greater and a lesser thing, the greater is meant."""

from bench.queries.matching import Definitions
from retrievers.interface import Documents
from retrievers.source import find_symbols


def test_a_class_is_meant_before_its_constructor() -> None:
    """In Java both bear one name; the class is the greater thing."""
    text = "class Cart {\n    int size;\n    Cart(int size) {\n    }\n}\n"
    documents = Documents.of([("shop/Cart.java", text)])
    definitions = Definitions(documents, find_symbols(documents))

    (meant,) = definitions.meant_by("Cart")

    assert meant.name == "shop.Cart.Cart"
    assert definitions.meant_by("Cart.size")[0].name.endswith("Cart.size")
