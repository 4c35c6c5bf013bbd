"""What came of answering: each query's answer with its numbers, and those of the whole trial."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bench.judgements import Query
from bench.measures import OF_ANSWERS, Given, Wanted, answer_numbers, trade_off
from bench.settings import AnswererSettings
from bench.stages import Replies, best_scores
from bench.study.answers import Answers
from bench.study.result import Numbers
from bench.study.study import Study
from bench.study.trial import Trial
from retrievers.answerers import ChatServer, citations

Values = np.ndarray[Any, np.dtype[np.float64]]
Truths = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True)
class Answered:
    """A query's answer as people see it."""

    text: str
    refused: bool
    cause: str
    cited: tuple[int, ...]
    shown: int
    prompt_tokens: float
    completion_tokens: float
    milliseconds: float
    failed: bool = False
    """Whether there is no answer, or nothing to answer from, because of an error."""

    def as_json(self) -> Mapping[str, object]:
        """Return the answer as the results file has it."""
        return {
            "text": self.text,
            "refused": self.refused,
            "citations": list(self.cited),
            "passages": self.shown,
            "prompt_tokens": _whole(self.prompt_tokens),
            "completion_tokens": _whole(self.completion_tokens),
            "milliseconds": self.milliseconds,
            "error": self.cause or None,
        }


@dataclass(frozen=True)
class Replied:
    """The answers to all queries of a trial, in their order."""

    answers: tuple[Answered, ...]
    values: Mapping[str, Values]
    """A column a measure, NaN where it does not apply."""
    numbers: Numbers
    refusal: Mapping[str, object]
    """How refusing was decided, and what other thresholds would have come to."""


def replied_of(
    study: Study, trial: Trial, answers: Answers, credited: Sequence[Sequence[str]]
) -> Replied | None:
    """Return what the answerer of a trial came to, if it has one."""
    stages = [end.replies for end in trial.judged if end.replies]
    if not stages or trial.settings.answerer is None:
        return None
    given = [
        replace(one, failed=bool(error or one.cause))
        for one, error in zip(
            (one for stage in stages for one in _answered(study.result_of(stage))),
            answers.errors,
            strict=True,
        )
    ]
    in_tune = np.array([own for end in trial.judged for own in end.repository.in_tune_half])
    calibrated_on = in_tune if trial.calibration and study.corpus.half == "all" else None
    values = _values(given, answers.queries, credited, calibrated_on)
    return Replied(
        answers=tuple(given),
        values=values,
        numbers=_costs(given, trial.settings.answerer),
        refusal=_refusal(study, trial, answers, in_tune),
    )


def _answered(replies: Replies) -> list[Answered]:
    columns = (
        replies.shown.tolist(),
        replies.prompt_tokens.tolist(),
        replies.completion_tokens.tolist(),
        replies.milliseconds.tolist(),
    )
    texts = zip(replies.text, replies.refused.tolist(), replies.cause, strict=True)
    return [
        Answered(*said, citations(said[0]), *numbers)
        for said, numbers in zip(texts, zip(*columns, strict=True), strict=True)
    ]


def _values(
    given: Sequence[Answered],
    queries: Sequence[Query],
    credited: Sequence[Sequence[str]],
    calibrated_on: Truths | None,
) -> dict[str, Values]:
    """Return the measures of every answer; one that failed has none."""
    values = {name: np.full(len(given), np.nan) for name in OF_ANSWERS}
    for row, (one, query) in enumerate(zip(given, queries, strict=True)):
        if one.failed:
            continue
        numbers = answer_numbers(
            Given(one.text, one.refused, one.cited, one.shown),
            Wanted(query.negative, query.must_contain, query.forbidden),
            credited[row],
            refusal_counts=calibrated_on is None or not calibrated_on[row],
        )
        for name, number in numbers.items():
            values[name][row] = np.nan if number is None else number
    return values


def _costs(given: Sequence[Answered], answerer: AnswererSettings) -> Numbers:
    """Return times and tokens of the answers that were written, also of refusals."""
    times = [one.milliseconds for one in given if not one.cause and one.milliseconds]
    prompt = [one.prompt_tokens for one in given if not np.isnan(one.prompt_tokens)]
    completion = [one.completion_tokens for one in given if not np.isnan(one.completion_tokens)]
    cost = None
    if isinstance(answerer, ChatServer) and prompt and completion:
        cost = answerer.cost(sum(prompt), sum(completion))
    return {
        "answer_latency_p50_ms": float(np.percentile(times, 50)) if times else None,
        "answer_latency_p95_ms": float(np.percentile(times, 95)) if times else None,
        "answer_prompt_tokens": float(np.mean(prompt)) if prompt else None,
        "answer_completion_tokens": float(np.mean(completion)) if completion else None,
        "answer_cost": cost,
    }


def _refusal(
    study: Study, trial: Trial, answers: Answers, in_tune: Truths
) -> Mapping[str, object]:
    """Return the threshold and the trade-off in each half of the queries that were asked."""
    answerer, half = trial.settings.answerer, study.corpus.half
    parts: dict[str, Truths] = {"tune": in_tune, "report": ~in_tune}
    if half != "all":
        parts = {half: np.ones(len(in_tune), np.bool_)}
    if isinstance(answerer, ChatServer) or answerer is None:
        return {"by": "the model", "threshold": None, "curve": []}
    found = study.result_of(trial.calibration) if trial.calibration else None
    if found is None or not found.source:
        best, whose = answers.best_scores, ""
    else:
        best, whose = _scores_of(study, trial, found.source)
    return {
        "by": f"calibrated on the tune half{whose}" if found else "the setting",
        "threshold": found.value if found else answerer.threshold,
        "curve": list(trade_off(best, answers.negative, parts)),
    }


def _scores_of(study: Study, trial: Trial, source: int) -> tuple[Values, str]:
    """Return the best score that a channel gives each query, and words that name the channel."""
    stages = [end.replies.evidence[source] for end in trial.judged if end.replies]
    best = np.concatenate([best_scores(study.result_of(stage)) for stage in stages])
    fusion = trial.settings.retrieval.fusion
    name = fusion.names[source - 1] if fusion else "the first ranking"
    return best, f" by the scores of {name}"


def _whole(number: float) -> int | None:
    return None if np.isnan(number) else int(number)
