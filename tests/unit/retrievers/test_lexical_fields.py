"""Fields: FTS5's BM25 by hand, what each column holds, and what is refused."""

import math

import numpy as np
import pytest

from retrievers.errors import LexicalError
from retrievers.interface import Chunks, Documents
from retrievers.lexical import COLUMNS, Fields, FieldsIndex, FieldTexts, field_texts
from retrievers.lexical.full_text import FullText, FullTextTable, any_of, in_column, phrase, prefix
from retrievers.source import find_symbols

SHOP = '''\
class CartLine:
    """A line of a cart."""

    def total_price(self):
        first = 1
        second = 2
        return first


def checkout(): ...
'''


def chunks(rows: list[tuple[int, int, int]]) -> Chunks:
    """Return chunks of these documents and offsets."""
    document, start, end = np.array(rows, np.int32).T
    none = np.zeros(len(rows), np.int32)
    return Chunks(document, start, end, none, none, none, none)


def weighed(frequency: float, length: float, mean: float, rarity: float) -> float:
    """Return a word's BM25 as FTS5 has it."""
    return rarity * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / mean))


def test_a_word_counts_by_the_weight_of_its_column() -> None:
    """Four texts of two columns, worked out by hand: 10 in a name, 1 in a body."""
    columns = {
        "name": ["parse", "", "", "open"],
        "body": ["read it", "parse all the text", "", "close it"],
    }
    rarity = math.log((4 - 2 + 0.5) / (2 + 0.5))
    rarity = max(rarity, 1e-6)

    scores = FullText(columns, {"name": 10.0, "body": 1.0}).scores('"parse"')

    mean = (3 + 4 + 0 + 3) / 4
    expected = [weighed(10, 3, mean, rarity), weighed(1, 4, mean, rarity), 0, 0]
    assert scores == pytest.approx(expected)


def test_a_rare_word_counts_by_how_few_texts_have_it() -> None:
    """Five texts, one with the word twice."""
    texts = FullText({"body": ["a a b", "b", "c", "c d e", "d"]}, {"body": 2.0})

    scores = texts.scores('"a"')

    rarity = math.log((5 - 1 + 0.5) / (1 + 0.5))
    assert scores == pytest.approx([weighed(4, 3, 9 / 5, rarity), 0, 0, 0, 0])


def test_expressions_find_phrases_beginnings_and_columns() -> None:
    texts = FullText(
        {
            "name": ["code actions", "actions", "other"],
            "path": ["x", "migrations", "code actions"],
        },
        {"name": 1.0, "path": 1.0},
    )

    def found(expression: str) -> list[int]:
        return np.flatnonzero(texts.scores(expression)).tolist()

    assert found(phrase(["code", "actions"])) == [0, 2]
    assert found(in_column("name", phrase(["code", "actions"]))) == [0]
    assert found(in_column("path", prefix("migration"))) == [1]
    assert found(any_of([phrase(["other"]), phrase(["actions"])])) == [0, 1, 2]
    assert found("") == []
    assert texts.has(phrase(["other"]))
    assert not texts.has(phrase(["another"]))
    assert not texts.has("")


@pytest.mark.parametrize("word", ['"', 'a" OR "b', "NEAR(a b)", "a*", "-a", "^a", "", "\ud800"])
def test_marks_of_the_expression_language_are_words_when_quoted(word: str) -> None:
    texts = FullText({"body": ["b", "NEAR", "other"]}, {"body": 1.0})

    scores = texts.scores(any_of([phrase([word]), phrase(["other"])]))

    assert scores[2] > 0
    assert scores[0] == 0


def test_thousands_of_words_are_no_error() -> None:
    """An issue text may be long."""
    texts = FullText({"body": ["word77", "x"]}, {"body": 1.0})

    scores = texts.scores(any_of(phrase([f"word{n}"]) for n in range(5000)))

    assert scores[0] > scores[1] == 0


