"""What is found within a token budget, against a reader who walks token by token."""

from dataclasses import dataclass
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bench.measures import (
    Characters,
    Hits,
    Measure,
    Results,
    Rule,
    Scores,
    Tokens,
    score,
)
from bench.measures.shown_tokens import (
    shown,
    shown_apart,
    shown_overlapping,
)
from bench.queries.resolved import Judgements
from retrievers.interface import Chunks, Documents, Rankings, TokenEnds

BUDGETS = (1, 2, 3, 5, 8, 13, 21, 34)
MEASURES = (
    *(Measure(name, Tokens(n)) for name in ("recall", "ndcg", "coverage") for n in BUDGETS),
    *(Measure(name, Results(limit)) for name in ("recall", "ndcg") for limit in (1, 3, 10)),
)


@dataclass(frozen=True)
class Case:
    """Documents as the number of tokens in each line; chunks as lines; one query.

    It is scored as the second of two: the first has the ranking upside down and no target.
    """

    documents: list[list[int]]
    chunks: list[tuple[int, int, int]]
    ranking: list[int]
    targets: list[tuple[int, int, int, int]]
    """Document, first line, last line, grade."""
    level: int = 2
    overlap: float = 0.5
    headers: tuple[int, ...] = ()
    """The tokens above each chunk, if any."""
    pattern: tuple[str, ...] = ("x",)
    """The texts of a document's tokens, over and over."""

    def arrays(self) -> tuple[Rankings, Chunks, Judgements, TokenEnds]:
        """Return the same as the arrays that are scored."""
        document, start, end = np.array(sorted(self.chunks), np.int32).reshape(-1, 3).T
        bounds = [self.tokens(chunk) for chunk in sorted(self.chunks)]
        start_token, end_token = np.array(bounds, np.int32).reshape(-1, 2).T
        headers = np.array(self.headers, np.int32)
        texts = ("a header",) * len(headers)
        offsets = np.array([self.bytes(chunk) for chunk in sorted(self.chunks)], np.int32)
        start_byte, end_byte = offsets.reshape(-1, 2).T
        places = document, start_byte, end_byte, start, end, start_token, end_token
        chunks = Chunks(*places, texts, headers)
        zero = np.zeros(len(self.ranking))
        ranked = [(self.ranking[::-1], zero), (self.ranking, zero)]
        rankings = Rankings.of(ranked, [0.0, 0.0], [1.0, 1.0])
        rows = [
            (1, self.level, target[0], *self.bytes(target[:3]), target[3])
            for target in self.targets
        ]
        judgements = Judgements(*np.array(rows, np.int32).reshape(-1, 6).T)
        return rankings, chunks, judgements, self.token_ends()

    def token_ends(self) -> TokenEnds:
        """Return where the tokens end."""
        counts = [sum(lines) for lines in self.documents]
        ends = [self.size(token) for count in counts for token in range(1, count + 1)]
        return TokenEnds(np.array(ends, np.int32), np.cumsum(counts, dtype=np.int64))

    def rule(self) -> Rule:
        """Return the rule that hits are judged by."""
        texts = [(str(n), self.text(0, sum(lines))) for n, lines in enumerate(self.documents)]
        return Rule(Characters(Documents.of(texts)), self.overlap)

    def text(self, first: int, stop: int) -> str:
        """Return the text of some tokens of any document."""
        return "".join(self.pattern[n % len(self.pattern)] for n in range(first, stop))

    def counted(self, first: int, stop: int) -> int:
        """Return the characters of some tokens that are not white space."""
        return sum(not letter.isspace() for letter in self.text(first, stop))

    def size(self, token: int) -> int:
        """Return the bytes before a token."""
        return len(self.text(0, token).encode())

    def bytes(self, lines: tuple[int, int, int]) -> tuple[int, int]:
        """Return the bytes of some lines."""
        first, stop = self.tokens(lines)
        return self.size(first), self.size(stop)

    def tokens(self, chunk: tuple[int, int, int]) -> tuple[int, int]:
        """Return a chunk's first token and the one after its last."""
        document, start, end = chunk
        counts = self.documents[document]
        return sum(counts[: start - 1]), sum(counts[:end])

    def scores(self) -> Scores:
        """Score the case."""
        return score(*self.arrays(), query_count=2, measures=MEASURES, rule=self.rule())


TEXTS = st.sampled_from(["x", "x", "ab ", " \u3000", "\r\n", "\u00e9t\u00e9", "\u00a0\u754c"])


