"""A trial of a finished study: its configuration, its numbers and its queries."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from bench.analysis import TunedScore
from bench.measures import SymbolCredit
from bench.results.codec import NOT_STORED, key
from bench.results.query_result import Numbers, QueryKey, QueryResult

Span = tuple[float | None, float | None]
"""The two ends of an interval; None where the samples set no bound."""
LATENCIES = ("avg_latency_ms", "latency_p50_ms", "latency_p95_ms", "latency_p99_ms")
"""The numbers of a trial that the latency stage measures."""
GROUPS = ("repository", "difficulty", "category", "tag", "language", "file_type")
"""The kinds of groups of queries that a trial has numbers for."""


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
