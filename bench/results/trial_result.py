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
"""Two ends of an interval; None for an end that the samples do not bound."""
LATENCIES = ("avg_latency_ms", "latency_p50_ms", "latency_p95_ms", "latency_p99_ms")
"""Numbers from the latency stage."""
GROUPS = ("repository", "difficulty", "category", "tag", "language", "file_type")
"""Kinds of groups of queries with numbers."""


@dataclass(frozen=True)
class Failure:
    """A failed stage of a trial. The trial has no result."""

    stage: str
    subject: str
    cause: str
    details: str = field(default="", metadata=NOT_STORED)


@dataclass(frozen=True)
class Evidence:
    """Artifacts from which a repository's scores were computed, as KIND/FINGERPRINT."""

    ranking: str
    chunks: str
    documents: str
    tokens: str
    judgements: str
    limit: int
    overlap: float
    symbol_credit: SymbolCredit = "lenient"
    """Older files do not record it; it was always lenient."""


@dataclass(frozen=True)
class ThresholdPoint:
    """Share of the negative queries above a threshold that keeps a share of the others."""

    kept: float
    threshold: float | None
    false_positives: float | None


@dataclass(frozen=True)
class Refusal:
    """Refusal threshold with its origin, and the trade-off of other thresholds."""

    by: str
    threshold: float | None = None
    curve: tuple[Numbers, ...] = ()


@dataclass(frozen=True)
class LatencyMethod:
    """Method of the latency measurement, or the reason for its failure."""

    samples: int | None = field(default=None, metadata=key(absent=True))
    threads: int | None = field(default=None, metadata=key(absent=True))
    engine: str | None = field(default=None, metadata=key(absent=True))
    machine: str | None = field(default=None, metadata=key(absent=True))
    caches: str | None = field(default=None, metadata=key(absent=True))
    engine_recall_at_10: float | None = field(default=None, metadata=key(absent=True))
    """Share of the 10 nearest chunks that the vector engine finds."""
    failed_queries: int | None = field(default=None, metadata=key(absent=True))
    busy: bool | None = field(default=None, metadata=key(absent=True))
    """True if the machine was busy with other work; None in older files."""
    time_over_cpu_time: float | None = field(default=None, metadata=key(absent=True))
    runnable_per_core: float | None = field(default=None, metadata=key(absent=True))
    p50_interval_ms: Span | None = field(default=None, metadata=key(absent=True))
    p95_interval_ms: Span | None = field(default=None, metadata=key(absent=True))
    failed: str | None = field(default=None, metadata=key(absent=True))
    """Reason for the missing latency."""


@dataclass(frozen=True)
class WeightsOfRepository:
    """Weights that a repository would choose alone, and weights that the others choose for it."""

    queries: int
    score: float
    own_weights: str
    own_score: float
    weights_without_it: str | None
    score_without_it: float | None


@dataclass(frozen=True)
class WeightedScore:
    """A weighting with its macro mean."""

    weights: tuple[float, ...]
    score: float


@dataclass(frozen=True)
class Tuning:
    """Chosen weights with their expected score, and all other weightings."""

    objective: str
    half: str
    queries: int
    steps: int
    chosen_before: tuple[str, ...]
    """Later steps that reorder the fused ranking. The choice did not include them."""
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
        """Score in sample and expected scores, or None for a single query."""
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
    """Configuration and numbers of a trial; no numbers if any repository failed."""

    COMPUTED: ClassVar[Mapping[str, str]] = {"chunk_size": "config", "status": ""}

    name: str = field(metadata=key(under="config"))
    embedding_model: str | None = field(default=None, metadata=key(under="config"))
    dtype: str | None = field(default=None, metadata=key(under="config"))
    use_reranker: bool = field(default=False, metadata=key(under="config"))
    reranker_model: str | None = field(default=None, metadata=key(under="config"))
    windows: str | None = field(default=None, metadata=key(under="config"))
    """Text of the embedding windows: `own` for single chunks, otherwise documents."""
    long_text: str | None = field(default=None, metadata=key(under="config"))
    """Method that scores a chunk with several windows."""
    axes: Mapping[str, object] = field(metadata=key(under="config", rest=True))
    """Axes by name, with the values that users type."""
    fingerprint: str = field(default="", metadata=key("trial"))
    configuration: str | None = field(default=None, metadata=key(absent=True))
    """Digest that is equal for trials with the same rankings in any study; None in older files."""
    chunking: str = ""
    """Digest that is equal for trials with the same chunking."""
    chunks: Numbers = field(default_factory=dict)
    """Statistics of the chunks over all repositories."""
    scored: Mapping[str, str] = field(default_factory=dict)
    """Fingerprint of each repository's scores."""
    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    is_bound: bool = field(default=False, metadata=key("bound"))
    """True for a floor or ceiling, which is only compared with and cannot be shipped."""
    ranked_by: str | None = field(default=None, metadata=key(absent=True))
    """Vector engine that ranked, or None for exact search."""
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
    """Share of each file type in the first hits and in the targets."""
    negative_curve: tuple[ThresholdPoint, ...] = ()
    refusal: Refusal | None = field(default=None, metadata=key(blank=True))
    """None without an answerer."""
    prompt: str | None = field(default=None, metadata=key("answer_prompt", absent=True))
    """Digest of the prompt template's text, or None without a template."""
    latency: LatencyMethod = field(default_factory=LatencyMethod)
    queries: tuple[QueryResult, ...] = field(metadata=key("query_results"))
    tuning: Tuning | None = field(default=None, metadata=key(absent=True))
    """None if the weights were given."""

    @property
    def failed(self) -> bool:
        """Return True if the trial has no result."""
        return bool(self.failures)

    @property
    def status(self) -> str:
        """`failed` as a word, for readers of the file."""
        return "failed" if self.failed else "complete"

    @property
    def chunk_size(self) -> object:
        """The `chunk` axis, for readers of the file."""
        return self.axes.get("chunk")

    @property
    def settings(self) -> dict[str, object]:
        """Configuration without the name of the trial."""
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
        """Means of groups of queries, by kind and name."""
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
        """Queries by repository and ID."""
        return {query.key: query for query in self.queries}

    @property
    def failed_queries(self) -> tuple[QueryResult, ...]:
        """Queries with an error."""
        return tuple(query for query in self.queries if query.error)

    @property
    def failed_query_count(self) -> int:
        """Number of queries with an error."""
        return max(len(self.failed_queries), int(self.summary.get("failed_queries") or 0))

    def is_disturbed(self, number: str) -> bool:
        """Return True for a latency that was measured on a busy machine."""
        return number in LATENCIES and bool(self.latency.busy)

    def price(self, number: str) -> float | None:
        """Return a cost, or None if it was measured on a busy machine."""
        return None if self.is_disturbed(number) else self.summary.get(number)

    def mean(self, measure: str) -> float | None:
        """Return the macro mean of a measure."""
        return self.summary.get(f"avg_{measure}")
