"""External engines: asked over HTTP, as a command, over MCP, or as a Python class.

An engine is given the checked-out tree as a folder and answers a query with places in it. What
it answers is checked against the tree; whatever goes wrong is an `ExternalError` with its reason,
for the query it happened to. Nothing here knows of stages, scores or judgements.
"""

from retrievers.external.answers import Answer, AnswerFields, Asked, read_answers
from retrievers.external.asking import ExternalEngine, open_engine
from retrievers.external.retriever import (
    ChunkLines,
    EngineAnswers,
    EngineConnection,
    EngineReplies,
    OpenEngine,
    OwnChunks,
)
from retrievers.external.settings import (
    CommandEngine,
    ExternalSettings,
    HttpEngine,
    McpEngine,
    PythonEngine,
)
from retrievers.external.spans import Places
from retrievers.external.tree import Scratch, laid_out

__all__ = [
    "Answer",
    "AnswerFields",
    "Asked",
    "ChunkLines",
    "CommandEngine",
    "EngineAnswers",
    "EngineConnection",
    "EngineReplies",
    "ExternalEngine",
    "ExternalSettings",
    "HttpEngine",
    "McpEngine",
    "OpenEngine",
    "OwnChunks",
    "Places",
    "PythonEngine",
    "Scratch",
    "laid_out",
    "open_engine",
    "read_answers",
]
