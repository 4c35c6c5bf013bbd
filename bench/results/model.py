"""A finished study: its trials, their queries and hits, and how it was carried out.

The fields are those of results.json: a new number is one field here. Values are exact in the
process that measured them; `files.rounded` gives them as the file has them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Literal

from bench.analysis import TunedScore
from bench.measures import OF_ANSWERS, SymbolCredit
from bench.queries import Missing, QuestionCopies, TargetState
from bench.results.codec import NOT_STORED, Json, Rank, key
from bench.settings import StudySettings

Numbers = Mapping[str, float | None]
"""Measures, costs and counts by their names; None where there is no number."""
QueryKey = tuple[str, str]
"""A repository and the id of a query."""
Span = tuple[float | None, float | None]
"""The two ends of an interval; None where the samples set no bound."""
LATENCIES = ("avg_latency_ms", "latency_p50_ms", "latency_p95_ms", "latency_p99_ms")
"""The numbers of a trial that the latency stage measures."""
Standing = Literal[
    "confirmed here",
    "not contradicted here",
    "overruled here",
    "not known elsewhere",
    "not asked here",
]
"""How a choice compares with the advice of other repositories."""
GROUPS = ("repository", "difficulty", "category", "tag", "language", "file_type")
"""The kinds of groups of queries that a trial has numbers for."""


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file, both included; 0 for the whole file."""

    path: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A hit as it was shown."""

    path: str
    start: int
    end: int
    score: float | None = field(default=None, metadata=key(exact=True))
    """The number that orders the list, in full: rounded ones may be equal."""
    credit: str | None = None
    """nothing, relevant or duplicate; files of older versions do not say."""
    start_byte: int | None = None
    """Its place in the UTF-8 text of the file, `end_byte` excluded."""
    end_byte: int | None = None
    symbol: str = ""
    """The qualified name of the definition that it shows; blank if it shows none."""

    def __str__(self) -> str:
        return f"{self.path}:{self.start}-{self.end}"


@dataclass(frozen=True)
class Answer:
    """The text that an answerer made of a query's hits."""

    text: str
    refused: bool
    citations: tuple[int, ...] = ()
    passages: int = 0
    """How many hits were given to the answerer."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    milliseconds: float = 0.0
    error: str | None = None
    """Why there is no answer."""


@dataclass(frozen=True, kw_only=True)
class QueryResult:
    """One query of one trial: its numbers at the primary level, and the hits that were shown."""

    id: str
    repository: str
    text: str = field(metadata=key("query"))
    category: str
    difficulty: str
    tags: tuple[str, ...] = ()
    negative: bool
    first_rank: Rank | None = None
    """Of the first right hit."""
    numbers: Numbers = field(metadata=key(rest=True))
    expected: tuple[str, ...]
    targets: tuple[Place, ...] = ()
    """Where the targets are at the primary level."""
    target_grades: tuple[int, ...] = ()
    """Of each target; places that are alternatives are one target."""
    target_ranks: tuple[int, ...] = ()
    """The rank of the hit that found it, 0 for none of those that were shown."""
    hits: tuple[Hit, ...] = field(metadata=key("retrieved"))
    answer: Answer | None = None
    error: str | None = None
    """Why there is no ranking, and then no numbers either, or why there is no answer."""

    @property
    def key(self) -> QueryKey:
        """Its name across all repositories."""
        return self.repository, self.id

    @cached_property
    def known(self) -> Mapping[str, float]:
        """The numbers that there are: a query without targets has none of a ranking."""
        return {name: value for name, value in self.numbers.items() if value is not None}

    @property
    def is_judged(self) -> bool:
        """Whether its ranking has numbers; an answer may have some where a ranking has none."""
        return not self.negative and any(name not in OF_ANSWERS for name in self.known)

    @property
    def asked(self) -> tuple[str, bool, tuple[str, ...]]:
        """Two rankings of a query can be compared only if this is the same."""
        return self.text, self.negative, self.expected

    @property
    def documents(self) -> tuple[str, ...]:
        """The paths that its targets are in, each once."""
        return tuple(dict.fromkeys(target.path for target in self.targets))


@dataclass(frozen=True)
class Failure:
    """A stage without which the trial has no result."""

    stage: str
    subject: str
    cause: str
    details: str = field(default="", metadata=NOT_STORED)


@dataclass(frozen=True)
class Evidence:
    """The artifacts that the scores of a repository were computed from, as KIND/FINGERPRINT."""

    ranking: str
    chunks: str
    documents: str
    tokens: str
    judgements: str
    limit: int
    overlap: float
    symbol_credit: SymbolCredit = "lenient"
    """Files of older versions do not say; they had no other."""


@dataclass(frozen=True)
class ThresholdPoint:
    """How many negative queries pass a threshold that keeps a share of the others."""

    kept: float
    threshold: float | None
    false_positives: float | None


@dataclass(frozen=True)
class Refusal:
    """How refusing to answer was decided, and what other thresholds would have come to."""

    by: str
    threshold: float | None = None
    curve: tuple[Numbers, ...] = ()


@dataclass(frozen=True)
class LatencyMethod:
    """How latency was taken, or why there is none."""

    samples: int | None = field(default=None, metadata=key(absent=True))
    threads: int | None = field(default=None, metadata=key(absent=True))
    engine: str | None = field(default=None, metadata=key(absent=True))
    machine: str | None = field(default=None, metadata=key(absent=True))
    caches: str | None = field(default=None, metadata=key(absent=True))
    engine_recall_at_10: float | None = field(default=None, metadata=key(absent=True))
    """Of the 10 nearest, the share that the vector engine finds."""
    failed_queries: int | None = field(default=None, metadata=key(absent=True))
    busy: bool | None = field(default=None, metadata=key(absent=True))
    """Whether the machine was busy with something else; older files do not say."""
    time_over_cpu_time: float | None = field(default=None, metadata=key(absent=True))
    runnable_per_core: float | None = field(default=None, metadata=key(absent=True))
    p50_interval_ms: Span | None = field(default=None, metadata=key(absent=True))
    p95_interval_ms: Span | None = field(default=None, metadata=key(absent=True))
    failed: str | None = field(default=None, metadata=key(absent=True))
    """Why it could not be measured."""


@dataclass(frozen=True)
class WeightsOfRepository:
    """The weights that a repository would choose, and those that the others choose for it."""

    queries: int
    score: float
    own_weights: str
    own_score: float
    weights_without_it: str | None
    score_without_it: float | None


@dataclass(frozen=True)
class WeightedScore:
    """A weighting and its macro mean."""

    weights: tuple[float, ...]
    score: float


@dataclass(frozen=True)
class Tuning:
    """Weights that were chosen among many, what they are worth, and every other weighting."""

    objective: str
    half: str
    queries: int
    steps: int
    chosen_before: tuple[str, ...]
    """Steps that reorder the fused ranking after the choice, which did not see them."""
    channels: tuple[str, ...]
    weightings: int
    chosen: Mapping[str, float]
    override: str
    in_sample: float
    expected_here: float | None
    expected_on_a_new_repository: float | None
    repositories: Mapping[str, WeightsOfRepository]
    curve: tuple[WeightedScore, ...]

    @property
    def worth(self) -> TunedScore | None:
        """The score in sample and what to expect of it; not known from a single query."""
        if self.expected_here is None:
            return None
        return TunedScore(
            self.override,
            self.in_sample,
            self.expected_here,
            self.expected_on_a_new_repository,
            tuple(
                (name, one.weights_without_it)
                for name, one in self.repositories.items()
                if one.weights_without_it is not None
            ),
        )


@dataclass(frozen=True, kw_only=True)
class TrialResult:
    """A trial's configuration and numbers; no numbers if a repository of it failed."""

    COMPUTED: ClassVar[Mapping[str, str]] = {"chunk_size": "config", "status": ""}

    name: str = field(metadata=key(under="config"))
    embedding_model: str | None = field(default=None, metadata=key(under="config"))
    dtype: str | None = field(default=None, metadata=key(under="config"))
    use_reranker: bool = field(default=False, metadata=key(under="config"))
    reranker_model: str | None = field(default=None, metadata=key(under="config"))
    windows: str | None = field(default=None, metadata=key(under="config"))
    """What the embedding model reads in windows: `own` text of chunks, or documents."""
    long_text: str | None = field(default=None, metadata=key(under="config"))
    """How a chunk of several windows is scored."""
    axes: Mapping[str, object] = field(metadata=key(under="config", rest=True))
    """Every axis by the name and the value that people type."""
    fingerprint: str = field(default="", metadata=key("trial"))
    configuration: str | None = field(default=None, metadata=key(absent=True))
    """Equal for trials of any study that rank in the same way; older files do not say."""
    chunking: str = ""
    """Equal where documents are cut in the same way."""
    chunks: Numbers = field(default_factory=dict)
    """Numbers of the chunks over all repositories."""
    scored: Mapping[str, str] = field(default_factory=dict)
    """The fingerprint of the scores of each repository."""
    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    is_bound: bool = field(default=False, metadata=key("bound"))
    """Whether this is a floor or a ceiling to compare with, and nothing to ship."""
    ranked_by: str | None = field(default=None, metadata=key(absent=True))
    """The vector engine that ranked, whose numbers are measured; None where search was exact."""
    failures: tuple[Failure, ...] = ()
    summary: Numbers = field(default_factory=dict)
    levels: Mapping[str, Numbers]
    categories: Mapping[str, Numbers] = field(
        default_factory=dict, metadata=key("category_metrics")
    )
    difficulties: Mapping[str, Numbers] = field(
        default_factory=dict, metadata=key("difficulty_metrics")
    )
    repositories: Mapping[str, Numbers] = field(
        default_factory=dict, metadata=key("repository_metrics")
    )
    tags: Mapping[str, Numbers] = field(default_factory=dict, metadata=key("tag_metrics"))
    languages: Mapping[str, Numbers] = field(
        default_factory=dict, metadata=key("language_metrics")
    )
    file_types: Mapping[str, Numbers] = field(
        default_factory=dict, metadata=key("file_type_metrics")
    )
    top_file_types: Mapping[str, Numbers] = field(default_factory=dict)
    """The share of each type of file in the first hits and in the targets."""
    negative_curve: tuple[ThresholdPoint, ...] = ()
    refusal: Refusal | None = field(default=None, metadata=key(blank=True))
    """None without an answerer."""
    prompt: str | None = field(default=None, metadata=key("answer_prompt", absent=True))
    """A digest of the text of the answerer's template; None if no template is used."""
    latency: LatencyMethod = field(default_factory=LatencyMethod)
    queries: tuple[QueryResult, ...] = field(metadata=key("query_results"))
    tuning: Tuning | None = field(default=None, metadata=key(absent=True))
    """None where the weights were given."""

    @property
    def failed(self) -> bool:
        """Whether the trial has no result."""
        return bool(self.failures)

    @property
    def status(self) -> str:
        """The same for those who read the file."""
        return "failed" if self.failed else "complete"

    @property
    def chunk_size(self) -> object:
        """The `chunk` of the axes, for those who read the file."""
        return self.axes.get("chunk")

    @property
    def settings(self) -> dict[str, object]:
        """The configuration without what people call it."""
        return {
            "chunk_size": self.chunk_size,
            "embedding_model": self.embedding_model,
            "dtype": self.dtype,
            "use_reranker": self.use_reranker,
            "reranker_model": self.reranker_model,
            **self.axes,
        }

    @property
    def groups(self) -> Mapping[str, Mapping[str, Numbers]]:
        """The means of groups of queries: by kind, then by name."""
        return {
            "repository": self.repositories,
            "difficulty": self.difficulties,
            "category": self.categories,
            "tag": self.tags,
            "language": self.languages,
            "file_type": self.file_types,
        }

    @cached_property
    def by_key(self) -> Mapping[QueryKey, QueryResult]:
        """The queries by repository and id."""
        return {query.key: query for query in self.queries}

    @property
    def failed_queries(self) -> tuple[QueryResult, ...]:
        """The queries that have an error in place of an answer."""
        return tuple(query for query in self.queries if query.error)

    @property
    def failed_query_count(self) -> int:
        """How many queries have an error in place of an answer."""
        return max(len(self.failed_queries), int(self.summary.get("failed_queries") or 0))

    def is_disturbed(self, number: str) -> bool:
        """Whether a number of the summary is a latency that was measured on a busy machine."""
        return number in LATENCIES and bool(self.latency.busy)

    def price(self, number: str) -> float | None:
        """Return a cost that a choice may rest on."""
        return None if self.is_disturbed(number) else self.summary.get(number)

    def mean(self, measure: str) -> float | None:
        """Return the macro mean of a measure."""
        return self.summary.get(f"avg_{measure}")


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


