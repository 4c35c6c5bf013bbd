"""A question is found in a document however the document wraps, quotes or spells it."""

import json

import pytest
import yaml

from bench.queries import find_copies, words_of
from retrievers.interface import Documents

QUESTION = 'How are the "prices" of a cart\'s items added up für Käufer?'


def held(question: str, text: str) -> bool:
    """Whether a document with this text holds the question."""
    return list(find_copies([question], Documents.of([("a.md", text)]))) == [(0, 0)]


@pytest.mark.parametrize(
    "text",
    [
        f"before {QUESTION} after",
        QUESTION.upper(),
        QUESTION.replace(" ", "\n"),
        "# " + QUESTION.replace(" ", "\n    # "),
        "/* " + QUESTION.replace(" ", "\r\n * ") + " */",
        "how are the prices of a cart s items -- added up (für käufer)",
        "_" + QUESTION.removesuffix("?") + "_",
        QUESTION.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}"),
        QUESTION.replace("ä", "a\N{COMBINING DIAERESIS}"),
        json.dumps({"question": QUESTION}),
        json.dumps({"question": QUESTION.replace(" ", "\n\t")}),
        yaml.safe_dump([QUESTION], width=20),
        yaml.safe_dump([QUESTION], default_style='"', width=20, allow_unicode=False),
        repr(QUESTION),
        "def test_how_are_the_prices_of_a_cart_s_items_added_up_für_käufer(): ...",
    ],
)
def test_form_does_not_hide_a_question(text: str) -> None:
    assert held(QUESTION, text)


@pytest.mark.parametrize(
    "text",
    [
        "How are the prices of a cart's item added up für Käufer?",
        "How are the prices of a cart's items, in short, added up für Käufer?",
        "show are the prices of a cart's items added up für Käufer, and how",
        "How are the prices of a cart's items added up für Käuferinnen?",
        "für Käufer: how are the prices of a cart's items added up?",
        "How are the prices of a cart's items added up für",
        "",
    ],
)
def test_other_words_are_another_question(text: str) -> None:
    assert not held(QUESTION, text)


def test_a_question_has_five_words_or_more() -> None:
    assert held("how are prices added up", "how are prices added up")
    assert not held("how are prices added", "how are prices added")
    assert not held("?", "?")


def test_every_question_is_found_in_every_document() -> None:
    """Also those that share their longest word, and one that is part of another."""
    questions = [
        "how does the configuration work here",
        "where does the configuration come from",
        "how does the configuration work here and there",
        "who reads none of these documents",
    ]
    documents = Documents.of(
        [
            ("a.md", questions[2]),
            ("b.md", f"{questions[1]}\n{questions[0]}"),
            ("c.md", "where does the configuration go"),
        ]
    )

    assert list(find_copies(questions, documents)) == [(0, 0), (2, 0), (0, 1), (1, 1)]


def test_many_questions_are_found_as_few_are() -> None:
    """Few are first looked for by one word each."""
    questions = [f"what does the {letter * 9} of a cart do" for letter in "abcdefghijklmnopqrstu"]
    questions += [f"where is the {letter * 8} of a cart" for letter in "abcdefghijklmnopqrstu"]
    documents = Documents.of([(f"{number:02}.md", text) for number, text in enumerate(questions)])

    found = list(find_copies(questions, documents))

    assert found == [(number, number) for number in range(len(questions))]
    assert list(find_copies(questions[7:8], documents)) == [(0, 7)]


def test_no_other_form_of_a_letter_hides_a_question() -> None:
    """Documents are searched as bytes unless they have such a form, such as a ligature."""
    plain = {chr(code): words_of(chr(code)) for code in range(0x80, 0x20000)}
    forms = [
        f"one two three four un{form}common"
        for form, words in plain.items()
        if any(letter.isascii() for word in words for letter in word)
    ]

    hidden = [text for text in forms if not held(" ".join(words_of(text)), text)]

    assert len(forms) > 1000
    assert hidden == []


@pytest.mark.parametrize(
    "text", ["mon\\\n  ster", "mon\\\r\nster", "\\x6donster", "\\u006Donster"]
)
def test_escapes_within_a_word_do_not_hide_it(text: str) -> None:
    assert held("a big monster ate them", f"a BIG {text} ate them")