def test_columns_hold_what_a_chunk_declares_and_not_what_it_continues() -> None:
    documents = Documents.of([("lib/cartModel.py", SHOP)])
    middle, end = SHOP.index("second"), len(SHOP)

    texts = field_texts(
        documents, chunks([(0, 0, middle), (0, middle, end)]), find_symbols(documents), "plain"
    )

    assert texts.symbol_name == ("cartline total_price", "checkout")
    assert texts.doc == ("a line of a cart", "")
    assert texts.path == ("lib cartmodel py", "lib cartmodel py")
    assert texts.concepts == ("lib cartmodel", "lib cartmodel")
    assert texts.qualified_name == (
        "lib cartmodel cartline lib cartmodel total_price",
        "lib cartmodel checkout",
    )
    assert texts.signature == ("class cartline def total_price self", "def checkout")
    assert texts.body[1].startswith("second 2 return first")


def test_what_a_border_cuts_off_a_definition_is_in_no_column() -> None:
    """The name without its signature, and neither without the doc."""
    text = 'def total_price(cart):\n    """Add up prices."""\n    return 1\n'
    documents = Documents.of([("a.py", text)])
    cuts = [text.index("_price"), text.index("cart"), text.index("up"), len(text)]

    found = [
        field_texts(documents, chunks([(0, 0, cut)]), find_symbols(documents), "plain")
        for cut in cuts
    ]

    assert [one.symbol_name[0] for one in found] == [
        "",
        "total_price",
        "total_price",
        "total_price",
    ]
    assert [one.signature[0] for one in found] == ["", "", *["def total_price cart"] * 2]
    assert [one.doc[0] for one in found] == ["", "", "", "add up prices"]


def test_a_name_has_the_qualifiers_that_its_declaration_has() -> None:
    text = "int Shop::Cart::total() { return 1; }\n"
    documents = Documents.of([("lib/cart.cpp", text)])

    texts = field_texts(documents, chunks([(0, 0, len(text))]), find_symbols(documents), "plain")

    assert texts.symbol_name == ("shop cart total",)
    assert texts.qualified_name == ("lib cart shop cart total",)


def test_identifiers_are_indexed_whole_and_in_parts() -> None:
    documents = Documents.of([("commandLineParser.py", "def before_request(): ...")])
    one = chunks([(0, 0, 25)])

    texts = field_texts(documents, one, find_symbols(documents), "identifier")

    assert texts.symbol_name == ("before request before_request",)
    assert texts.concepts == ("command line parser commandlineparser",)


def column_texts(**columns: tuple[str, ...]) -> FieldTexts:
    rest = dict.fromkeys(COLUMNS, ("", "", "", ""))
    return FieldTexts("identifier", **{**rest, **columns})


def test_a_name_outweighs_a_body_and_weights_turn_it_round() -> None:
    texts = column_texts(symbol_name=("parse", "", "", ""), body=("", "parse", "x", "y"))

    usual = FieldsIndex(texts, Fields()).scores("parse")
    turned = FieldsIndex(texts, Fields(symbol_name=1, body=10)).scores("parse")

    assert usual[0] > usual[1] > 0
    assert turned[1] > turned[0] > 0


def test_a_column_of_weight_zero_is_not_searched() -> None:
    texts = column_texts(doc=("only here", "", "", ""))

    assert FieldsIndex(texts, Fields(doc=0)).scores("here").tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"doc": -1.0}, "doc=-1.0 is not a weight; use 0 or more"),
        ({"path": math.nan}, "path=nan is not a weight; use 0 or more"),
        ({"tokenizer": "none"}, "tokenizer=none is not known; choose one of"),
        (dict.fromkeys(COLUMNS, 0.0), "every column has weight 0; give at least one column"),
    ],
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, float], message: str) -> None:
    with pytest.raises(LexicalError, match=message):
        Fields(**wrong)  # type: ignore[arg-type]


def test_columns_of_another_tokenizer_are_refused() -> None:
    with pytest.raises(LexicalError, match="tokenizer=plain: these columns were split with"):
        FieldsIndex(column_texts(), Fields("plain"))


def test_a_stored_table_answers_as_the_one_it_was_made_of() -> None:
    columns = {"name": ["parse one", "other", ""], "body": ["x", "parse", "parse parse"]}
    weights = {"name": 10.0, "body": 1.0}

    table = FullTextTable.of(columns)
    opened = FullText.opened(table, weights)

    assert (
        opened.scores('"parse"').tolist() == FullText(columns, weights).scores('"parse"').tolist()
    )
    assert np.count_nonzero(opened.scores('"parse"')) == 3
    assert FullText.opened(FullTextTable.of({}), weights).scores('"parse"').tolist() == []
