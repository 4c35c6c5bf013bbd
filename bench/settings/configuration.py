"""Identity of a configuration across studies: equal for trials with equal rankings.

It covers the settings that decide the ranking of any repository (chunks, retrievers, models,
rules, reranker). It leaves out the repository, the queries, and settings that affect only time or
last digits: the vector engine (unless it ranks), the data type of vectors, and the connections to
servers.
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
"""Fields that change at most the last digits of scores."""
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
"""Settings that are newer than the prior tables, with the value that has no effect."""


def configuration_of(trial: TrialSettings) -> str:
    """Return the digest of a trial's configuration."""
    parts: list[object] = [trial.chunker, trial.headers, trial.retrieval, trial.reranker]
    if trial.sizes != SizeTokens():  # tables are older than this setting
        parts.append(trial.sizes)
    if trial.sentence_model is not None:
        parts.append(trial.sentence_model)
    text = json.dumps([_plain(part) for part in parts], sort_keys=True, default=str)
    return sha256(text.encode()).hexdigest()[:_DIGITS]


def _ranks(value: object) -> bool:
    """Whether a value is a vector engine that makes the judged rankings."""
    return isinstance(value, VectorSettings) and value.ranked


def _plain(value: Any) -> Any:
    """Return a value as plain data with all settings, so that a changed default is another digest.

    Names of a fusion's channels, which are not compared, are left out.
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
