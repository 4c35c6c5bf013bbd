"""What belongs to a study as a whole, and so takes one value in a sweep."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bench.errors import SettingError
from bench.settings.fields import build

OF_THE_STUDY = (
    "suite",
    "execution",
    "tracking",
    "gate",
    "seed",
    "latency",
    "output",
    "store",
    "repository",
    "queries",
    "include_drafts",
    "measure_level",
)
"""Settings that cannot be swept: trials that differ in them could not be compared."""


@dataclass(frozen=True)
class ExecutionSettings:
    """Where the stages run."""

    kind: Literal["auto", "local", "ray"] = "auto"
    workers: int = 0
    address: str = "local"

    def __post_init__(self) -> None:
        """Refuse fewer than no workers."""
        if self.workers < 0:
            message = f"execution.workers={self.workers}: must be 0 (one per core) or more"
            raise SettingError(message)


@dataclass(frozen=True)
class TrackingSettings:
    """Where results are logged besides the results file."""

    kind: Literal["mlflow", "none"] = "mlflow"
    uri: str = ""
    experiment: str = "rankgrid"


@dataclass(frozen=True)
class GateSettings:
    """Which trials must reach the floors."""

    of: Literal["all", "best"] = "all"


@dataclass(frozen=True)
class StudySettings:
    """How a study is carried out; nothing here changes a quality number except the seed."""

    execution: ExecutionSettings = field(default_factory=ExecutionSettings)
    tracking: TrackingSettings = field(default_factory=TrackingSettings)
    gate: GateSettings = field(default_factory=GateSettings)
    seed: int = 0
    latency: Literal["reuse", "fresh", "off"] = "reuse"
    output: str = "outputs"
    store: str = ".rankgrid/store"


def parse_study(config: Mapping[str, Any]) -> StudySettings:
    """Return the study's settings of a composed configuration."""
    names = ("seed", "latency", "output", "store")
    plain = build(_Plain, {name: config[name] for name in names}, where="")
    return StudySettings(
        execution=build(ExecutionSettings, config["execution"], where="execution"),
        tracking=build(TrackingSettings, config["tracking"], where="tracking"),
        gate=build(GateSettings, config["gate"], where="gate"),
        seed=plain.seed,
        latency=plain.latency,
        output=plain.output,
        store=plain.store,
    )


@dataclass(frozen=True)
class _Plain:
    seed: int = 0
    latency: Literal["reuse", "fresh", "off"] = "reuse"
    output: str = "outputs"
    store: str = ".rankgrid/store"
