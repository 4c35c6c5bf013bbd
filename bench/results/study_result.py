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
    """A searched repository with the identity of its documents and queries."""

    repository: str
    documents: str
    """Digest of the pin, or of a folder's content."""
    queries: str
    """Digest of the texts and targets in any order, without categories and notes."""
    count: int = 0
    pin: str = ""
    """Commit or package of the documents, or the digest of a folder's content."""


@dataclass(frozen=True)
class AskedQuestion:
    """A query with the states of its targets, for comparisons with other studies."""

    repository: str
    query: str
    question: str
    """Digest of its text and targets. Span targets count without their lines, because lines
    move."""
    targets: tuple[TargetState, ...]

    @property
    def key(self) -> QueryKey:
        """Identity of the query across all repositories."""
        return self.repository, self.query

    @property
    def is_outside(self) -> bool:
        """True if a target is beyond the end of its file, which is a mistake in the query."""
        return any(target.lost == "outside" for target in self.targets)

    @property
    def is_lost(self) -> bool:
        """True if a target that should exist is no longer in the source."""
        return not self.is_outside and any(target.lost for target in self.targets)


@dataclass(frozen=True)
class MissingTargets:
    """Targets that are not in the source and that the study ignores."""

    setting: Missing = "refuse"
    targets: int = 0
    """Number of dropped targets. With "refuse", the number of targets beyond the end of their
    file."""
    queries_left_out: tuple[QueryKey, ...] = ()
    """Queries without any remaining target at the study's level. With "refuse", all queries with
    targets beyond the end of their file."""


@dataclass(frozen=True)
class GeneratedQuestions:
    """Generated questions that nobody wrote or reviewed."""

    count: int
    asked: int
    """Number of all questions."""
    uncalibrated: int = 0
    """Number from sources that were never compared with people's questions."""
    wider: int = 0
    """Number that were made by wider rules, because there were few fair ones."""


@dataclass(frozen=True)
class PlanSummary:
    """Stages and seconds of a study, compared with separate runs of its trials."""

    distinct: int
    executed: int
    reused: int
    failed: int
    separate: int
    seconds: float
    """Seconds of all distinct stages, including cached ones."""
    separate_seconds: float
    skipped: int = 0


@dataclass(frozen=True)
class LeftOut:
    """A trial of the grid that was not run on every query. It is not part of the advice."""

    trial: str
    why: str
    queries: int | None = None
    """Number of queries after which it was stopped."""
    behind: float | None = None
    """Difference to the leader on these queries, also in standard errors of the difference."""
    standard_errors: float | None = None

    def __str__(self) -> str:
        if self.behind is None:
            return f"{self.trial}: {self.why}"
        return (
            f"{self.trial}: stopped at {self.queries} queries, {self.behind:.3f} behind the leader"
        )


@dataclass(frozen=True, kw_only=True)
class StudyResult:
    """Results of all trials with the advice, and the record of the measurement."""

    COMPUTED: ClassVar[Mapping[str, str]] = {"num_configs": ""}

    id: str = field(metadata=key("study"))
    timestamp: str = ""
    """Start of the study in UTC."""
    seconds: float = 0.0
    suite: str
    level: str
    symbol_credit: SymbolCredit = "lenient"
    """Older files do not record it; it was always lenient."""
    half: str = "all"
    """Half of the queries: all, tune or report."""
    half_of: str = "queries"
    """Unit of the split: queries within each repository, or whole repositories."""
    only: str = ""
    """Further selection of queries as it is typed; empty for all queries."""
    corpus: tuple[RepositoryIdentity, ...] = ()
    questions: tuple[AskedQuestion, ...] = ()
    """All queries with the states of their targets; empty in older files."""
    generated: GeneratedQuestions | None = field(default=None, metadata=key(absent=True))
    """None if people wrote or reviewed all queries."""
    measure_version: int | None = None
    stage_versions: Mapping[str, int] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    """Versions of Python and of libraries that may affect numbers and times."""
    git_sha: str | None = None
    command: str = ""
    settings: StudySettings = field(default_factory=StudySettings, metadata=key(exact=True))
    notes: tuple[str, ...] = ()
    """Remarks on the grid, such as merged trials or settings without effect."""
    plan: PlanSummary
    left_out: tuple[LeftOut, ...] = field(default=(), metadata=key("stopped"))
    """Trials of the grid that the search stopped or did not run."""
    copies: QuestionCopies = field(default_factory=QuestionCopies, metadata=key("question_copies"))
    missing: MissingTargets = field(default_factory=MissingTargets)
    trials: tuple[TrialResult, ...] = field(metadata=key("reports"))
    advice: AdviceRecord = field(default_factory=AdviceRecord, metadata=key("recommendation"))

    @property
    def level_and_credit(self) -> str:
        """Level in words, with the symbol credit where it matters."""
        credit = f", {self.symbol_credit} credit" if self.level == "symbol" else ""
        return f"{self.level} level{credit}"

    @property
    def choice(self) -> str:
        """Settings that selected the queries, as they are typed; empty for all queries."""
        half = "" if self.half == "all" else f"half={self.half}"
        half_of = "half_of=repositories" if half and self.half_of == "repositories" else ""
        return " ".join(part for part in (half, half_of, self.only) if part)

    @property
    def num_configs(self) -> int:
        """Number of trials, for readers of the file."""
        return len(self.trials)

    @cached_property
    def question_by_key(self) -> Mapping[QueryKey, AskedQuestion]:
        """Questions by repository and ID."""
        return {one.key: one for one in self.questions}

    @cached_property
    def corpus_by_name(self) -> Mapping[str, RepositoryIdentity]:
        """Identities of the repositories by name."""
        return {one.repository: one for one in self.corpus}
