"""What a user can say, as typed values: parsed once, at the door, with remedies in the errors."""

from bench.settings.answering import AnswererSettings
from bench.settings.fields import build
from bench.settings.retrieving import ChannelSettings, Fusion, Retrieval
from bench.settings.study import StudySettings, parse_study
from bench.settings.suite import QuestionCopies, RepositorySettings, SuiteSettings
from bench.settings.trial import RerankerSettings, TrialSettings, parse_trial

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
]