@dataclass(frozen=True)
class RuledOutTrial:
    """A trial that exceeds a limit, and which one in words."""

    trial: str
    why: str


@dataclass(frozen=True)
class Exceptional:
    """A repository on which another trial than the one to ship is clearly better."""

    repository: str
    trial: str
    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class Statement:
    """A sentence, and the numbers that it rests on."""

    text: str
    evidence: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, kw_only=True)
class TrialTests:
    """The tests of the trials against each other, as far as they are read again."""

    baseline: str
    best: str
    may_be_best: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    warnings: tuple[str, ...] = ()
    rest: Mapping[str, Json] = field(default_factory=dict, metadata=key(rest=True))
    """All other numbers of the tests: rankgrid shows them to people and reads none of them."""


@dataclass(frozen=True)
class BudgetAdvice:
    """What to ship for an amount of text."""

    tokens: int | None
    """None: for ten hits, whatever their size."""
    trial: str
    """The one to ship or, where that is not decided, the highest."""
    coverage: float
    """The share of the right text that it shows."""
    low: float | None
    high: float | None
    """The 95 % interval of the coverage; None where it has none."""
    latency_p50_ms: float | None
    decided: bool
    may_be_best: int
    """How many trials may be the best."""
    standing: Standing | None = field(default=None, metadata=key(absent=True))
    """How the choice compares with the advice of other repositories; None without them."""


