"""Coverage, credit by characters and accuracy: worked by hand on tiny texts."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.measures import Characters, Measure, Results, Rule, SymbolCredit, Tokens, score
from bench.measures.matching import LEVELS
from bench.queries.resolved import Judgements
from retrievers.interface import Chunks, Documents, Rankings, TokenEnds
from tests.unit.measures.test_token_budgets import BUDGETS, Case, cases

Bytes = tuple[int, int, int]
"""Document, first byte, byte after the last."""


@dataclass
class Asked:
    """One query of some texts: every byte is a token, and hits and targets are pieces of text."""

    texts: tuple[str, ...]
    hits: list[Bytes] = field(default_factory=list)
    targets: list[tuple[Bytes, Bytes, int]] = field(default_factory=list)
    """Place, the part that strict credit asks for, and choice."""
    level: str = "span"
    credit: SymbolCredit = "strict"

    def at(self, text: str, document: int = 0) -> Bytes:
        """Return where a text is in a document."""
        content, piece = self.texts[document].encode(), text.encode()
        assert content.count(piece) == 1, piece
        return document, content.index(piece), content.index(piece) + len(piece)

    def wants(self, place: Bytes, *, named: Bytes | None = None, choice: int = 0) -> "Asked":
        """Add a target; `named` is the line that names a type."""
        self.targets.append((place, named or place, choice))
        return self

    def gets(self, *places: Bytes) -> "Asked":
        """Add hits, best first."""
        self.hits.extend(places)
        return self

    def values(self, *measures: Measure) -> list[float]:
        """Return what is measured."""
        documents = Documents.of([(str(number), text) for number, text in enumerate(self.texts)])
        sizes = [documents.size(number) for number in range(len(documents))]
        ends = [np.arange(1, size + 1, dtype=np.int32) for size in sizes]
        order = sorted(range(len(self.hits)), key=lambda number: self.hits[number])
        document, start, end = np.array(sorted(self.hits), np.int32).reshape(-1, 3).T
        ranked = [order.index(number) for number in range(len(order))]
        scores = score(
            Rankings.of([(ranked, [0.0] * len(ranked))], [0.0], [1.0]),
            Chunks(document, start, end, document + 1, document + 1, start, end),
            self._judgements(),
            TokenEnds(np.concatenate(ends), np.cumsum(sizes, dtype=np.int64)),
            query_count=1,
            rule=Rule(Characters(documents), symbol_credit=self.credit),
            measures=measures,
        )
        return [float(value) for value in scores.values[0, 0]]

    def _judgements(self) -> Judgements:
        level = LEVELS.index(self.level)
        rows = [(0, level, *place, 1, choice, *asked[1:]) for place, asked, choice in self.targets]
        return Judgements(*np.array(rows, np.int32).T)


def at(limit: int, *names: str) -> list[Measure]:
    """Return measures at a number of results."""
    return [Measure(name, Results(limit)) for name in names]


def within(tokens: int, *names: str) -> list[Measure]:
    """Return measures at a number of tokens."""
    return [Measure(name, Tokens(tokens)) for name in names]


ANSWER = "return the_answer"
LONG_LINE = "word " * 3200 + ANSWER + "\n"
"""A line of 16,018 characters, as chat logs and minified files have."""


def test_a_hit_on_a_long_line_finds_only_what_it_shows() -> None:
    """The whole line would count as the answer if lines were compared."""
    asked = Asked((LONG_LINE,))
    asked.wants(asked.at(ANSWER)).gets((0, 0, 2000), (0, 14_000, 16_005))

    # The second hit shows "retur", 5 of the 16 characters of the answer.
    assert asked.values(*at(1, "recall", "coverage")) == [0, 0]
    assert asked.values(*at(2, "recall", "coverage")) == pytest.approx([0, 5 / 16])


def test_white_space_is_neither_shown_nor_asked_for() -> None:
    """Of `a b` and line ends two characters count; the hit has one of them and much space."""
    asked = Asked(("a\r\n\r\n\t \u3000\r\n   b\r\n",))
    asked.wants((0, 0, len(asked.texts[0].encode())))
    asked.gets((0, 1, len(asked.texts[0].encode())))

    assert asked.values(*at(1, "recall", "coverage")) == [1, 0.5]


def test_characters_are_counted_not_bytes() -> None:
    """Four letters of two, three and four bytes are four characters; two of them are half."""
    asked = Asked(("\u00e9\u754c\U0001f600z",))
    asked.wants(asked.at(asked.texts[0])).gets(asked.at("\u754cz".replace("z", "")))
    asked.gets(asked.at("z"))

    assert asked.values(*at(1, "coverage"), *at(2, "coverage")) == [0.25, 0.5]
    # A token of the first byte shows its character: 3 bytes, then 1.
    assert asked.values(*within(1, "coverage"), *within(4, "coverage")) == [0.25, 0.5]


def test_half_of_the_shorter_in_characters_is_a_match() -> None:
    """Three of a target's six letters are common, then two, however many lines they are on."""
    asked = Asked(("abc\n\n\n\ndefghi",))
    target, long = asked.at("abc\n\n\n\ndef"), asked.at("ghi")
    just, less = (0, 8, 13), (0, 9, 13)  # "efghi" and "fghi"

    assert Asked(asked.texts).wants(target).gets(just).values(*at(1, "recall")) == [0]
    assert Asked(asked.texts).wants(target).gets((0, 7, 13)).values(*at(1, "recall")) == [1]
    assert Asked(asked.texts).wants(target).gets(less).values(*at(1, "coverage")) == [1 / 6]
    assert Asked(asked.texts).wants(long).gets(less).values(*at(1, "recall")) == [1]


