"""A finished study: its trials, its repositories and its advice."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from bench.measures import SymbolCredit
from bench.queries import Missing, QuestionCopies, TargetState
from bench.results.advice_record import AdviceRecord
from bench.results.codec import key
from bench.results.query_result import QueryKey
from bench.results.trial_result import TrialResult
from bench.settings import StudySettings


@dataclass(frozen=True)
class RepositoryIdentity:
    """A repository as it was searched, and what was asked of it."""

    repository: str
    documents: str
    """Of the pin, or of the content of a folder."""
    queries: str
    """Of the texts and targets, in any order; categories and notes are not part of it."""
    count: int = 0
    pin: str = ""
    """The commit or package that has these documents; of a folder, the digest of its content."""


@dataclass(frozen=True)
class AskedQuestion:
    """A query as it was asked of a tree: what another study needs to know if it is the same."""

    repository: str
    query: str
    question: str
    """Of its text and targets; of targets by lines only their grades, because lines move."""
    targets: tuple[TargetState, ...]

    @property
    def key(self) -> QueryKey:
        """Its name across all repositories."""
        return self.repository, self.query

    @property
    def is_outside(self) -> bool:
        """Whether lines of it are beyond their file: a mistake of the query, not of the tree."""
        return any(target.lost == "outside" for target in self.targets)

    @property
    def is_lost(self) -> bool:
        """Whether a target that it is judged by is no longer in the source."""
        return not self.is_outside and any(target.lost for target in self.targets)


@dataclass(frozen=True)
class MissingTargets:
    """The targets that are not in the source and that the study goes on without."""

    setting: Missing = "refuse"
    targets: int = 0
    """How many were dropped; with "refuse", how many are lines beyond the end of their file."""
    queries_left_out: tuple[QueryKey, ...] = ()
    """The queries that have no target left at the level of the study; with "refuse", all that
    have such lines."""


@dataclass(frozen=True)
class GeneratedQuestions:
    """Questions that nobody wrote or reviewed: a program made them of the repository."""

    count: int
    asked: int
    """How many questions there are in all."""
    uncalibrated: int = 0
    """How many are of a source that was never compared with people's questions."""


@dataclass(frozen=True)
class PlanSummary:
    """Stages and seconds of a study, against what its trials would have cost one by one."""

    distinct: int
    executed: int
    reused: int
    failed: int
    separate: int
    seconds: float
    """Of all distinct stages, whenever they were carried out."""
    separate_seconds: float
    skipped: int = 0


@dataclass(frozen=True)
class LeftOut:
    """A trial of the grid that was not run, or not on every query; it enters no decision."""

    trial: str
    why: str
    queries: int | None = None
    """On how many queries it was stopped."""
    behind: float | None = None
    """How far it was behind the leader on them, and in standard errors of that difference."""
    standard_errors: float | None = None

    def __str__(self) -> str:
        if self.behind is None:
            return f"{self.trial}: {self.why}"
        return (
            f"{self.trial}: stopped at {self.queries} queries, {self.behind:.3f} behind the leader"
        )


@dataclass(frozen=True, kw_only=True)
class StudyResult:
    """Every trial's result, what they are advised to be used for, and how this was found."""

    COMPUTED: ClassVar[Mapping[str, str]] = {"num_configs": ""}

    id: str = field(metadata=key("study"))
    timestamp: str = ""
    """When it began, in UTC."""
    seconds: float = 0.0
    suite: str
    level: str
    symbol_credit: SymbolCredit = "lenient"
    """Files of older versions do not say; they had no other."""
    half: str = "all"
    """Which of the queries were asked: all, tune or report."""
    half_of: str = "queries"
    """What was halved: the queries of each repository, or the repositories."""
    only: str = ""
    """The choice among these queries, as it is typed; blank if all were asked."""
    corpus: tuple[RepositoryIdentity, ...] = ()
    questions: tuple[AskedQuestion, ...] = ()
    """Every query with how its targets were found; earlier versions did not record it."""
    generated: GeneratedQuestions | None = field(default=None, metadata=key(absent=True))
    """None if people wrote or reviewed all of them."""
    measure_version: int | None = None
    stage_versions: Mapping[str, int] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    """Of Python and of the libraries that numbers and times may hang on."""
    git_sha: str | None = None
    command: str = ""
    settings: StudySettings = field(default_factory=StudySettings, metadata=key(exact=True))
    notes: tuple[str, ...] = ()
    """Remarks on how the grid was read: merged trials, settings without effect."""
    plan: PlanSummary
    left_out: tuple[LeftOut, ...] = field(default=(), metadata=key("stopped"))
    """The trials of the grid that the search stopped or did not run."""
    copies: QuestionCopies = field(default_factory=QuestionCopies, metadata=key("question_copies"))
    missing: MissingTargets = field(default_factory=MissingTargets)
    trials: tuple[TrialResult, ...] = field(metadata=key("reports"))
    advice: AdviceRecord = field(default_factory=AdviceRecord, metadata=key("recommendation"))

    @property
    def level_and_credit(self) -> str:
        """What is measured, in words: the level, and how a symbol is found where that counts."""
        credit = f", {self.symbol_credit} credit" if self.level == "symbol" else ""
        return f"{self.level} level{credit}"

    @property
    def choice(self) -> str:
        """The settings that chose the queries, as they are typed; nothing if all were asked."""
        half = "" if self.half == "all" else f"half={self.half}"
        half_of = "half_of=repositories" if half and self.half_of == "repositories" else ""
        return " ".join(part for part in (half, half_of, self.only) if part)

    @property
    def num_configs(self) -> int:
        """How many trials there are, for those who read the file."""
        return len(self.trials)

    @cached_property
    def question_by_key(self) -> Mapping[QueryKey, AskedQuestion]:
        """How each query was asked."""
        return {one.key: one for one in self.questions}

    @cached_property
    def corpus_by_name(self) -> Mapping[str, RepositoryIdentity]:
        """The identity of each repository and of its queries."""
        return {one.repository: one for one in self.corpus}
