"""People see which hits were right, by the same rules that the measures follow."""

from dataclasses import replace

import numpy as np

from bench.measures import Characters, Rule
from bench.queries import Judgements
from bench.results import Place
from bench.results.relevance import Credited, Relevance
from bench.stages import HitList
from retrievers.interface import Documents
from tests.unit.report.sample_study import STUDY

PATHS = ("a.py", "b.py", "c.py")
LINE = "ab cd\n"
WIDTH = len(LINE)
RULE = Rule(Characters(Documents.of([(path, LINE * 90) for path in PATHS])))


def judgements(*rows: tuple[int, int, int, int, int]) -> Judgements:
    """Return rows of query, level, document, first and last line."""
    query, level, document, start, end = np.array(rows, np.int32).T
    bounds = ((start - 1) * WIDTH, end * WIDTH)
    return Judgements(query, level, document, *bounds, np.ones_like(query))


def hits(*rows: tuple[int, str, int, int]) -> HitList:
    """Return hits of query, path, first and last line."""
    return HitList(
        query=np.array([row[0] for row in rows], np.int32),
        path=tuple(row[1] for row in rows),
        start=np.array([row[2] for row in rows], np.int32),
        end=np.array([row[3] for row in rows], np.int32),
        start_byte=np.array([(row[2] - 1) * WIDTH for row in rows], np.int32),
        end_byte=np.array([row[3] * WIDTH for row in rows], np.int32),
        symbol=("",) * len(rows),
        score=np.ones(len(rows), np.float32),
    )


def test_a_hit_is_right_if_half_of_the_shorter_lies_in_it_and_a_second_one_is_a_duplicate() -> (
    None
):
    """Lines 10 to 19 of b.py are asked for; query 1 has nothing right and no hit."""
    right = Relevance.of(judgements((0, 2, 1, 10, 19)), RULE, "span", query_count=3)
    shown = hits(
        (0, "a.py", 10, 19),
        (0, "b.py", 15, 40),
        (0, "b.py", 1, 14),
        (0, "b.py", 16, 60),
        (2, "b.py", 10, 19),
    )

    found = right.credited(shown)

    assert [one.credits for one in found] == [
        ("nothing", "relevant", "duplicate", "nothing"),
        (),
        ("nothing",),
    ]
    assert [(one.grades, one.ranks) for one in found] == [((1,), (2,)), ((), ()), ((), ())]


def test_the_places_are_those_of_the_level_alone() -> None:
    """The file of a span is not another place at span level."""
    found = judgements((0, 2, 1, 10, 19), (0, 0, 1, 1, 90), (1, 2, 2, 5, 6), (1, 2, 0, 1, 2))

    spans = Relevance.of(found, RULE, "span", query_count=2).places()
    files = Relevance.of(found, RULE, "file", query_count=2).places()

    assert spans == [(Place("b.py", 10, 19),), (Place("a.py", 1, 2), Place("c.py", 5, 6))]
    assert files == [(Place("b.py", 0, 0),), ()]


def test_a_study_without_hits_has_no_credits() -> None:
    """An empty ranking is not an error."""
    right = Relevance.of(judgements((0, 0, 1, 1, 9)), RULE, "file", query_count=1)

    assert right.credited(hits()) == [Credited(credits=(), grades=(1,), ranks=(0,))]


def test_a_hit_on_part_of_a_line_is_judged_by_the_characters_it_shows() -> None:
    """Both hits are on line 1; the answer is its last word."""
    text = "word " * 1000 + "answer\n"
    rule = Rule(Characters(Documents.of([("log.md", text)])))
    begin, end = text.index("answer"), len(text) - 1
    asked = Judgements(*np.array([[0, 2, 0, begin, end, 1]], np.int32).T)
    line, zero = np.ones(2, np.int32), np.zeros(2, np.int32)
    starts, ends = np.array([0, 4000], np.int32), np.array([4000, end], np.int32)
    score = np.ones(2, np.float32)
    shown = HitList(zero, ("log.md",) * 2, line, line, starts, ends, ("", ""), score)

    right = Relevance.of(asked, rule, "span", query_count=1)

    assert [one.credits for one in right.credited(shown)] == [("nothing", "relevant")]
    assert right.places() == [(Place("log.md", 1, 1),)]


def test_the_level_names_the_credit_of_symbols_where_it_counts() -> None:
    """Two studies of symbols are comparable with the same credit only."""
    symbols = replace(STUDY, level="symbol", symbol_credit="strict")
    spans = replace(symbols, level="span")

    assert symbols.level_and_credit == "symbol level, strict credit"
    assert spans.level_and_credit == "span level"