@st.composite
def cases(draw: st.DrawFn, *, apart: bool = False, headed: bool = False) -> Case:
    """Draw a small repository, its chunks, a ranking and targets."""
    counts = st.lists(st.integers(0, 6), min_size=1, max_size=12)
    documents = draw(st.lists(counts, min_size=1, max_size=3))
    lines = st.integers(0, len(documents) - 1).flatmap(
        lambda n: st.tuples(
            st.just(n), st.integers(1, len(documents[n])), st.integers(1, len(documents[n]))
        ).map(lambda drawn: (drawn[0], min(drawn[1:]), max(drawn[1:])))
    )
    chunks = draw(st.lists(lines, min_size=1, max_size=9))
    if apart:
        chunks = [chunk for n, chunk in enumerate(chunks) if not _meets(chunk, chunks[:n])]
    ranking = draw(st.lists(st.integers(0, len(chunks) - 1), max_size=9, unique=apart))
    targets = draw(
        st.lists(st.tuples(lines, st.integers(1, 3)), min_size=1, max_size=5, unique=True)
    )
    rows = {place: (*place, grade) for place, grade in targets}
    level, overlap = draw(st.sampled_from([0, 2])), draw(st.sampled_from([0.25, 0.5, 0.75, 1]))
    headers = draw(st.tuples(*[st.integers(0, 4)] * len(chunks))) if headed else ()
    pattern = tuple(draw(st.lists(TEXTS, min_size=1, max_size=5)))
    return Case(documents, chunks, ranking, list(rows.values()), level, overlap, headers, pattern)


def _meets(chunk: tuple[int, int, int], others: list[tuple[int, int, int]]) -> bool:
    return any(
        chunk[0] == other[0] and chunk[1] <= other[2] and other[1] <= chunk[2] for other in others
    )


# The reader: what is shown of each hit, token by token.


def walk(case: Case, budget: int) -> list[tuple[tuple[int, int, int], int]]:
    """Return each hit that is reached, with the token up to which it is shown."""
    seen: set[tuple[int, int]] = set()
    headers, shown_hits = 0, []
    for number in case.ranking:
        chunk = sorted(case.chunks)[number]
        first, stop = case.tokens(chunk)
        if any((chunk[0], token) not in seen for token in range(first, stop)):
            headers += case.headers[number] if case.headers else 0
        if headers + len(seen) > budget:
            break
        reached = first
        while reached < stop and ((chunk[0], reached) in seen or headers + len(seen) < budget):
            seen.add((chunk[0], reached))
            reached += 1
        shown_hits.append((chunk, reached))
        if reached < stop:
            break
    return shown_hits


def is_match(
    case: Case, chunk: tuple[int, int, int], reached: int, target: tuple[int, int, int, int]
) -> bool:
    """Tell whether a chunk that is shown up to a token matches a target."""
    first, stop = case.tokens(chunk)
    if chunk[0] != target[0] or (reached == first < stop):
        return False
    if case.level == 0:
        return True
    start, end = case.tokens(target[:3])
    common = case.counted(max(first, start), min(reached, end))
    shorter = min(case.counted(first, stop), case.counted(start, end))
    return common > 0 and common >= case.overlap * shorter


def distinct_targets(case: Case) -> list[tuple[int, int, int, int]]:
    """Return targets of equal text once, with the best grade; files once each."""
    best: dict[tuple[int, ...], tuple[int, int, int, int]] = {}
    for target in case.targets:
        place = (target[0], *case.bytes(target[:3])) if case.level else target[:1]
        best[place] = max(best.get(place, target), target, key=lambda one: one[3])
    return list(best.values())


def walked(case: Case, budget: int) -> tuple[float, float]:
    """Return recall and NDCG of what the reader sees."""
    targets = distinct_targets(case)
    left, place, gain = list(targets), 0, 0.0
    for rank, (chunk, reached) in enumerate(walk(case, budget), start=1):
        new = [target for target in left if is_match(case, chunk, reached, target)]
        for target in sorted(new, key=lambda target: -target[3]):
            place = max(rank, place + 1)
            gain += target[3] / log2(1 + place)
            left.remove(target)
    grades = sorted((target[3] for target in targets), reverse=True)
    ideal = sum(grade / log2(1 + n) for n, grade in enumerate(grades, start=1))
    return 1 - len(left) / len(targets), gain / ideal


@given(cases() | cases(apart=True) | cases(headed=True) | cases(apart=True, headed=True))
@example(Case([[4, 4, 4, 4]], [(0, 1, 4), (0, 3, 4)], [1, 0], [(0, 1, 1, 1), (0, 3, 3, 2)]))
@example(Case([[2], [0, 3]], [(0, 1, 1), (1, 1, 2)], [0, 1], [(1, 1, 1, 1)], 0))
def test_each_budget_shows_what_a_walk_token_by_token_shows(case: Case) -> None:
    """Equal a slow reader on random chunks, apart, overlapping and repeated."""
    scores = case.scores()

    level = scores.levels[0]
    for budget in BUDGETS:
        recall, ndcg = walked(case, budget)
        assert scores.of(level, f"recall_at_{budget}_tokens")[1] == pytest.approx(recall)
        assert scores.of(level, f"ndcg_at_{budget}_tokens")[1] == pytest.approx(ndcg)