@dataclass(frozen=True)
class PriorChoice:
    """What own queries and those about other repositories say together."""

    trial: str
    """The choice: what own evidence shows to be within the margin, or else the choice by both."""
    standing: Standing
    elsewhere: str
    """What the other repositories advise alone, for the kinds of questions of the study."""
    lead: float
    """How much better than that the choice is expected to be."""
    regret: float | None
    """How much better than the choice the best is expected to be; None for a trial that the
    other repositories do not know."""
    decided: bool
    """Whether own evidence decides, or both: then the expected regret is below the margin, and no
    unknown trial is ahead by the margin."""
    share: float
    """What own queries count, 0 to 1."""
    own_queries: int
    queries: int
    """About other repositories."""
    repositories: int
    by: tuple[str, ...]
    """Whose queries these are."""
    unknown: tuple[str, ...] = ()
    """Trials that the other repositories do not know: own evidence alone judges them."""
    rival: str | None = None
    """The highest of them on own queries."""
    ahead: float = 0.0
    """By how much it is better than the choice on own queries; 0 if it is not."""
    changed: tuple[str, ...] = ()
    """Stages and retrievers whose version is another than when the others were measured."""


@dataclass(frozen=True)
class AdviceRecord:
    """The advice on a study in names, numbers and sentences."""

    sentences: tuple[str, ...] = ()
    highest: str | None = None
    fastest: str | None = None
    ship: str | None = None
    """The trial to ship: the cheapest that is not worse than any other, or the winner."""
    budgets: tuple[BudgetAdvice, ...] = ()
    """What to ship at each budget; empty where all trials show the same amount of text."""
    ruled_out: tuple[RuledOutTrial, ...] = ()
    exceptions: tuple[Exceptional, ...] = ()
    prior: PriorChoice | None = field(default=None, metadata=key(absent=True))
    """None where results on other repositories are not used."""
    tested: TrialTests | None = None
    """None where no test was run."""


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
