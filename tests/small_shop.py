"""A small shop with documentation, a test and a guide, and the queries made of it."""

from bench.authoring.generated import SOURCES, Generated, Generating, generate
from retrievers.interface import Documents

CART = '''\
class Cart:
    """Things that a customer has chosen but not yet paid for."""

    def total(self):
        """Add up the prices of everything that is in here, without any tax.

        >>> Cart().total()
        """
        return sum(item.price for item in self.items)

    def remove_item(self, name):
        """Remove item and tell the customer about it, if they are still there."""
        del self.items[name]

    def check_out(self):
        if not self.items:
            raise ValueError(f"nothing to pay for in basket {self.number} of today")
        return self.total()


def total_of_day(carts): return 0  # adds what all customers of one day have paid together
'''
TESTS = """\
from shop.cart import Cart


def test_an_empty_basket_costs_nothing_at_all():
    assert Cart().check_out() == 0
"""
GUIDE = """\
# Paying

Customers get a receipt by mail as soon as they have paid (see `Cart.check_out`).

- `Cart.remove_item` also works after paying.
"""


def made(*sources: str, **files: str) -> Generated:
    tree = {"shop/cart.py": CART, "tests/test_cart.py": TESTS, "guide.md": GUIDE, **files}
    wanted = tuple(one for one in SOURCES if one in sources)
    return generate(Documents.of(list(tree.items())), Generating(sources=wanted))


def texts(found: Generated) -> dict[str, list[str]]:
    return {one.query.text: [t.symbol for t in one.query.targets] for one in found.entries}
