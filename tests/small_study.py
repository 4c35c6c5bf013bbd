"""A small repository and its queries, for tests of whole studies."""

QUERIES = """\
queries:
  - {id: q1, query: how are prices added up, difficulty: easy, expected_symbols: [cart.Cart.total]}
  - {id: q2, query: take an item out again, difficulty: hard, expected_symbols: [cart.Cart.remove]}
  - {id: q3, query: send a parcel by drone, negative: true}
"""
CART = """\
class Cart:
    def total(self):
        return sum(prices for prices in self.items)

    def remove(self, name):
        del self.items[name]  # the item is out
"""
