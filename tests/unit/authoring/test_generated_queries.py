"""Queries made of a repository: what each source asks, and what is refused."""

from bench.authoring.generated import Generated, Generating, generate
from bench.queries import Entry
from retrievers.interface import Documents
from tests.small_shop import made, texts


def only(found: Generated) -> Entry:
    (entry,) = found.entries
    return entry


def test_documentation_asks_for_its_definition_and_is_hidden() -> None:
    found = made("documentation")

    asked = texts(found)
    question = "Add up the prices of everything that is in here, without any tax"
    assert asked[question] == ["shop/cart.py::Cart.total"]
    entry = next(one for one in found.entries if one.query.text == question)
    assert [(one.path, one.start, one.end) for one in entry.hidden] == [("shop/cart.py", 5, 8)]
    assert entry.generated
    assert entry.query.category == "documentation"
    assert entry.query.notes == "documentation at shop/cart.py:5-8"


def test_what_gives_its_answer_away_is_rejected_with_its_reason() -> None:
    found = made("documentation")

    assert "Remove item" not in " ".join(texts(found))
    assert found.rejected["names its answer"] == 1


def test_a_comment_beside_code_cannot_be_hidden() -> None:
    said = "'''Compute things that nobody else could compute.'''"
    beside = f"class A:\n    def b(self): {said}; return 1\n"

    found = made("documentation", **{"beside.py": beside})

    assert found.rejected["shares its lines with code"] == 1


def test_a_test_asks_for_what_it_exercises_and_its_file_is_hidden() -> None:
    entry = only(made("tests"))

    assert entry.query.text == "an empty basket costs nothing at all"
    assert "shop/cart.py::Cart.check_out" in [one.symbol for one in entry.query.targets]
    assert [(one.level, one.path) for one in entry.hidden] == [("file", "tests/test_cart.py")]


def test_a_paragraph_asks_without_the_names_that_it_gives() -> None:
    found = made("guides")

    asked = texts(found)
    (question,) = (text for text in asked if "receipt" in text)
    assert "check_out" not in question
    assert asked[question] == ["shop/cart.py::Cart.check_out"]


def test_a_sentence_with_a_hole_is_rejected() -> None:
    torn = (
        "# Notes\n\nThis stops the shop and `Cart.total` from `Cart.remove_item` for good (#12).\n"
    )

    found = made("guides", **{"torn.md": torn})

    assert not any("stops the shop" in text for text in texts(found))
    assert found.rejected["not a sentence"] == made("guides").rejected["not a sentence"] + 1


def test_a_message_is_asked_with_its_values() -> None:
    entry = only(made("messages"))

    assert entry.query.text == "nothing to pay for in basket example of today"
    assert [one.symbol for one in entry.query.targets] == ["shop/cart.py::Cart.check_out"]


def test_text_that_another_file_has_is_rejected() -> None:
    copy = "# Notes\n\nAdd up the prices of everything that is in here, without any tax.\n"

    found = made("documentation", **{"notes.md": copy})

    assert found.rejected["copied elsewhere"] == 1


def test_a_question_that_two_definitions_answer_is_rejected() -> None:
    twice = "".join(
        f'def {name}():\n    """Counts whatever was sold during the last night."""\n    go(1)\n'
        for name in ("first", "second")
    )

    use = "from twice import first, second\n"

    found = made("documentation", **{"twice.py": twice, "use.py": use})

    assert not any("last night" in text for text in texts(found))
    assert found.rejected["several answers fit"] == 2


def test_the_same_tree_gives_the_same_queries_and_a_seed_others() -> None:
    said = [
        "Paints whatever wall is still white",
        "Counts the coins in every drawer",
        "Carries heavy boxes down to the cellar",
        "Wakes the baker before sunrise",
        "Locks both doors behind late customers",
        "Feeds two cats that live upstairs",
    ]
    many = {
        f"part{number}.py": f'def f{number}():\n    """{one}."""\n    go()\n'
        for number, one in enumerate(said)
    }
    use = "".join(f"from part{number} import f{number}\n" for number in range(len(said)))
    documents = Documents.of([*many.items(), ("use.py", use)])

    first, again = (generate(documents, Generating(count=3)) for _ in range(2))
    others = {
        tuple(texts(generate(documents, Generating(count=3, seed=seed)))) for seed in range(6)
    }

    assert texts(first) == texts(again)
    assert len(first.entries) == 3
    assert len(others) > 1