def test_a_target_of_white_space_is_never_found_and_has_no_coverage() -> None:
    """There is nothing that could be shown."""
    asked = Asked(("a \n\n\n b",))
    asked.wants((0, 1, 6)).gets((0, 0, 7))

    recall, coverage = asked.values(*at(1, "recall", "coverage"))

    assert recall == 0
    assert np.isnan(coverage)


def test_beside_a_target_of_white_space_the_others_are_covered() -> None:
    """An empty place adds nothing to the text that is asked for."""
    asked = Asked(("a \n\n\n b",))
    asked.wants((0, 1, 6)).wants(asked.at("b")).gets((0, 0, 7))

    assert asked.values(*at(1, "coverage")) == [1]


def test_common_text_of_targets_and_of_hits_counts_once() -> None:
    """Targets abcdef and defghi are nine letters; the hits show c to g, twice e and f."""
    asked = Asked(("abcdefghijk",))
    asked.wants(asked.at("abcdef")).wants(asked.at("defghi"))
    asked.gets(asked.at("cdef"), asked.at("efg"))

    assert asked.values(*at(1, "coverage")) == pytest.approx([4 / 9])
    assert asked.values(*at(2, "coverage")) == pytest.approx([5 / 9])
    # The second hit repeats e and f, which cost nothing: g is the fifth token.
    assert asked.values(*within(4, "coverage")) == pytest.approx([4 / 9])
    assert asked.values(*within(5, "coverage")) == pytest.approx([5 / 9])


def test_of_alternatives_the_one_of_which_the_largest_share_is_shown_counts() -> None:
    """Shown are 2 of 4 letters, then 3 of 4 of the other place; a plain target has 6 letters."""
    asked = Asked(("abcd", "efgh", "ijklmn"))
    asked.wants(asked.at("abcd"), choice=7).wants(asked.at("efgh", 1), choice=7)
    asked.wants(asked.at("ijklmn", 2)).gets(asked.at("ab"), asked.at("efg", 1))

    assert asked.values(*at(1, "coverage")) == pytest.approx([2 / 10])
    assert asked.values(*at(2, "coverage")) == pytest.approx([3 / 10])


def test_a_longer_alternative_that_is_shown_later_takes_nothing_away() -> None:
    """A target weighs as much as its shortest place: 2 letters, beside 2 that are shown whole."""
    asked = Asked(("ab", "cdefghij", "kl"))
    asked.wants(asked.at("ab"), choice=1).wants(asked.at("cdefghij", 1), choice=1)
    asked.wants(asked.at("kl", 2))
    asked.gets(asked.at("kl", 2), asked.at("a"), asked.at("cdefg", 1))

    found = asked.values(*at(1, "coverage"), *at(2, "coverage"), *at(3, "coverage"))

    assert found == pytest.approx([2 / 4, 3 / 4, (2 + 2 * 5 / 8) / 4])


