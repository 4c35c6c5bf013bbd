"""All measures of one ranking per query, from arrays to a stored record."""

from collections.abc import Sequence
from dataclasses import fields

import numpy as np
import pytest

from bench.engine import Record
from bench.errors import ArtifactError, SettingError
from bench.measures import STANDARD, Measure, Results, Rule, Scores, score
from bench.queries.resolved import Judgements
from retrievers.interface import Rankings
from tests.unit.measures.even_text import chunks_of, even_text, judged_lines

# Two documents of 40 lines, 10 tokens each, in chunks of 10 lines: 0 to 3 and 4 to 7.
CHUNKS = chunks_of([(n // 4, n % 4 * 10 + 1, n % 4 * 10 + 10) for n in range(8)])
CHARACTERS, TOKENS = even_text(2, 40)
RULE = Rule(CHARACTERS)
RANKINGS = [[5, 0, 1, 4], [2, 3], [], [7, 6]]
# Query 0: file 0, and its lines 1 to 5 (grade 1) and 11 to 20 (grade 2). Query 1: file 1.
# Query 2: nothing is returned for lines 1 to 9 of document 0. Query 3 is negative.
ROWS = [
    (0, 0, 0, 1, 40, 2),
    (0, 2, 0, 1, 5, 1),
    (0, 2, 0, 11, 20, 2),
    (1, 0, 1, 1, 40, 1),
    (2, 0, 0, 1, 40, 1),
    (2, 2, 0, 1, 9, 1),
]


def judgements_of(rows: Sequence[tuple[int, ...]]) -> Judgements:
    """Return judgements from (query, level, document, start, end, grade)."""
    return judged_lines(rows)


def rankings_of(chunks: list[list[int]]) -> Rankings:
    """Return rankings of chunks with scores that do not matter."""
    zeros = np.zeros(len(chunks))
    return Rankings.of([(numbers, [0.0] * len(numbers)) for numbers in chunks], zeros, zeros)


def scored(limit: int | None = None) -> Scores:
    """Score the queries above."""
    judgements = judgements_of(ROWS)
    rankings = rankings_of(RANKINGS)
    return score(rankings, CHUNKS, judgements, TOKENS, query_count=4, rule=RULE, limit=limit)


def test_levels_are_scored_apart() -> None:
    """Keep a level's queries out of the denominators of another."""
    scores = scored()

    assert scores.levels == ("file", "span")
    assert scores.of("file", "mrr")[:3].tolist() == [0.5, 0, 0]
    assert scores.of("span", "recall_at_3")[[0, 2]].tolist() == [1, 0]
    assert np.isnan(scores.of("file", "mrr")).tolist() == [False, False, False, True]
    assert np.isnan(scores.of("span", "mrr")).tolist() == [False, True, False, True]


def test_ranks_duplicates_and_returned_hits_are_counted() -> None:
    """Count, for each level and query, what the measures leave out."""
    scores = scored()

    assert scores.first_rank.tolist() == [[2, 0, 0, 0], [2, 0, 0, 0]]
    assert scores.duplicates.tolist() == [[1, 0, 0, 0], [0, 0, 0, 0]]
    assert scores.returned.tolist() == [4, 2, 0, 2]


def test_an_empty_ranking_is_a_miss_that_ends_early() -> None:
    """Score a query without hits 0, and say that no budget was filled."""
    scores = scored()

    columns = [measure.column for measure in STANDARD if measure.cutoff]
    assert [scores.of("file", column)[2] for column in columns] == [0] * len(columns)
    assert scores.of("file", "recall_ceiling")[2] == 1
    assert scores.shown_tokens.tolist() == [400, 200, 0, 200]
    assert scores.budgets == (1000, 2000, 4000, 8000)
    assert scores.ended_early.all()


def test_a_limit_bounds_what_is_counted_in_results_only() -> None:
    """Go as deep as the ranking for tokens, whatever the limit."""
    scores = scored(limit=2)

    assert scores.of("span", "recall_at_10")[0] == 0.5
    assert scores.of("span", "recall_at_1000_tokens")[0] == 1
    assert scores.duplicates.tolist() == [[0, 0, 0, 0], [0, 0, 0, 0]]
    assert scores.returned.tolist() == [2, 2, 0, 2]


def test_a_first_hit_beyond_the_limit_has_no_rank() -> None:
    """Report ranks of what the user would have been given."""
    assert scored(limit=1).first_rank.tolist() == [[0, 0, 0, 0], [0, 0, 0, 0]]


def test_without_any_target_there_are_no_levels() -> None:
    """Bear a repository whose queries are all negative."""
    judgements = judgements_of([])

    scores = score(rankings_of(RANKINGS), CHUNKS, judgements, TOKENS, query_count=4, rule=RULE)

    assert scores.levels == ()
    assert scores.values.shape == (0, 4, len(STANDARD))
    assert scores.returned.tolist() == [4, 2, 0, 2]


@pytest.mark.parametrize("rows", [ROWS, []])
def test_scores_survive_storage(rows: Sequence[tuple[int, ...]]) -> None:
    """Come back from bytes as they were, with and without levels."""
    judgements = judgements_of(rows)
    scores = score(rankings_of(RANKINGS), CHUNKS, judgements, TOKENS, query_count=4, rule=RULE)
    codec = Record(Scores)

    stored = codec.decode(codec.encode(scores))

    for field in fields(Scores):
        np.testing.assert_array_equal(getattr(stored, field.name), getattr(scores, field.name))
        assert type(getattr(stored, field.name)) is type(getattr(scores, field.name))


def test_a_column_or_level_that_was_not_scored_is_named() -> None:
    """Answer a wrong name with those that are there."""
    with pytest.raises(SettingError, match=r"scored are mrr, .* at file, span"):
        scored().of("symbol", "mrr")


def test_rankings_of_other_queries_are_refused() -> None:
    """Refuse to score what does not belong together."""
    with pytest.raises(ArtifactError, match="3 queries cannot be scored with 4 rankings"):
        score(rankings_of(RANKINGS), CHUNKS, judgements_of([]), TOKENS, query_count=3, rule=RULE)
    with pytest.raises(ArtifactError, match="up to query 4"):
        score(
            rankings_of(RANKINGS),
            CHUNKS,
            judgements_of([(4, 0, 0, 1, 1, 1)]),
            TOKENS,
            query_count=4,
            rule=RULE,
        )


@pytest.mark.parametrize(("overlap", "limit"), [(0, None), (1.01, None), (np.nan, None), (0.5, 0)])
def test_rules_out_of_range_are_refused(overlap: float, limit: int | None) -> None:
    """Refuse a share of characters, or a limit, that means nothing."""
    with pytest.raises(SettingError, match="take"):
        score(
            rankings_of(RANKINGS),
            CHUNKS,
            judgements_of(ROWS),
            TOKENS,
            query_count=4,
            rule=Rule(CHARACTERS, overlap),
            limit=limit,
        )


def test_only_the_measures_asked_for_are_columns() -> None:
    """Compute other cut-offs than the standard ones."""
    measures = (Measure("recall", Results(2)), Measure("mrr", Results(1)))

    scores = score(
        rankings_of(RANKINGS),
        CHUNKS,
        judgements_of(ROWS),
        TOKENS,
        query_count=4,
        rule=RULE,
        measures=measures,
    )

    assert scores.columns == ("recall_at_2", "mrr_at_1")
    assert scores.values[1, 0].tolist() == [0.5, 0]
    assert scores.ended_early.shape == (4, 0)