def test_a_name_without_its_first_or_last_word_still_gives_the_answer_away() -> None:
    code = (
        'def refuse_unpaid_orders():\n    """Tell whoever sends unpaid orders to come back."""\n'
        "    raise SystemExit\n"
    )

    found = made("documentation", **{"refuse.py": code})

    assert not any("unpaid orders" in text for text in texts(found))
    assert found.rejected["names its answer"] == 2


def test_a_name_that_the_sentence_needs_makes_a_hole() -> None:
    """A name in front of its noun can be left out, one in place of a noun cannot."""
    pages = {
        "whole.md": "Receipts are printed by the `Cart.remove_item` function late at night.\n",
        "torn.md": "The shop then calls `Cart.check_out` late at night for everybody.\n",
        "first.md": "`Cart.remove_item`: customers may now change their minds twice.\n",
    }

    found = made("guides", **pages)

    asked = texts(found)
    assert "Receipts are printed by the function late at night" in asked
    assert "customers may now change their minds twice" in asked
    assert not any("late at night for" in text for text in asked)
    assert found.rejected["not a sentence"] == made("guides").rejected["not a sentence"] + 1


def test_one_word_alone_does_not_mean_a_member_of_something() -> None:
    pages = {
        "word.md": "The sum in `total` is what people look at before they pay.\n",
        "said.md": "What people like most about paying here is the `Cart.total` method now.\n",
    }

    found = made("guides", **pages)

    asked = texts(found)
    assert asked["What people like most about paying here is the method now"] == [
        "shop/cart.py::Cart.total"
    ]
    assert not any("The sum in" in text for text in asked)


def test_a_link_to_another_project_does_not_name_what_is_here() -> None:
    link = "The options are those of the [`check_out` call](https://example.com/api) of others.\n"

    found = made("guides", **{"link.md": link})

    assert not any("The options" in text for text in texts(found))
    assert found.rejected["may mean something else"] == 1


def test_a_declaration_is_not_asked_for_when_its_body_is_elsewhere() -> None:
    declared = """\
export interface Shop {
  /** How much somebody owes us at the end of a month */
  owed(): number;
  /** The highest bill of the day before yesterday */
  top(): number;
}
"""
    body = "function owed () { return 1 } // a Shop\n"

    found = made("documentation", **{"shop.d.ts": declared, "shop.js": body})

    assert "How much somebody owes us at the end of a month" not in texts(found)
    assert "The highest bill of the day before yesterday" in texts(found)
    assert found.rejected["only declares its answer"] == 1


def test_a_paragraph_that_speaks_of_the_text_around_it_is_rejected() -> None:
    beside = {
        "this.md": "This is also done by the `Cart.remove_item` function late at night.\n",
        "above.md": "Customers of the kind above get the `Cart.remove_item` function for free.\n",
    }

    found = made("guides", **beside)

    before = made("guides").rejected["not a sentence"]
    assert found.rejected["not a sentence"] == before + 2


def test_a_name_in_front_of_a_verb_makes_a_hole() -> None:
    torn = "Nobody may use a `Cart.remove_item` because people have paid for it already.\n"

    found = made("guides", **{"torn.md": torn})

    assert not any("Nobody" in text for text in texts(found))


def test_in_a_manual_the_answers_are_lines() -> None:
    """What people ask of a manual is judged by lines, and so is what is made of one."""
    page = {"more.md": "Customers come and go, and some of them pay for what they take. " * 40}

    found = made("documentation", **page)

    targets = {one.query.text: one.query.targets for one in found.entries}
    (target,) = targets["Add up the prices of everything that is in here, without any tax"]
    assert (target.level, target.path, target.start, target.end) == ("span", "shop/cart.py", 4, 9)


def test_a_function_of_one_word_is_meant_where_it_is_called() -> None:
    code = "def export(): return write(1)  # what the accountant wants to have by the evening\n"
    pages = {
        "value.md": "Choose the `export` value if the accountant is in a hurry again.\n",
        "call.md": "Accountants who come in very late like the `export()` function a lot.\n",
    }

    found = made("guides", **{"export.py": code, **pages})

    asked = texts(found)
    assert asked["Accountants who come in very late like the function a lot"] == [
        "export.py::export"
    ]
    assert not any("in a hurry" in text for text in asked)
    assert found.rejected["may mean something else"] == 1