def test_an_alternative_of_white_space_is_no_place() -> None:
    """The other place alone is the target."""
    asked = Asked(("ab \n ", "c"))
    asked.wants((0, 2, 5), choice=1).wants(asked.at("ab"), choice=1).gets(asked.at("a"))

    assert asked.values(*at(1, "coverage")) == [0.5]


def test_files_of_one_byte() -> None:
    """The smallest text that can be right."""
    asked = Asked(("x", "y", " "))
    asked.wants((0, 0, 1)).wants((1, 0, 1)).gets((2, 0, 1), (1, 0, 1))

    names = ("recall", "coverage", "acc")
    assert asked.values(*at(1, *names)) == [0, 0, 0]
    assert asked.values(*at(2, *names)) == [0.5, 0.5, 0]


def test_all_targets_within_the_cut_off_are_accurate() -> None:
    """Be 1 from the rank of the last target on."""
    asked = Asked(("ab", "cd"))
    asked.wants((0, 0, 2)).wants((1, 0, 2)).gets((1, 0, 2), (0, 0, 1), (0, 1, 2))

    found = asked.values(*(Measure("acc", Results(limit)) for limit in (1, 2, 3)))

    assert found == [0, 1, 1]
    assert asked.values(*within(2, "acc"), *within(3, "acc")) == [0, 1]


# Symbols: strict credit asks for half of the symbol, lenient for half of the shorter.

CODE = """class Basket:
    def total(self):
        first = 1
        second = 2
        return first + second

    def empty(self): ...
"""


def symbol_recall(hit: str, target: str, credit: SymbolCredit, named: str = "") -> float:
    """Return whether a hit finds a symbol; `named` is the line that names a type."""
    asked = Asked((CODE,), level="symbol", credit=credit)
    asked.wants(asked.at(target), named=asked.at(named) if named else None).gets(asked.at(hit))
    recall, ceiling = asked.values(Measure("recall", Results(1)), Measure("recall_ceiling"))
    assert recall == ceiling  # the only hit is the only chunk
    return recall


TOTAL = CODE[CODE.index("def total") : CODE.index("    def empty")]


def test_a_splinter_finds_a_function_with_lenient_credit_only() -> None:
    """`second = 2` lies in the function and has 8 of its 48 characters."""
    assert symbol_recall("second = 2", TOTAL, "lenient") == 1
    assert symbol_recall("second = 2", TOTAL, "strict") == 0


def test_half_of_a_function_finds_it() -> None:
    """The last two lines have 25 of its 48 characters; cut them until they have less than half."""
    half = CODE[CODE.index("econd = 2") : CODE.index("    def empty")]
    total = sum(not letter.isspace() for letter in TOTAL)
    shown = sum(not letter.isspace() for letter in half)

    assert (total, shown) == (48, 25)
    assert symbol_recall(half, TOTAL, "strict") == 1
    assert symbol_recall(half[1:], TOTAL, "strict") == 1  # 24 of 48
    assert symbol_recall(half[2:], TOTAL, "strict") == 0  # 23 of 48


def test_a_type_is_found_by_the_line_that_names_it_and_by_no_other() -> None:
    """Most of the class without its first line leads nowhere; its first line does."""
    members = CODE[CODE.index("def total") :]

    assert symbol_recall(members, CODE, "strict", named="class Basket:") == 0
    assert symbol_recall(members, CODE, "lenient", named="class Basket:") == 1
    assert symbol_recall("class Basket:", CODE, "strict", named="class Basket:") == 1
    assert symbol_recall("class Bas", CODE, "strict", named="class Basket:") == 1
    assert symbol_recall("class", CODE, "strict", named="class Basket:") == 0


def test_two_hits_that_have_half_of_a_function_together_do_not_find_it() -> None:
    """Each is judged alone, at any rank; what they show together is the coverage."""
    asked = Asked((CODE,), level="symbol")
    asked.wants(asked.at(TOTAL)).gets(asked.at("first = 1"), asked.at("return first + second"))

    recall, coverage = asked.values(*at(10, "recall", "coverage"))

    assert recall == 0
    assert coverage == pytest.approx((7 + 18) / 48)


