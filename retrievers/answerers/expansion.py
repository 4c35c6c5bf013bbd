"""Query expansion: the prompts for a chat server, and the texts in its replies.

If the server writes fewer texts than requested, the question itself replaces the missing ones.
All questions therefore have the same number of texts.
"""

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from retrievers.answerers.settings import ChatServer
from retrievers.errors import AnswererError

Method = Literal["rewrite", "hyde", "several"]
RANK_CONSTANT = 60
"""The constant of reciprocal rank fusion, for the rankings of a question's texts."""
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
    """Settings of the expansion of questions, with the server that writes the texts."""

    method: Method
    server: ChatServer
    count: int = 1
    """Number of texts per question."""
    original: bool = False
    """Whether the question itself is also searched."""

    def __post_init__(self) -> None:
        """Raise an error for a number of texts out of range."""
        if not 1 <= self.count <= _MOST_TEXTS:
            raise AnswererError(f"count={self.count}: must be from 1 to {_MOST_TEXTS}")

    def prompt(self, question: str) -> str:
        """Return the prompt for a question."""
        task = _PROMPTS[self.method].replace("{count}", str(self.count))
        return f"{task}\n\nQuestion:\n{question}"

    def texts(self, reply: str, question: str) -> tuple[str, ...]:
        """Return exactly `count` texts of a reply."""
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
