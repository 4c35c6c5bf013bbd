"""All retrievers by the names that users type. A new retriever needs a module and a row here.

A retriever is a frozen dataclass. Its fields are its settings, with their defaults;
conf/retriever/NAME.yaml describes them. A field named `embedder` or `vectors` receives the model
or the vector engine of the whole trial.
"""

from collections.abc import Mapping
from types import MappingProxyType

from retrievers.dense import Dense
from retrievers.external import CommandEngine, HttpEngine, McpEngine, PythonEngine, RunFile
from retrievers.graph import Graph
from retrievers.interface import Retriever
from retrievers.late import LateSearch
from retrievers.lexical import BM25, Fields, Grep, Names

RETRIEVERS: Mapping[str, type[Retriever]] = MappingProxyType(
    {
        "bm25": BM25,
        "dense": Dense,
        "late": LateSearch,
        "fields": Fields,
        "grep": Grep,
        "exact": Names,
        "tiered": Names,
        "graph": Graph,
        "http": HttpEngine,
        "command": CommandEngine,
        "mcp": McpEngine,
        "python": PythonEngine,
        "run": RunFile,
    }
)