def test_strict_credit_is_of_symbols_alone() -> None:
    """A span is found by half of a shorter hit."""
    asked = Asked((CODE,)).wants((0, 0, len(CODE)))

    assert asked.gets(asked.at("second = 2")).values(*at(1, "recall")) == [1]


def test_a_cut_hit_must_show_half_of_the_function() -> None:
    """Its first lines up to `second =` are 24 of 48 characters, 23 are too few."""
    asked = Asked((CODE,), level="symbol")
    asked.wants(asked.at(TOTAL)).gets(asked.at(TOTAL))
    letters = [place for place, letter in enumerate(TOTAL) if not letter.isspace()]

    found = asked.values(*within(letters[22] + 1, "recall"), *within(letters[23] + 1, "recall"))

    assert found == [0, 1]


# Properties.

EVERY = (
    *(Measure("coverage", Results(limit)) for limit in range(1, 10)),
    *(Measure("coverage", Tokens(budget)) for budget in BUDGETS),
)


def coverages(case: Case, choices: tuple[int, ...] = ()) -> np.ndarray[Any, Any]:
    """Return coverage at results and at tokens."""
    rankings, chunks, judged, tokens = case.arrays()
    choice = np.array(choices, np.int32)[: len(judged.query)]
    places = (
        judged.query,
        judged.level,
        judged.document,
        judged.start_byte,
        judged.end_byte,
        judged.grade,
    )
    judged = Judgements(*places, choice)
    rules: dict[str, Any] = {"query_count": 2, "rule": case.rule(), "measures": EVERY}
    return np.asarray(score(rankings, chunks, judged, tokens, **rules).values[0, 1])


@given(cases() | cases(apart=True), st.lists(st.integers(0, 2), min_size=5, max_size=5))
def test_coverage_rises_with_the_cut_off_and_never_leaves_zero_to_one(
    case: Case, choices: list[int]
) -> None:
    """With alternatives, overlapping hits and overlapping targets as well."""
    found = coverages(case, tuple(choices))

    at_results, at_tokens = found[:9], found[9:]
    assert np.isnan(found).all() or not np.isnan(found).any()
    for values in (at_results, at_tokens):
        assert np.isnan(values).all() or np.all(np.diff(values) >= -1e-12)
        assert np.isnan(values).all() or (values.min() >= 0 and values.max() <= 1)


@given(cases() | cases(apart=True))
def test_at_file_level_coverage_is_recall(case: Case) -> None:
    """A file counts as shown when any of it is."""
    files = Case(
        case.documents,
        case.chunks,
        case.ranking,
        case.targets,
        level=0,
        pattern=case.pattern,
    )
    pairs = [(Measure("recall", one.cutoff), one) for one in EVERY]

    values = score(
        *files.arrays(),
        query_count=2,
        rule=files.rule(),
        measures=[measure for pair in pairs for measure in pair],
    ).values[0, 1]

    assert values[::2].tolist() == values[1::2].tolist()


@given(cases() | cases(apart=True))
def test_coverage_counts_what_a_reader_sees(case: Case) -> None:
    """Equal sets of characters, budget by budget."""
    spans = Case(
        case.documents, case.chunks, case.ranking, case.targets, level=2, pattern=case.pattern
    )

    found = coverages(spans)[9:]

    assert found.tolist() == pytest.approx(
        [_by_reading(spans, budget) for budget in BUDGETS], nan_ok=True
    )


def _by_reading(case: Case, budget: int) -> float:
    seen = [
        (chunk[0], token)
        for chunk in (sorted(case.chunks)[number] for number in case.ranking)
        for token in range(*case.tokens(chunk))
    ]
    shown = set(list(dict.fromkeys(seen))[:budget])
    right = {
        (target[0], token) for target in case.targets for token in range(*case.tokens(target[:3]))
    }
    total = sum(case.counted(token, token + 1) for _, token in right)
    held = sum(case.counted(token, token + 1) for _, token in right & shown)
    return held / total if total else float("nan")
