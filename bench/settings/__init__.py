"""Typed settings, parsed once at the entry points, with remedies in the error messages.

Names are imported on first use, because the parsers of commands need no settings, and the settings
import every retriever.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.settings.answering import AnswererSettings
    from bench.settings.fields import build
    from bench.settings.retrieving import ChannelSettings, Fusion, Retrieval
    from bench.settings.study import StudySettings, parse_study
    from bench.settings.suite import QuestionCopies, RepositorySettings, SuiteSettings
    from bench.settings.trial import (
        RerankerSettings,
        TrialSettings,
        parse_trial,
        refuse_absent_models,
    )

__all__ = [
    "AnswererSettings",
    "ChannelSettings",
    "Fusion",
    "QuestionCopies",
    "RepositorySettings",
    "RerankerSettings",
    "Retrieval",
    "StudySettings",
    "SuiteSettings",
    "TrialSettings",
    "build",
    "parse_study",
    "parse_trial",
    "refuse_absent_models",
]

_MODULES = {
    "answering": ("AnswererSettings",),
    "fields": ("build",),
    "retrieving": ("ChannelSettings", "Fusion", "Retrieval"),
    "study": ("StudySettings", "parse_study"),
    "suite": ("QuestionCopies", "RepositorySettings", "SuiteSettings"),
    "trial": ("RerankerSettings", "TrialSettings", "parse_trial", "refuse_absent_models"),
}

if not TYPE_CHECKING:  # otherwise a type checker would accept any name

    def __getattr__(name: str) -> object:
        """Return a name from the module that has it."""
        for module, names in _MODULES.items():
            if name in names:
                return getattr(import_module(f"{__name__}.{module}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
