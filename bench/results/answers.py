"""Answers of a trial's answerer, by query and in total."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from bench.measures import OF_ANSWERS, Given, Wanted, answer_numbers, trade_off
from bench.queries import Query
from bench.results.query_result import Answer, Numbers
from bench.results.scored_queries import ScoredQueries
from bench.results.trial_result import Refusal
from bench.settings import AnswererSettings
from bench.stages import Replies, best_scores
from bench.study import Study, Trial
from retrievers.answerers import ChatServer, citations

Values = np.ndarray[Any, np.dtype[np.float64]]
Truths = np.ndarray[Any, np.dtype[np.bool_]]
_DIGITS = 12


@dataclass(frozen=True)
class Answers:
    """Answers to all queries of a trial, in their order."""

    of_queries: tuple[Answer, ...]
    errors: tuple[str, ...]
    """Reason for a missing ranking or answer of each query, empty if it has both."""
    values: Mapping[str, Values]
    """Columns by measure, NaN where a measure does not apply."""
    numbers: Numbers
    refusal: Refusal


def answers_of(
    study: Study, trial: Trial, scored: ScoredQueries, credited: Sequence[Sequence[str]]
) -> Answers | None:
    """Return the answers of a trial, or None without an answerer."""
    stages = [end.replies for end in trial.judged if end.replies]
    if not stages or trial.settings.answerer is None:
        return None
    answers = [answer for stage in stages for answer in _answers(study.result_of(stage))]
    errors = tuple(
        error or answer.error or "" for answer, error in zip(answers, scored.errors, strict=True)
    )
    in_tune = np.array([own for end in trial.judged for own in end.repository.in_tune_half])
    calibrated_on = in_tune if trial.calibration and study.corpus.half == "all" else None
    return Answers(
        of_queries=tuple(answers),
        errors=errors,
        values=_values(answers, errors, scored.queries, credited, calibrated_on),
        numbers=_costs(answers, trial.settings.answerer),
        refusal=_refusal(study, trial, scored, in_tune),
    )


def prompt_of(answerer: AnswererSettings | None) -> str | None:
    """Return a digest of the prompt template, whose file may change under the same name."""
    if not isinstance(answerer, ChatServer):
        return None
    return sha256(answerer.prompt.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _answers(replies: Replies) -> list[Answer]:
    columns = zip(
        replies.text,
        replies.refused.tolist(),
        replies.cause,
        replies.shown.tolist(),
        replies.prompt_tokens.tolist(),
        replies.completion_tokens.tolist(),
        replies.milliseconds.tolist(),
        strict=True,
    )
    return [
        Answer(
            text=text,
            refused=refused,
            citations=citations(text),
            passages=shown,
            prompt_tokens=_whole(prompt),
            completion_tokens=_whole(completion),
            milliseconds=milliseconds,
            error=cause or None,
        )
        for text, refused, cause, shown, prompt, completion, milliseconds in columns
    ]


def _values(
    answers: Sequence[Answer],
    errors: Sequence[str],
    queries: Sequence[Query],
    credited: Sequence[Sequence[str]],
    calibrated_on: Truths | None,
) -> dict[str, Values]:
    """Return the measures of every answer, NaN for failed answers."""
    values = {name: np.full(len(answers), np.nan) for name in OF_ANSWERS}
    for row, (answer, query) in enumerate(zip(answers, queries, strict=True)):
        if errors[row]:
            continue
        numbers = answer_numbers(
            Given(answer.text, answer.refused, answer.citations, answer.passages),
            Wanted(query.negative, query.must_contain, query.forbidden),
            credited[row],
            refusal_counts=calibrated_on is None or not calibrated_on[row],
        )
        for name, number in numbers.items():
            values[name][row] = np.nan if number is None else number
    return values


def _costs(answers: Sequence[Answer], answerer: AnswererSettings) -> Numbers:
    """Return times, tokens and cost of the answers, including refusals."""
    times = [one.milliseconds for one in answers if not one.error and one.milliseconds]
    prompt = [one.prompt_tokens for one in answers if one.prompt_tokens is not None]
    completion = [one.completion_tokens for one in answers if one.completion_tokens is not None]
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


def _refusal(study: Study, trial: Trial, scored: ScoredQueries, in_tune: Truths) -> Refusal:
    """Return the refusal threshold and its trade-off in each half of the queries."""
    answerer, half = trial.settings.answerer, study.corpus.half
    parts: dict[str, Truths] = {"tune": in_tune, "report": ~in_tune}
    if half != "all":
        parts = {half: np.ones(len(in_tune), np.bool_)}
    if isinstance(answerer, ChatServer) or answerer is None:
        return Refusal("the model")
    found = study.result_of(trial.calibration) if trial.calibration else None
    if found is None or not found.source:
        best, whose = scored.best_scores, ""
    else:
        best, whose = _scores_of(study, trial, found.source)
    return Refusal(
        by=f"calibrated on the tune half{whose}" if found else "the setting",
        threshold=found.value if found else answerer.threshold,
        curve=trade_off(best, scored.negative, parts),
    )


def _scores_of(study: Study, trial: Trial, source: int) -> tuple[Values, str]:
    """Return the best score of a channel for each query, and a label of the channel."""
    stages = [end.replies.evidence[source] for end in trial.judged if end.replies]
    best = np.concatenate([best_scores(study.result_of(stage)) for stage in stages])
    fusion = trial.settings.retrieval.fusion
    name = fusion.names[source - 1] if fusion else "the first ranking"
    return best, f" by the scores of {name}"


def _whole(number: float) -> int | None:
    return None if math.isnan(number) else int(number)
