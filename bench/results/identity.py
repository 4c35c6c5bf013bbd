"""Digests of all inputs that must be equal for two studies to be comparable."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from hashlib import sha256
from typing import Any

from bench.corpora import pin_of
from bench.engine import Stage
from bench.queries import Query, Target
from bench.results.study_result import RepositoryIdentity
from bench.results.trial_result import Evidence
from bench.stages import CheckOut, Evaluate, TakePlaces
from bench.study.corpus import PreparedRepository

_DIGITS = 16


def identity_of(repository: PreparedRepository) -> RepositoryIdentity:
    """Return the identity of a repository: all inputs of its scores except for the trial."""
    asked = sorted(_digest(_asked(query)) for query in repository.queries)
    return RepositoryIdentity(
        repository=repository.place,
        documents=repository.documents.fingerprint[:_DIGITS],
        queries=_digest(asked),
        count=len(repository.queries),
        pin=_pin_of(repository.documents),
    )


def question_of(query: Query) -> str:
    """Return a digest that is equal for the same question in different trees."""
    asked = replace(query, targets=tuple(_without_lines(one) for one in query.targets))
    return _digest(_asked(asked))


def _without_lines(target: Target) -> Target:
    """Return a span target without its path and lines, because its content identifies it."""
    return target if target.level != "span" else replace(target, path="", start=0, end=0)


def _pin_of(documents: Stage[Any]) -> str:
    if isinstance(documents, CheckOut):
        return f"{pin_of(documents.source)} {documents.files}".rstrip()
    digest = getattr(documents, "digest", "")
    return f"content {digest}" if digest else ""


def chunking_of(chunks: Stage[Any]) -> str:
    """Return a digest of the chunking; equal digests give equal chunks of any document."""
    if isinstance(chunks, TakePlaces):  # these chunks depend on the engine's answers
        return _digest(chunks.fingerprint)
    if not chunks.inputs:  # chunks that are whole documents
        return ""
    recipe, parameters = dict(chunks.recipe), chunks.recipe["parameters"]
    if isinstance(parameters, Mapping):
        recipe["parameters"] = _without_artifacts(parameters)
    return _digest([recipe, *map(chunking_of, chunks.inputs)])


def evidence_of(scores: Evaluate) -> Evidence:
    """Return the addresses of all artifacts from which scores are computed."""
    return Evidence(
        ranking=_address(scores.ranking),
        chunks=_address(scores.chunks),
        documents=_address(scores.documents),
        tokens=_address(scores.tokens),
        judgements=_address(scores.judgements),
        limit=scores.limit,
        overlap=scores.overlap,
        symbol_credit=scores.symbol_credit,
    )


def _address(stage: Stage[Any]) -> str:
    return f"{stage.kind}/{stage.fingerprint}"


def versions_of(stages: Iterable[Stage[Any]]) -> dict[str, int]:
    """Return the versions of all code that affects numbers."""
    found = {name: version for stage in stages for name, version in stage.versions.items()}
    return dict(sorted(found.items()))


def _asked(query: Query) -> dict[str, object]:
    targets = [
        {name: value for name, value in asdict(target).items() if value}
        for target in query.targets
    ]
    return {"id": query.id, "text": query.text, "negative": query.negative, "targets": targets}


def _without_artifacts(value: object) -> object:
    """Return nested parameters without the addresses of inputs."""
    if isinstance(value, Mapping):
        return {
            name: _without_artifacts(one) for name, one in value.items() if not _is_artifact(one)
        }
    if isinstance(value, list):
        return [_without_artifacts(one) for one in value if not _is_artifact(one)]
    return value


def _is_artifact(value: object) -> bool:
    return isinstance(value, Mapping) and "artifact" in value


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return sha256(text.encode()).hexdigest()[:_DIGITS]
