"""Which texts of a repository are questions that somebody could ask without knowing the code."""

from bench.authoring.generated import Generating, generate
from bench.authoring.generated.plain import sentences
from retrievers.interface import Documents
from tests.small_shop import made, texts


def documented(text: str) -> list[str]:
    """Return the questions that a comment in front of a JavaScript function asks."""
    lines = "".join(f" * {line}\n" for line in text.split("\n"))
    code = f"/**\n{lines} */\nfunction zig (a) {{\n  return a + 1\n}}\n"
    documents = Documents.of([("lib/zig.js", code)])
    return list(texts(generate(documents, Generating(sources=("documentation",)))))


def test_names_keep_their_underscores() -> None:
    """Underscores around a word are emphasis."""
    text = "Takes the _whole_ message out of error_messages of today"

    assert sentences(text) == "Takes the whole message out of error_messages of today"


def test_the_rest_of_a_step_in_a_list_is_no_question() -> None:
    text = "11. Let the action be one\nthat continues with whatever was suspended before"

    assert documented(text) == []


def test_a_tag_in_front_of_the_description_is_left_out() -> None:
    said = "Takes back whatever was promised yesterday"

    assert documented(f"@override\n{said}\n@readonly") == [said]
    assert documented(f"@description {said}\n@param a - nothing") == [said]


def test_remarks_of_those_who_work_on_the_code_are_no_questions() -> None:
    remarks = [
        "TODO: takes back whatever was promised yesterday",
        "istanbul ignore next: only used while testing",
        "based on another program (MIT License)",
        "Copyright of all people who worked here",
    ]

    assert [documented(one) for one in remarks] == [[]] * 4


def test_a_clause_that_lacks_its_sentence_is_no_question() -> None:
    assert documented("if the work of yesterday was suspended") == []
    assert documented("This mends what global symbols break, see https://example.com/1") == []
    whole = "When the work was suspended, continues with the next piece"
    assert documented(whole) == [whole]


def test_all_words_of_a_name_give_the_answer_away_in_any_order_and_form() -> None:
    code = (
        'def mock_interceptor():\n    """Intercepts what is sent, an interceptor for mocking."""\n'
        "    return 1\n\n\n"
        'def mend():\n    """Mends what customers broke on their way."""\n    return 2\n'
    )

    found = made("documentation", **{"code.py": code})

    assert not any(text.startswith(("Intercepts", "Mends")) for text in texts(found))
    assert found.rejected["names its answer"] == 3


def test_a_question_with_the_name_of_other_code_is_rejected() -> None:
    code = (
        "class NightShift:\n    pass\n\n\n"
        'def part():\n    """Says what a NightShift leaves for the next one."""\n    return 1\n'
    )

    found = made("documentation", **{"code.py": code, "use.py": "from code import part\n"})

    assert not any("NightShift" in text for text in texts(found))
    assert found.rejected["names other code"] == 1


def test_a_function_without_a_body_is_not_asked_for() -> None:
    """Whoever asks wants a function that does it; a class without a body is complete."""
    said = "Keeps all goods dry that wait for somebody"
    bodies = ["", "    pass\n", "    ...\n", '    raise NotImplementedError("later")\n']
    files = {
        f"empty{number}.py": f'def zig():\n    """{said} {number}."""\n{body}'
        for number, body in enumerate(bodies)
    }
    files["error.py"] = 'class Zig(Exception):\n    """Raised where nothing was left to sell."""\n'
    late = "    try:\n        go()\n    except OSError:\n        pass\n"
    files["late.py"] = f'def zag():\n    """Carries goods to whoever lives far away."""\n{late}'

    files["use.py"] = "from error import Zig\nfrom late import zag\n"

    found = made("documentation", **files)

    assert found.rejected["only declares its answer"] == len(bodies)
    asked = texts(found)
    assert asked["Raised where nothing was left to sell"] == ["error.py::Zig"]
    assert asked["Carries goods to whoever lives far away"] == ["late.py::zag"]


def test_what_points_at_its_surroundings_is_rejected() -> None:
    assert documented("Tells what this means for whoever asked for help") == []
    assert documented("Takes its messages from self.messages of today") == []
    assert documented("client bits = 1 digit of all of them") == []
    assert documented("Knows how often somebody asked for help") != []


def test_a_noun_at_the_end_says_nothing_without_the_name_before_it() -> None:
    pages = {
        "end.md": "In order to give something back at night, customers call the"
        " `Cart.remove_item` method.\n",
        "whole.md": "Goods can be given back at night by the `Cart.remove_item` method that"
        " customers call.\n",
    }

    asked = texts(made("guides", **pages))

    assert not any("customers call the" in text for text in asked)
    assert "Goods can be given back at night by the method that customers call" in asked


def test_a_name_inside_of_a_longer_word_means_nothing() -> None:
    """`Set-Cart` is a header."""
    page = "The `Set-Cart` header is sent back to everybody who has bought something.\n"

    assert not any("header" in text for text in texts(made("guides", **{"page.md": page})))


def test_texts_for_those_who_work_on_the_code_are_no_questions() -> None:
    remarks = [
        "We count whatever was promised yesterday",
        "Note that whatever was promised yesterday is counted",
        "Deprecated counter of whatever was promised yesterday",
        "Called whenever somebody has promised another thing",
        "Asynchronous version of whatever was promised yesterday",
        "Added counters of whatever was promised yesterday",
        "Counts promises of yesterday => number of promises",
        "Counts whatever the given fn has promised yesterday",
        "Counts whatever was promised (yesterday or before",
        "promise of yesterday that somebody has broken",
    ]

    assert [documented(one) for one in remarks] == [[]] * len(remarks)


def test_a_sentence_that_fits_everything_is_too_short() -> None:
    assert documented("Represents the current value of the given object") == []


def test_a_sentence_that_nobody_would_type_is_too_long() -> None:
    said = "Counts whatever was promised yesterday by somebody who lives upstairs"

    assert documented(said) == [said]
    assert documented(f"{said} {'and the day before that one ' * 5}or never") == []


def test_a_sentence_about_a_definition_stands_without_it() -> None:
    counts = "Counts whatever was promised yesterday"

    assert documented("This function counts whatever was promised yesterday") == [counts]
    assert documented("zig counts whatever was promised yesterday") == [counts]
    assert documented("counts whatever was promised yesterday") == [counts]
    assert documented("Counts what this customer was promised yesterday") == [
        "Counts what the customer was promised yesterday"
    ]
    assert documented("Is whatever was promised yesterday still counted?") != []
