"""External engines, reached over HTTP, as a command, over MCP, or as a Python class.

An engine gets the checked-out tree as a folder and answers a query with places in it. Answers are
checked against the tree. A failure is an `ExternalError` with its reason. A failure of one query
does not affect other queries. This package knows nothing about stages, measures or judgements.
"""

from retrievers.external.answers import Answer, AnswerFields, Asked, read_answers
from retrievers.external.asking import ExternalEngine, open_engine
from retrievers.external.chunking import CommandChunker, ProgramChunker, PythonChunker
from retrievers.external.retriever import (
    ChunkLines,
    EngineAnswers,
    EngineConnection,
    EngineReplies,
    OpenEngine,
    OwnChunks,
    scored,
)
from retrievers.external.run_file import RunFile, known_places
from retrievers.external.settings import (
    CommandEngine,
    ExternalSettings,
    HttpEngine,
    LiveEngine,
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
    "CommandChunker",
    "CommandEngine",
    "EngineAnswers",
    "EngineConnection",
    "EngineReplies",
    "ExternalEngine",
    "ExternalSettings",
    "HttpEngine",
    "LiveEngine",
    "McpEngine",
    "OpenEngine",
    "OwnChunks",
    "Places",
    "ProgramChunker",
    "PythonChunker",
    "PythonEngine",
    "RunFile",
    "Scratch",
    "known_places",
    "laid_out",
    "open_engine",
    "read_answers",
    "scored",
]
