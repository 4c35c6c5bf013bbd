"""What engines answer: what cannot be used is refused, and so never a hit."""

import pytest

from retrievers.errors import ExternalError
from retrievers.external import AnswerFields, read_answers


@pytest.mark.parametrize("score", ["NaN", "1e39", "-Infinity", "1" + "0" * 400, "true", '"1"'])
def test_a_score_that_no_ranking_can_hold_is_refused(score: str) -> None:
    with pytest.raises(ExternalError, match="score="):
        read_answers(f'[{{"path": "a.py", "score": {score}}}]', "json", AnswerFields())
