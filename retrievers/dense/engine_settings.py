"""What a user can say about a vector engine; every field is part of what latency is keyed by."""

from dataclasses import dataclass
from typing import Literal, get_args

from retrievers.errors import VectorError

EngineKind = Literal["exact", "edge", "server"]
Quantization = Literal["none", "scalar", "binary"]
_LEAST_LINKS = 2


@dataclass(frozen=True)
class VectorSettings:
    """An engine that holds vectors, and how it looks for the nearest."""

    kind: EngineKind = "exact"
    m: int = 16
    """Links of a vector in the HNSW graph."""
    ef_construct: int = 100
    """Candidates looked at to find these links."""
    ef: int = 0
    """Candidates looked at for a query; 0: as many as `ef_construct`."""
    scan_below_kilobytes: int = 10_000
    """Smaller segments are scanned, without a graph."""
    quantization: Quantization = "none"
    """How vectors are kept small for the search; the best are scored again by the whole ones."""
    url: str = ""
    """Of a server."""
    grpc_port: int = 0
    """Of a server: search over gRPC; 0: over HTTP."""
    key_variable: str = ""
    """The environment variable with the server's key."""

    def __post_init__(self) -> None:
        """Refuse what no engine could be opened with."""
        for name, choices in (("kind", EngineKind), ("quantization", Quantization)):
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

    @property
    def is_exact(self) -> bool:
        """Whether every vector is looked at."""
        return self.kind == "exact"
