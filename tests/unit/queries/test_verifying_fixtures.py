"""What verification finds, rule by rule, and what it leaves alone."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.queries import Entry, Query, Target
from bench.queries.located import Place
from bench.queries.resolution import Tree
from bench.queries.verification import Finding, FixtureSet, SetReport, verify
from bench.queries.verification.wording import lexical_overlap
from retrievers.interface import Documents
from retrievers.source import find_symbols

FILES = {
    "a/carts.py": "class SqlStore:\n    def total(self): ...\n\n\ndef checkout(): ...\n",
    "b/m.py": "def second(): ...\n",
    "c/m.py": "def third(): ...\n",
    "d/readable_text.md": "# Paying\n\n\nWe pay with parse_money and more.\n",
}


@pytest.fixture(scope="module")
def tree() -> Tree:
    documents = Documents.of(list(FILES.items()))
    return Tree.of(documents, find_symbols(documents))


def entry(query: Query, form: str = "queries", line: int = 1) -> Entry:
    return Entry(query, "", Place("q.yaml", line), form)


def symbols(*names: str) -> tuple[Target, ...]:
    return tuple(Target("symbol", symbol=name) for name in names)


def checked(tree: Tree, *entries: Entry) -> SetReport:
    return verify(FixtureSet("set", entries), tree)


def rules(tree: Tree, query: Query, form: str = "queries") -> list[tuple[str, str]]:
    found = checked(tree, entry(query, form)).findings
    of_sets = ("few-queries", "lexical-overlap")
    return [(one.severity, one.rule) for one in found if one.rule not in of_sets]


LEAKS = {
    "an identifier": ("what is SqlStore", symbols("SqlStore"), "error"),
    "in another case": ("what is sqlstore for", symbols("carts.SqlStore"), "error"),
    "an everyday word": ("how does checkout go", symbols("checkout"), "warning"),
    "a file's stem": (
        "see readable_text",
        (Target("file", path="d/readable_text.md"),),
        "error",
    ),
    "part of a word": ("checkouts", symbols("checkout"), ""),
    "a short name": ("what is the total", symbols("SqlStore.total"), ""),
    "the class of a method": ("the sqlstore sums up", symbols("SqlStore.total"), ""),
}


@pytest.mark.parametrize(("text", "targets", "severity"), LEAKS.values(), ids=LEAKS.keys())
def test_a_name_of_the_answer_in_the_question_is_a_leak(
    text: str, targets: tuple[Target, ...], severity: str, tree: Tree
) -> None:
    found = rules(tree, Query("q", text, targets))

    assert found == ([(severity, "leak")] if severity else [])


def test_queries_that_ask_for_a_name_do_not_leak_it(tree: Tree) -> None:
    exact = Query("q", "SqlStore", symbols("SqlStore"), difficulty="exact")

    assert rules(tree, exact) == []


def test_issues_may_name_what_is_to_be_changed(tree: Tree) -> None:
    query = Query("q", "SqlStore is broken", symbols("SqlStore"))

    assert rules(tree, query, "issues") == [("warning", "leak")]
    assert rules(tree, replace(query, category="issue")) == [("warning", "leak")]


TIERS = {
    "one package called easy": (("SqlStore", "total", "checkout"), "easy", []),
    "one package called hard": (("SqlStore", "total", "checkout"), "hard", ["tier"]),
    "two packages called medium": (("SqlStore", "checkout", "second"), "medium", []),
    "three packages called easy": (("SqlStore", "second", "third"), "easy", ["tier"]),
    "another label": (("SqlStore", "second", "third"), "multi_hop", []),
    "no label": (("SqlStore", "second", "third"), "", []),
    "two symbols": (("SqlStore", "total"), "easy", ["symbol-count"]),
}


@pytest.mark.parametrize(("names", "label", "expected"), TIERS.values(), ids=TIERS.keys())
def test_a_task_has_three_to_eight_symbols_in_as_many_packages_as_its_tier_says(
    names: tuple[str, ...], label: str, expected: list[str], tree: Tree
) -> None:
    query = Query("q", "a task", symbols(*names), difficulty=label)

    assert rules(tree, query, "tasks") == [("warning", rule) for rule in expected]
    assert rules(tree, query, "queries") == []


def test_an_unlabelled_query_gets_the_tier_of_its_packages(tree: Tree) -> None:
    one, three, none = (
        entry(Query("a", "w", symbols("SqlStore"))),
        entry(Query("b", "x", symbols("SqlStore", "second", "third"))),
        entry(Query("c", "y", negative=True)),
    )

    queries = checked(tree, one, three, none).queries

    assert [(query.packages, query.tier) for query in queries] == [
        (1, "easy"),
        (3, "medium"),
        (0, ""),
    ]


def test_repeated_ids_and_texts_name_what_they_repeat(tree: Tree) -> None:
    first = entry(Query("q", "How  so", symbols("SqlStore")), line=3)
    second = entry(Query("q", "how so", symbols("second")), line=8)

    found = {one.rule: one for one in checked(tree, first, second).findings}

    assert found["duplicate-id"].line == 8
    assert "q.yaml:3" in found["duplicate-id"].what
    assert "query 'q'" in found["duplicate-query"].what


def test_ten_queries_are_enough(tree: Tree) -> None:
    entries = [entry(Query(str(n), f"q {n}", symbols("SqlStore"))) for n in range(10)]

    assert checked(tree, *entries).findings == ()
    (few,) = checked(tree, *entries[:9]).findings
    assert (few.rule, few.severity) == ("few-queries", "warning")


def test_places_that_are_wrong_are_errors(tree: Tree) -> None:
    targets = (
        Target("span", path="d/readable_text.md", start=2, end=3),
        Target("span", path="d/readable_text.md", start=4, end=5),
        Target("span", path="a/carts.py", start=1, end=1),
        Target("file", path="d/readable_text.md"),
    )

    found = rules(tree, Query("q", "pay", targets, negative=True))

    assert found == [
        ("error", "outside-file"),
        ("error", "blank-span"),
        ("error", "span-elsewhere"),
        ("error", "negative-target"),
    ]


LONG = "x = 1\n" + "word " * 200 + "answer\n"


def test_targets_on_long_lines_are_one_warning_with_their_number() -> None:
    documents = Documents.of([("a.md", LONG)])
    lines = tuple(Target("span", path="a.md", start=start, end=2) for start in (1, 2))
    short = Target("span", path="a.md", start=1, end=1)
    exact = Target("span", path="a.md", start_character=6, end_character=900)
    entries = [
        entry(Query("a", "one", (short, *lines)), line=3),
        entry(Query("b", "two", (exact,)), line=4),
        entry(Query("c", "three", lines[:1]), line=5),
    ]

    report = verify(FixtureSet("set", entries), Tree.of(documents, find_symbols(documents)))

    (found,) = [one for one in report.findings if one.rule == "long-lines"]
    assert (found.severity, found.line) == ("warning", 3)
    assert found.what.startswith("3 targets are given as lines, one of them longer than 1,000")


def test_characters_that_are_white_space_are_blank(tree: Tree) -> None:
    blank = Target("span", path="d/readable_text.md", start_character=8, end_character=10)

    assert ("error", "blank-span") in rules(tree, Query("q", "w", (blank,)))


def test_a_missing_file_that_a_rule_leaves_out_is_said_so(tree: Tree) -> None:
    targets = (Target("file", path="vendor/x.py"), *symbols("vendor/x.py::f", "Gone"))
    fixtures = FixtureSet("set", [entry(Query("q", "w", targets))])

    report = verify(
        fixtures, tree, left_out=lambda path: "vendored" if path.startswith("vendor/") else ""
    )

    found = [one for one in report.findings if one.severity == "error"]
    assert [one.rule for one in found] == ["excluded-target", "excluded-target", "missing"]
    assert "(vendored)" in found[0].what


def test_a_searched_file_with_half_of_the_questions_is_an_error(tree: Tree) -> None:
    text = "We pay with parse_money"
    other, short = "another long question", "brief"
    entries = [
        entry(Query(str(n), one, symbols("second"))) for n, one in enumerate((text, other, short))
    ]

    (found,) = (one for one in checked(tree, *entries).findings if one.rule == "indexed-fixture")

    assert "'d/readable_text.md' holds 1 of the 2 questions" in found.what
    more = entry(Query("3", "yet another long question", symbols("second")))
    rest = checked(tree, *entries, more).findings
    assert not any(one.rule == "indexed-fixture" for one in rest)


OVERLAPS = {
    "half": ("parse the currency", ["parseMoney(x)"], 1 / 2),
    "parts of names": ("HTTPServer port", ["http", "server_port"], 3 / 4),
    "all": ("where is money", ["Money"], 1.0),
    "none": ("coins", ["Money"], 0.0),
    "several answers": ("red blue", ["red", "blue"], 1.0),
    "stop words only": ("where is it", ["where is it"], None),
}


@pytest.mark.parametrize(("text", "answers", "share"), OVERLAPS.values(), ids=OVERLAPS.keys())
def test_overlap_is_the_share_of_content_words_that_the_answers_have(
    text: str, answers: list[str], share: float | None
) -> None:
    assert lexical_overlap(text, answers) == share


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=3))
def test_overlap_is_a_share(text: str, answers: list[str]) -> None:
    found = lexical_overlap(text, answers)

    assert found is None or 0 <= found <= 1
    assert lexical_overlap(text, [text]) in (None, 1)


def test_overlap_is_taken_from_the_finest_answers(tree: Tree) -> None:
    targets = (Target("file", path="a/carts.py"), *symbols("checkout"))

    report = checked(tree, entry(Query("q", "checkout total", targets)))

    assert report.queries[0].lexical_overlap == 0.5
    assert report.lexical_overlap == 0.5


def test_a_set_that_repeats_its_answers_words_favours_bm25(tree: Tree) -> None:
    report = checked(
        tree, entry(Query("q", "pay parse money", (Target("file", path="d/readable_text.md"),)))
    )

    assert [one.rule for one in report.findings] == ["few-queries", "lexical-overlap"]
    assert isinstance(report.findings[1], Finding)
    assert "100%" in report.findings[1].what
