"""What came of a study, as plain values that reports, trackers and gates read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench.study.choosing import WeightFamily
from bench.study.identity import RepositoryIdentity
from bench.study.study import PlanAccount

Numbers = Mapping[str, float | int | None]


@dataclass(frozen=True)
class TrialFailure:
    """A stage without which the trial has no result."""

    stage: str
    subject: str
    cause: str
    details: str


@dataclass(frozen=True)
class QueryResult:
    """One query of one trial: its numbers at the primary level, and what was shown."""

    id: str
    repository: str
    text: str
    category: str
    difficulty: str
    negative: bool
    first_rank: int | None
    numbers: Numbers
    hits: tuple[tuple[str, int, int, float], ...]
    """Path, first line, last line and score of each hit."""
    expected: tuple[str, ...]
    places: tuple[tuple[str, int, int], ...] = ()
    """Path, first and last line of each target at the primary level; lines are 0 for files."""
    credits: tuple[str, ...] = ()
    """What each hit was credited with: nothing, relevant or duplicate."""
    tags: tuple[str, ...] = ()
    error: str | None = None
    """Why it has no ranking, and then no numbers either, or why it has no answer."""
    answer: Mapping[str, object] | None = None
    """What an answerer made of its hits, if one was asked."""


@dataclass(frozen=True)
class TrialResult:
    """A trial's numbers; none of them if a repository of it failed."""

    name: str
    fingerprint: str
    axes: Mapping[str, object]
    models: Mapping[str, object]
    failures: tuple[TrialFailure, ...]
    summary: Numbers
    levels: Mapping[str, Numbers]
    queries: tuple[QueryResult, ...]
    latency_how: Mapping[str, object]
    categories: Mapping[str, Numbers] = field(default_factory=dict)
    difficulties: Mapping[str, Numbers] = field(default_factory=dict)
    tags: Mapping[str, Numbers] = field(default_factory=dict)
    languages: Mapping[str, Numbers] = field(default_factory=dict)
    file_types: Mapping[str, Numbers] = field(default_factory=dict)
    repositories: Mapping[str, Numbers] = field(default_factory=dict)
    top_file_types: Mapping[str, Numbers] = field(default_factory=dict)
    """What share of the first hits, and of the right places, is in files of each type."""
    negative_curve: Sequence[Numbers] = ()
    """How many negative queries pass thresholds that keep shares of the others."""
    refusal: Mapping[str, object] = field(default_factory=dict)
    """How refusing to answer was decided, with the trade-off; nothing without an answerer."""
    chunking: str = ""
    """Equal where documents are cut alike."""
    scored: Mapping[str, str] = field(default_factory=dict)
    """What decided the scores of each repository, by its fingerprint."""
    evidence: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """By repository, where the store has what its scores were computed from."""
    chunks: Numbers = field(default_factory=dict)
    """What the documents are cut into, over all repositories."""
    is_bound: bool = False
    """Whether this is a floor or a ceiling to compare with, and nothing to ship."""

    family: WeightFamily | None = None
    """What the weights were chosen from, if they were not given."""

    @property
    def failed(self) -> bool:
        """Whether the trial has no result."""
        return bool(self.failures)

    @property
    def failed_queries(self) -> tuple[QueryResult, ...]:
        """The queries that have an error in place of an answer."""
        return tuple(query for query in self.queries if query.error)


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


@dataclass(frozen=True)
class StudyResult:
    """Every trial's result and how the study was carried out."""

    id: str
    suite: str
    level: str
    trials: tuple[TrialResult, ...]
    account: PlanAccount
    notes: tuple[str, ...]
    """What the user should know of how the grid was read: merged trials, inert settings."""
    half: str = "all"
    """Which of the queries were asked: all, tune or report."""
    corpus: tuple[RepositoryIdentity, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    """The trials of the grid that the search stopped or did not run."""
    stage_versions: Mapping[str, int] = field(default_factory=dict)
