"""Settings of a whole study, which have a single value in a sweep."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from bench.errors import SettingError
from bench.files import OUTPUT, STORE
from bench.measures import LOWER_IS_BETTER, MOST_TOKENS, OF_ANSWERS, parse_measure
from bench.settings.fields import build, in_range, typed

OF_THE_STUDY = (
    "suite",
    "execution",
    "tracking",
    "gate",
    "seed",
    "latency",
    "output",
    "store",
    "store_max_gb",
    "repository",
    "queries",
    "points",
    "grid",
    "include",
    "exclude",
    "languages",
    "include_drafts",
    "measure_level",
    "symbol_credit",
    "budget_tokens",
    "objective",
    "margin",
    "prior",
    "cost",
    "max_latency_p95_ms",
    "max_index_seconds",
    "max_memory_mb",
    "max_shown_tokens",
    "measures",
    "negative_threshold",
    "most_matches",
    "missing",
    "question_copies",
    "targets",
    "share",
    "half",
    "half_of",
    "only",
    "strategy",
    "budget_trials",
    "budget_minutes",
)
"""Settings that cannot be swept, because trials that differ in them are not comparable."""


_MOST_WORKERS = 1024


@dataclass(frozen=True)
class ExecutionSettings:
    """Settings of the processes that run the stages."""

    kind: Literal["auto", "local", "ray"] = "auto"
    workers: int = 0
    address: str = "local"

    def __post_init__(self) -> None:
        """Refuse a number of workers out of range."""
        if not 0 <= self.workers <= _MOST_WORKERS:
            message = f"execution.workers={self.workers}: must be from 0 (one per core)"
            raise SettingError(f"{message} to {_MOST_WORKERS}; use a number in that range")


@dataclass(frozen=True)
class TrackingSettings:
    """Additional destinations of results, besides the results file."""

    kind: Literal["mlflow", "none"] = "mlflow"
    uri: str = ""
    experiment: str = "rankgrid"


@dataclass(frozen=True)
class GateSettings:
    """Settings of the gate: the trials that must pass."""

    of: Literal["all", "best"] = "all"


USUAL_BUDGET = 4_000
"""Default budget of advice, in tokens of context."""


@dataclass(frozen=True)
class AdviceSettings:
    """Goals of the recommendation: a measure to maximise, and limits to keep."""

    budget_tokens: int | None = None
    """Tokens of context that a reader can afford.

    None gives advice for every usual budget, with `USUAL_BUDGET` as the main one.
    """
    objective: str | None = None
    """None means the coverage at the budget, see `measure`."""
    margin: float = 0.02
    """A difference that is too small to matter."""
    prior: Literal["on", "off"] = "on"
    """Whether results on other repositories are used if own queries do not decide."""
    cost: Literal[
        "latency_p50_ms",
        "latency_p95_ms",
        "index_seconds",
        "peak_memory_bytes",
        "avg_shown_tokens_at_10",
    ] = "latency_p50_ms"
    """The cost that the cheapest trial minimises."""
    max_latency_p95_ms: float | None = None
    max_index_seconds: float | None = None
    max_memory_mb: float | None = None
    max_shown_tokens: float | None = None

    def __post_init__(self) -> None:
        """Refuse unknown measures, and limits that cannot be kept."""
        if self.budget_tokens is not None:
            in_range(self.budget_tokens, 1, MOST_TOKENS, name="budget_tokens")
        if _name_of(self.measure) in LOWER_IS_BETTER:
            message = f"objective={self.objective}: lower is better for this measure"
            raise SettingError(f"{message}; choose one where higher is better")
        if not 0 < self.margin < 1:
            message = f"margin={self.margin}: must be above 0 and below 1; use 0.02 for example"
            raise SettingError(message)
        for name in (each.name for each in fields(self) if each.name.startswith("max_")):
            most = getattr(self, name)
            if most is not None and most <= 0:
                raise SettingError(
                    f"{name}={most}: must be above 0; use a limit, or null for none"
                )

    @property
    def budget(self) -> int:
        """Tokens of context for the main advice."""
        return self.budget_tokens or USUAL_BUDGET

    @property
    def measure(self) -> str:
        """The measure that compares trials."""
        return self.objective or coverage_at(self.budget)

    @property
    def asks_for_every_budget(self) -> bool:
        """Whether each budget gets advice, because neither measure nor budget was chosen."""
        return self.budget_tokens is None and self.measure == coverage_at(USUAL_BUDGET)

    @property
    def measure_of_weights(self) -> str:
        """The measure that weights are chosen by, which may only depend on ranks."""
        return "ndcg_at_10" if self.measure.startswith("coverage_at_") else self.measure

    @property
    def is_of_text(self) -> bool:
        """Whether trials are compared at the same amount of text."""
        return self.measure.endswith("_tokens")

    @property
    def is_of_answers(self) -> bool:
        """Whether trials are compared by their answers instead of their rankings."""
        return self.measure in OF_ANSWERS


def coverage_at(tokens: int) -> str:
    """Return the column of coverage at this number of tokens."""
    return f"coverage_at_{tokens}_tokens"


def _name_of(column: str) -> str:
    """Return a measure's name without its cut-off; unknown measures are refused."""
    try:
        return column if column in OF_ANSWERS else parse_measure(column).name
    except SettingError as error:
        raise SettingError(f"objective={column}: {error.message}") from error


