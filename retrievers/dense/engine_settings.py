"""Settings of a vector engine. All of them are part of the key of latencies.

With `ranked`, they are also part of the key of rankings.
"""

from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Literal, get_args

from retrievers.errors import VectorError

EngineKind = Literal["exact", "edge", "server"]
Quantization = Literal["none", "scalar", "binary", "product"]
Rescore = Literal["auto", "on", "off"]
_LATER = {"later": True}
_LEAST_LINKS = 2
_LEAST_SCANNED = 10
_MOST_OVERSAMPLING = 100


@dataclass(frozen=True)
class VectorSettings:
    """A vector engine and the parameters of its search."""

    kind: EngineKind = "exact"
    m: int = 16
    """Links per vector in the HNSW graph."""
    ef_construct: int = 100
    """Candidates considered when the links of a vector are made."""
    ef: int = 0
    """Candidates considered for a query; 0: as many as `ef_construct`."""
    scan_below_kilobytes: int = 10_000
    """Smaller segments are scanned without a graph; with 0, Qdrant does not make any graph."""
    quantization: Quantization = "none"
    """Compression of the vectors that are searched."""
    url: str = ""
    """Address of the server."""
    grpc_port: int = 0
    """Port of the server for search over gRPC; 0: over HTTP."""
    key_variable: str = ""
    """The environment variable with the server's key."""
    ranked: bool = field(default=False, metadata=_LATER)
    """Whether the engine makes the rankings that are judged; otherwise it is timed only."""
    rescore: Rescore = field(default="auto", metadata=_LATER)
    """Whether the best are rescored by full vectors; auto: Qdrant does so for binary."""
    oversampling: float = field(default=1.0, metadata=_LATER)
    """Compressed candidates per requested result that are rescored."""

    def __post_init__(self) -> None:
        """Refuse settings with which no engine can be opened."""
        known_values = {"kind": EngineKind, "quantization": Quantization, "rescore": Rescore}
        for name, choices in known_values.items():
            value = getattr(self, name)
            if value not in get_args(choices):
                known = ", ".join(get_args(choices))
                setting = "vectors" if name == "kind" else name
                raise VectorError(f"{setting}={value}: no such {name}; choose one of {known}")
        if self.m < _LEAST_LINKS or self.ef_construct < self.m:
            message = f"m={self.m}, ef_construct={self.ef_construct}"
            raise VectorError(f"{message}: give m from 2 up, and ef_construct from m up")
        for name in ("ef", "scan_below_kilobytes"):
            if getattr(self, name) < 0:
                raise VectorError(f"{name}={getattr(self, name)}: give 0 or more")
        if not 0 <= self.grpc_port < 2**16:
            raise VectorError(f"grpc_port={self.grpc_port}: give a port, or 0 to search over HTTP")
        if not 1 <= self.oversampling <= _MOST_OVERSAMPLING:
            message = f"oversampling={self.oversampling:g}: give 1 to {_MOST_OVERSAMPLING}"
            raise VectorError(message)
        self._refuse_what_a_kind_lacks()

    def _refuse_what_a_kind_lacks(self) -> None:
        scanned = self.scan_below_kilobytes
        if self.kind == "server" and scanned < _LEAST_SCANNED:
            message = f"scan_below_kilobytes={scanned}: a Qdrant server takes {_LEAST_SCANNED} or"
            raise VectorError(f"{message} more. Give {_LEAST_SCANNED}, or use vectors=edge.")
        if self.ranked and self.is_exact:
            message = "ranked=true: vectors=exact ranks by an exact search anyway."
            raise VectorError(f"{message} Remove vectors.ranked, or use vectors=edge or server.")

    @property
    def is_exact(self) -> bool:
        """Whether every vector is compared with the query."""
        return self.kind == "exact"

    @property
    def for_ranking(self) -> "VectorSettings":
        """Settings that affect rankings: the defaults, unless the engine ranks."""
        return self if self.ranked else VectorSettings()

    @property
    def effective(self) -> "VectorSettings":
        """These settings with defaults where they have no effect, so that equal engines are
        equal."""
        if self.quantization != "none":
            return self
        return replace(self, rescore="auto", oversampling=1.0)

    @property
    def engine(self) -> str:
        """Name of the engine with its version, which only the server knows for a server."""
        if self.kind == "edge":
            return f"qdrant-edge-py {version('qdrant-edge-py')}"
        return "Qdrant server" if self.kind == "server" else "exact search"
