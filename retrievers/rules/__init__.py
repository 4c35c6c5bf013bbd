"""Rules for code retrieval that adjust any ranking: names, definitions, tests."""

from retrievers.rules.apply import RuleBook, apply_rules
from retrievers.rules.paths import PathWords
from retrievers.rules.settings import OFF, Rules

__all__ = [
    "OFF",
    "PathWords",
    "RuleBook",
    "Rules",
    "apply_rules",
]
