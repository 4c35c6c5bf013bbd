"""Query expansion: what a chat server is asked to make of a question, and the texts that it makes.

A text that is missing, because the server wrote fewer lines than it was asked for, is the question
itself: so every question has as many texts.
"""

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from retrievers.answerers.settings import ChatServer
from retrievers.errors import AnswererError

Method = Literal["rewrite", "hyde", "several"]
RANK_CONSTANT = 60
"""Of the reciprocal ranks that the rankings of a question's texts are fused by."""
_MOST_TEXTS = 10
_KEEP = "Keep the names of code, paths and error messages exactly as they are."
_PROMPTS = MappingProxyType(
    {
        "rewrite": "Rewrite the question below as one query for a search engine over source code "
        f"and documentation. {_KEEP} Write the query alone, on one line.",
        "hyde": "Write a short passage of source code or documentation, of at most 150 words, "
        f"that would answer the question below. {_KEEP} Write the passage alone.",
        "several": "Write {count} different queries for a search engine over source code and "
        f"documentation that together find what answers the question below. {_KEEP} "
        "Write one query per line and nothing else.",
    }
)
_NUMBERING = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.)])\s+")
_FENCE = re.compile(r"^\s*```.*$", re.MULTILINE)
_QUOTES = "\"'`"


@dataclass(frozen=True)
class Expansion:
    """How a question is expanded before it is searched with, and by which server."""

    method: Method
    server: ChatServer
    count: int = 1
    """The texts that the server writes for a question."""
    original: bool = False
    """Whether the question itself is searched with as well."""

    def __post_init__(self) -> None:
        """Refuse a number of texts that no server could write well."""
        if not 1 <= self.count <= _MOST_TEXTS:
            raise AnswererError(f"count={self.count}: must be from 1 to {_MOST_TEXTS}")

    def prompt(self, question: str) -> str:
        """Return what the server is asked."""
        task = _PROMPTS[self.method].replace("{count}", str(self.count))
        return f"{task}\n\nQuestion:\n{question}"

    def texts(self, reply: str, question: str) -> tuple[str, ...]:
        """Return the texts of a reply, `count` of them."""
        plain = _FENCE.sub("", reply).strip()
        if self.method == "hyde":
            found = [plain]
        else:
            lines = (
                _NUMBERING.sub("", line).strip().strip(_QUOTES) for line in plain.splitlines()
            )
            found = list(dict.fromkeys(line for line in lines if line.strip()))[: self.count]
        kept = [text for text in found if text.strip()]
        return (*kept, *[question] * (self.count - len(kept)))
