"""The identity of a configuration across studies: equal for trials that rank in the same way.

It covers what decides the ranking of any repository (chunks, retrievers, models, rules,
reranker) and leaves out the repository, the queries, and what only costs time: the vector engine
(unless it ranks), the data type of vectors, and how servers are asked.
"""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from bench.settings.chunking import SizeTokens
from bench.settings.trial import TrialSettings
from retrievers.dense import VectorSettings
from retrievers.rules.file_kinds import FILE_KINDS

_DIGITS = 16
_NUMBERS_ONLY = frozenset({"vectors", "dtype"})
"""Fields that change the last digits of scores, not what is found."""
_SINCE: Mapping[str, object] = MappingProxyType(
    {
        "reading": "plain",
        "file_share": 0.0,
        "path_boost": 0.0,
        "frame_boost": 0.0,
        "runtime": "torch",
        **dict.fromkeys((f"{kind}_penalty" for kind in FILE_KINDS if kind != "test"), 1.0),
    }
)
"""Settings that tables were made before, and the value at which they change nothing."""


def configuration_of(trial: TrialSettings) -> str:
    """Return the digest of a trial's configuration."""
    parts: list[object] = [trial.chunker, trial.headers, trial.retrieval, trial.reranker]
    if trial.sizes != SizeTokens():  # tables were made before there was a choice
        parts.append(trial.sizes)
    if trial.sentence_model is not None:
        parts.append(trial.sentence_model)
    text = json.dumps([_plain(part) for part in parts], sort_keys=True, default=str)
    return sha256(text.encode()).hexdigest()[:_DIGITS]


def _ranks(value: object) -> bool:
    """Whether this is a vector engine that ranks what is judged."""
    return isinstance(value, VectorSettings) and value.ranked


def _plain(value: Any) -> Any:
    """Return plain data. All settings are in it: a default that changes is another configuration.

    A fusion's names of its channels, which are not compared, are none of its settings.
    """
    if is_dataclass(value):
        own = {
            field.name: _plain(getattr(value, field.name))
            for field in fields(value)
            if field.compare
            and (field.name not in _NUMBERS_ONLY or _ranks(getattr(value, field.name)))
            and (field.name not in _SINCE or getattr(value, field.name) != _SINCE[field.name])
        }
        return {type(value).__name__: own}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    return value
