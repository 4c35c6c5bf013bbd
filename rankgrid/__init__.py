"""The public Python API: names that stay stable when modules of `bench` move.

A name is imported at its first use, because `import rankgrid` must not take seconds.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.errors import RankgridError
    from bench.queries import Query, Target, read_queries, write_queries
    from bench.results import read_results
    from bench.settings import TrialSettings

    __version__: str

__all__ = [
    "Query",
    "RankgridError",
    "Target",
    "TrialSettings",
    "__version__",
    "read_queries",
    "read_results",
    "write_queries",
]

_MODULES = {
    "Query": "bench.queries",
    "RankgridError": "bench.errors",
    "Target": "bench.queries",
    "TrialSettings": "bench.settings",
    "read_queries": "bench.queries",
    "read_results": "bench.results",
    "write_queries": "bench.queries",
}

if not TYPE_CHECKING:  # otherwise a type checker would accept any name

    def __getattr__(name: str) -> object:
        """Return a public name from its module."""
        if name == "__version__":
            from importlib.metadata import version

            return version("rankgrid")
        if name not in _MODULES:
            raise AttributeError(f"module 'rankgrid' has no attribute {name!r}")
        return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
