"""Rules that move code retrieval, over any ranking: names, definitions, tests, files."""

from retrievers.rules.apply import Floor, RuleBook, apply_rules
from retrievers.rules.paths import PathWords
from retrievers.rules.settings import OFF, UNITS, Rules, Unit

__all__ = [
    "OFF",
    "UNITS",
    "Floor",
    "PathWords",
    "RuleBook",
    "Rules",
    "Unit",
    "apply_rules",
]
