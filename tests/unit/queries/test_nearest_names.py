"""Which names are suggested for one that is not there."""

import difflib

from bench.queries.nearest import nearest


def test_the_most_similar_names_come_first_and_strangers_not_at_all() -> None:
    names = ["Cart.total", "Cart.totals", "Store.find", "Cart.add"]

    found = nearest("Cart.totl", names)

    assert found[:2] == ["Cart.total", "Cart.totals"]
    assert "Store.find" not in found
    assert nearest("qqq", names) == []
    assert nearest("", names) == []


def test_among_many_names_the_best_are_those_that_difflib_finds_in_all() -> None:
    names = [f"module{number}.Class{number % 7}.method_{number}" for number in range(2000)]
    asked = "module77.Class0.metod_77"

    found = nearest(asked, names)

    assert found[0] == difflib.get_close_matches(asked, names, n=1)[0]
    assert found[0] == "module77.Class0.method_77"