@dataclass(frozen=True)
class SearchSettings:
    """Search through a grid: the trials to run, and their numbers of queries."""

    strategy: Literal["grid", "random", "halving"] = "grid"
    budget_trials: int | None = None
    """Maximal number of trials that run on every query."""
    budget_minutes: float | None = None
    """Time limit: trials that would not finish in time are not started, and late ones stopped."""

    def __post_init__(self) -> None:
        """Refuse budgets of 0, and strategies without the budget that they need."""
        for name in ("budget_trials", "budget_minutes"):
            most = getattr(self, name)
            if most is not None and most <= 0:
                raise SettingError(f"{name}={most}: must be above 0; use more, or null for none")
        if self.budget_trials is not None and self.strategy == "grid":
            message = f"budget_trials={self.budget_trials}: strategy=grid runs every trial"
            raise SettingError(f"{message}; add strategy=random or strategy=halving")
        if (
            self.strategy == "random"
            and self.budget_trials is None
            and self.budget_minutes is None
        ):
            message = "strategy=random: needs to know when to stop; add budget_trials=N"
            raise SettingError(f"{message} or budget_minutes=M")


@dataclass(frozen=True)
class TargetSettings:
    """Targets for P@10 in each tier, for the findings. They do not affect the exit code."""

    easy: float = 0.6
    medium: float = 0.3
    hard: float = 0.15

    def __post_init__(self) -> None:
        """Refuse values outside 0 to 1."""
        for tier in fields(self):
            in_range(getattr(self, tier.name), 0, 1, name=f"targets.{tier.name}")


@dataclass(frozen=True)
class GridSettings:
    """Handling of impossible points of a grid."""

    strict: bool = False
    """Whether impossible points are refused instead of skipped."""


@dataclass(frozen=True)
class ShareSettings:
    """Data that may leave this machine."""

    text: bool = True
    """Source text and questions, in results and files made from them, and to remote servers."""


@dataclass(frozen=True)
class StudySettings:
    """Settings of a study. Except for the seed, none of them changes the rankings of a trial."""

    execution: ExecutionSettings = field(default_factory=ExecutionSettings)
    tracking: TrackingSettings = field(default_factory=TrackingSettings)
    gate: GateSettings = field(default_factory=GateSettings)
    advice: AdviceSettings = field(default_factory=AdviceSettings)
    targets: TargetSettings = field(default_factory=TargetSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    share: ShareSettings = field(default_factory=ShareSettings)
    seed: int = 0
    latency: Literal["reuse", "fresh", "off"] = "reuse"
    output: str = OUTPUT
    store: str = STORE
    store_max_gb: float | None = 20.0
    """Maximal size of the store in GB; None for no limit."""
    measures: tuple[str, ...] = ()
    """Columns to compute in addition to the standard ones."""
    negative_threshold: float | None = None
    """Score from which a hit counts as an answer, which negative queries should not get."""


_OF_SEARCH = tuple(each.name for each in fields(SearchSettings))
_OF_ADVICE = tuple(each.name for each in fields(AdviceSettings))


def parse_study(config: Mapping[str, Any]) -> StudySettings:
    """Return the study's settings of a composed configuration."""
    names = ("seed", "latency", "output", "store", "store_max_gb")
    plain = build(_Plain, _given(config, *names), where="")
    return StudySettings(
        execution=build(ExecutionSettings, config["execution"], where="execution"),
        tracking=build(TrackingSettings, config["tracking"], where="tracking"),
        gate=build(GateSettings, config["gate"], where="gate"),
        advice=build(AdviceSettings, _given(config, *_OF_ADVICE), where=""),
        search=build(SearchSettings, _given(config, *_OF_SEARCH), where=""),
        targets=_targets(config.get("targets") or {}),
        share=build(ShareSettings, config.get("share") or {}, where="share"),
        seed=plain.seed,
        latency=plain.latency,
        output=plain.output,
        store=plain.store,
        store_max_gb=plain.store_max_gb,
        measures=_measures(config.get("measures") or ()),
        negative_threshold=build(
            _Negatives, _given(config, "negative_threshold"), where=""
        ).negative_threshold,
    )


def refuses_impossible(config: Mapping[str, Any]) -> bool:
    """Return whether impossible points of a grid are refused instead of skipped."""
    grid = config["grid"]
    if not isinstance(grid, Mapping):
        raise SettingError(f"grid={typed(grid)}: has parts; write grid.strict=true for example")
    return build(GridSettings, grid, where="grid").strict


def _targets(tiers: object) -> TargetSettings:
    if not isinstance(tiers, Mapping):
        message = f"targets={typed(tiers)}: must have one value for each tier"
        raise SettingError(f"{message}; write targets.easy=0.6 for example")
    return build(TargetSettings, tiers, where="targets")


def _given(config: Mapping[str, Any], *names: str) -> dict[str, object]:
    return {name: config[name] for name in names if name in config}


@dataclass(frozen=True)
class _Negatives:
    negative_threshold: float | None = None


def _measures(columns: object) -> tuple[str, ...]:
    found = build(_Measures, {"measures": columns}, where="").measures
    try:
        return tuple(parse_measure(column).column for column in found)
    except SettingError as error:
        raise SettingError(f"measures={typed(found)}: {error.message}") from error


@dataclass(frozen=True)
class _Measures:
    measures: tuple[str, ...]


@dataclass(frozen=True)
class _Plain:
    seed: int = 0
    latency: Literal["reuse", "fresh", "off"] = "reuse"
    output: str = OUTPUT
    store: str = STORE
    store_max_gb: float | None = 20.0

    def __post_init__(self) -> None:
        """Refuse a store without room."""
        if self.store_max_gb is not None and self.store_max_gb <= 0:
            message = (
                f"store_max_gb={self.store_max_gb:g}: must be above 0. Use null for no limit."
            )
            raise SettingError(message)
