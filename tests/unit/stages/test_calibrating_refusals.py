"""The threshold below which an answer is refused, and whose scores it is of."""

from typing import Any

import numpy as np

from bench.stages import CalibrateRefusal, Threshold
from bench.stages.sources import Ask
from retrievers.interface import Rankings

NAN = float("nan")
# Two queries with an answer and two without, all of them to calibrate on.
NEGATIVE = (False, False, True, True)
NORMALISED = (1.0, 0.9, 1.1, 1.0)
WORDS = (8.0, 7.0, 2.0, NAN)


def ranked(tops: tuple[float, ...]) -> Rankings:
    """Return rankings of one hit each, or none where its score is NaN."""
    known = [score for score in tops if score == score]  # noqa: PLR0124 - NaN differs from itself
    nothing = np.zeros(len(tops), np.float32)
    return Rankings(
        chunk=np.arange(len(known), dtype=np.int32),
        score=np.array(known, np.float32),
        stops=np.cumsum([score == score for score in tops]),  # noqa: PLR0124
        mean=nothing,
        deviation=nothing,
    )


def calibrated(*sources: tuple[float, ...], negative: tuple[bool, ...] = NEGATIVE) -> Threshold:
    """Return the threshold on the best scores that each source gives the queries."""
    stages: list[Any] = [Ask((str(number),)) for number in range(len(sources))]
    tables = dict(zip(stages, map(ranked, sources), strict=True))
    stage = CalibrateRefusal(tuple(stages), ((True,) * len(negative),), (negative,), 0.1)
    read: Any = tables.__getitem__  # neither caches nor counters are needed
    return stage.run(read)


def test_a_channel_decides_where_the_shown_scores_tell_nothing() -> None:
    """Scores that are normalised query by query are all near one; those of words are not."""
    assert calibrated(NORMALISED) == Threshold(None)
    assert calibrated(NORMALISED, WORDS) == Threshold(7.5 - 3.0, 1)


def test_the_shown_scores_decide_where_a_channel_tells_no_more() -> None:
    """Of equals the first."""
    assert calibrated(WORDS, WORDS).source == 0


def test_without_negative_queries_there_is_no_threshold() -> None:
    """Whatever the scores."""
    assert calibrated(WORDS, NORMALISED, negative=(False,) * 4) == Threshold(None)
