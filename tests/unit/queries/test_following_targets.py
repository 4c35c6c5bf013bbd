"""Targets of an earlier study are found again in a changed tree, or lost for a reason."""

import pytest

from bench.errors import FixtureError
from bench.queries import (
    Query,
    Target,
    TargetState,
    Tree,
    follow,
    resolve_in,
    states_of,
    with_states,
)
from bench.queries.line_marks import marks_of, near_places, same_text
from retrievers.interface import Documents
from retrievers.source import find_symbols

CART = """\
class Cart:
    def total(self):
        prices = self.prices()
        return sum(prices)

    def remove(self, name):
        del self.items[name]
"""
TOTAL = Query("total", "?", (Target("span", path="cart.py", start=2, end=4),))
REMOVE = Query("remove", "?", (Target("symbol", symbol="Cart.remove"),))
FILE = Query("file", "?", (Target("file", path="cart.py"),))


def tree(**files: str) -> Tree:
    """Return a tree of Python files."""
    documents = Documents.of([(f"{name}.py", text) for name, text in files.items()])
    return Tree.of(documents, find_symbols(documents))


def states(query: Query, before: Tree, after: Tree) -> tuple[TargetState, ...]:
    """Return the states of a query's targets in the second tree."""
    (old,) = follow(before, [query], None)
    (new,) = follow(after, [query], (old.states,))
    return new.states


def test_lines_are_where_they_are_written_as_long_as_they_say_the_same() -> None:
    (state,) = states(TOTAL, tree(cart=CART), tree(cart=CART + "x = 1\n"))

    assert (state.lost, state.at) == ("", "")
    assert state.written == "cart.py:2-4"


def test_lines_are_followed_within_their_file() -> None:
    (state,) = states(TOTAL, tree(cart=CART), tree(cart="import os\n\n" + CART))

    assert (state.lost, state.at) == ("", "cart.py:4-6")


def test_lines_are_followed_through_an_edit_of_less_than_half_of_them() -> None:
    after = "import os\n" + CART.replace("        return", "        log(1)\n        return")
    after = after.replace("return sum(prices)", "return sum(prices, 0)")

    (state,) = states(TOTAL, tree(cart=CART), tree(cart=after))

    assert (state.lost, state.at) == ("", "cart.py:3-5")


def test_lines_of_which_most_are_new_are_rewritten() -> None:
    after = CART.replace("prices = self.prices()", "amount = 0").replace("sum(prices)", "amount")

    (state,) = states(TOTAL, tree(cart=CART), tree(cart=after))

    assert state.lost == "rewritten"


def test_lines_that_stand_in_several_places_are_ambiguous() -> None:
    body = "\n".join(CART.split("\n")[1:4])
    after = f"class New:\n    pass\n\n    pass\n{body}\n\nclass Cart:\n{body}\n"

    (state,) = states(TOTAL, tree(cart=CART), tree(cart=after))

    assert state.lost == "ambiguous"


def test_lines_are_followed_into_another_file() -> None:
    (state,) = states(TOTAL, tree(cart=CART), tree(basket=CART))

    assert (state.lost, state.at) == ("", "basket.py:2-4")


def test_lines_of_a_file_that_is_gone_are_gone() -> None:
    (state,) = states(TOTAL, tree(cart=CART), tree(other="x = 1\n"))

    assert state.lost == "gone"


def test_a_single_line_is_not_looked_for_in_other_files() -> None:
    """It may stand anywhere by chance."""
    one = Query("one", "?", (Target("span", path="cart.py", start=4, end=4),))

    (state,) = states(one, tree(cart=CART), tree(other=CART))

    assert state.lost == "gone"


@pytest.mark.parametrize("query", [REMOVE, FILE])
def test_names_and_paths_are_looked_up_again(query: Query) -> None:
    rewritten = "class Cart:\n    def remove(self, name):\n        self.items.pop(name)\n"

    (kept,) = states(query, tree(cart=CART), tree(cart=rewritten))
    (gone,) = states(query, tree(cart=CART), tree(shop="class Shop:\n    pass\n"))

    assert (kept.lost, kept.lines) == ("", "")
    assert gone.lost == "gone"


def test_a_name_that_now_means_several_definitions_is_ambiguous() -> None:
    (state,) = states(REMOVE, tree(cart=CART), tree(cart=CART, basket=CART))

    assert state.lost == "ambiguous"


def test_a_query_that_lost_a_target_has_none_and_the_others_are_resolved() -> None:
    before, after = tree(cart=CART), tree(cart=CART.replace("def remove", "def drop"))
    old = follow(before, [TOTAL, REMOVE], None)

    new = follow(after, [TOTAL, REMOVE], tuple(one.states for one in old))
    judgements = with_states(resolve_in(after, [one.query for one in new]), new)

    assert set(judgements.query.tolist()) == {0}
    found = states_of(judgements, query_count=2)
    assert [[state.lost for state in of] for of in found] == [[""], ["gone"]]


def test_without_an_earlier_study_a_missing_target_is_an_error() -> None:
    after = tree(cart="x = 1\n")

    (strict,) = follow(after, [REMOVE], None)

    with pytest.raises(FixtureError, match="is not in the source"):
        resolve_in(after, [strict.query])


def test_a_target_that_the_earlier_study_had_not_found_either_is_an_error() -> None:
    """It is a mistake in the queries, not a change of the code."""
    empty = tree(cart="x = 1\n")
    (lost,) = follow(empty, [REMOVE], ((),))

    (again,) = follow(empty, [REMOVE], (lost.states,))

    assert lost.states[0].lost == "gone"
    assert lost.query.targets == ()
    with pytest.raises(FixtureError, match="is not in the source"):
        resolve_in(empty, [again.query])


def test_white_space_does_not_change_a_line() -> None:
    assert marks_of("a  b\n") == marks_of("\ta b")
    assert marks_of("a b") != marks_of("ab")


def test_half_of_the_lines_are_enough() -> None:
    before = marks_of("a\nb\n\nc\nd")

    assert same_text(before, marks_of("a\nx\nc"))
    assert not same_text(before, marks_of("a\nx\ny"))
    assert near_places(before, marks_of("z\nz\na\nb\n\nx\ny\nz")) == ((3, 7),)