@given(cases() | cases(apart=True) | cases(headed=True) | cases(apart=True, headed=True))
def test_a_greater_budget_never_loses_a_target(case: Case) -> None:
    """Rise with the budget, within the bounds."""
    scores = case.scores()

    level = scores.levels[0]
    recall = [scores.of(level, f"recall_at_{budget}_tokens")[1] for budget in BUDGETS]
    assert recall == sorted(recall)
    coverage = [scores.of(level, f"coverage_at_{budget}_tokens")[1] for budget in BUDGETS]
    assert coverage == sorted(coverage) or np.isnan(coverage).all()
    values = scores.values[:, 1]
    assert np.all((values[~np.isnan(values)] >= 0) & (values[~np.isnan(values)] <= 1))


@given(cases() | cases(apart=True))
def test_a_ranking_ends_early_when_its_distinct_tokens_do_not_fill_the_budget(case: Case) -> None:
    """Count each token once."""
    scores = case.scores()

    chunks = [sorted(case.chunks)[number] for number in case.ranking]
    distinct = {(chunk[0], token) for chunk in chunks for token in range(*case.tokens(chunk))}
    assert scores.shown_tokens.tolist() == [len(distinct)] * 2
    assert scores.ended_early.tolist() == [[len(distinct) < budget for budget in BUDGETS]] * 2


@given(cases(apart=True))
def test_hits_without_common_text_cost_the_same_on_the_exact_path(case: Case) -> None:
    """Agree where the fast path is allowed."""
    rankings, chunks, _, _ = case.arrays()
    hits = Hits(rankings, chunks)
    rows = np.arange(len(hits))
    middle = (chunks.start_token + chunks.end_token)[rankings.chunk].astype(np.int64) // 2

    fast, exact = shown_apart(hits), shown_overlapping(hits)

    assert fast.totals().tolist() == exact.totals().tolist()
    assert fast.after(rows, middle).tolist() == exact.after(rows, middle).tolist()


def test_text_in_common_is_found_wherever_it_comes_from() -> None:
    """Count common text once, of overlapping chunks and of repeated ones."""
    lines: list[list[int]] = [[1] * 9]
    pieces = [(0, 1, 3), (0, 4, 6)]

    apart = Case(lines, pieces, [1, 0], [])
    meeting = Case(lines, [(0, 1, 3), (0, 3, 6)], [1, 0], [])
    twice = Case(lines, pieces, [1, 0, 1], [])

    totals = [
        shown(Hits(*case.arrays()[:2])).totals().tolist() for case in (apart, meeting, twice)
    ]
    assert totals == [[6, 6], [6, 6], [6, 6]]


# By hand: documents of ten lines of ten tokens.

TEN = [[10] * 10]


def recall(case: Case, budget: int) -> Any:
    """Return recall at a budget."""
    measure = Measure("recall", Tokens(budget))
    scores = score(*case.arrays(), query_count=2, rule=case.rule(), measures=[measure])
    return scores.values[0, 1, 0]


def test_a_header_counts_with_the_first_new_text_of_its_hit() -> None:
    """Of three hits the last shows nothing new, and so not its header."""
    case = Case(TEN, [(0, 1, 2), (0, 2, 3), (0, 2, 2)], [0, 2, 1], [], headers=(5, 7, 9))

    totals = shown(Hits(*case.arrays()[:2])).totals().tolist()

    assert totals == [(7 + 10) + (9 + 10) + (5 + 10), (5 + 20) + (9 + 10)]


@pytest.mark.parametrize(("budget", "found"), [(49, 0), (50, 1)])
def test_the_straddling_hit_is_judged_by_its_shown_characters(budget: int, found: int) -> None:
    """Cut it in a line as well as at the end of one."""
    case = Case(TEN, [(0, 1, 10)], [0], [(0, 4, 7, 1)])  # half of lines 4 to 7 at line 5

    assert recall(case, budget) == found


@pytest.mark.parametrize(("budget", "found"), [(19, 0), (20, 1)])
def test_a_cut_hit_inside_its_target_must_show_half_of_the_whole_hit(
    budget: int, found: int
) -> None:
    """Find nothing by a first character that happens to lie in the target."""
    case = Case(TEN, [(0, 3, 6)], [0], [(0, 1, 10, 1)])

    assert recall(case, budget) == found


def test_a_cut_hit_does_not_match_what_the_whole_hit_does_not() -> None:
    """Let a cut not turn a miss into a match."""
    case = Case([[10] * 40], [(0, 1, 20)], [0], [(0, 1, 3, 1), (0, 19, 40, 1)])

    assert recall(case, 20) == 0.5
    assert recall(case, 200) == 0.5


def test_text_shown_before_is_free() -> None:
    """Charge an overlapping hit for its new text only."""
    case = Case(TEN, [(0, 1, 5), (0, 4, 8)], [0, 1], [(0, 8, 8, 1)])

    assert recall(case, 74) == 0
    assert recall(case, 75) == 1  # 50 + the new lines 6 and 7 + half of line 8


def test_a_repeated_hit_costs_nothing() -> None:
    """Charge for a hit once, however often it stands there."""
    case = Case(TEN, [(0, 1, 5), (0, 6, 10)], [0, 0, 0, 1], [(0, 10, 10, 1)])

    assert recall(case, 94) == 0
    assert recall(case, 95) == 1
