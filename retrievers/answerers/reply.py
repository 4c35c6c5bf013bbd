"""The input and the output of an answerer."""

import re
from dataclasses import dataclass

_OPENING = re.compile(r"\[(?=#)")


@dataclass(frozen=True)
class Passage:
    """A hit as input of an answerer. Citations use its rank, from 1."""

    path: str
    start: int
    end: int
    text: str
    definitions: tuple[tuple[str, str], ...] = ()
    """Signature and documentation of each definition in the passage."""

    @property
    def place(self) -> str:
        """The path and the lines of the passage."""
        return f"{self.path}:{self.start}-{self.end}"


@dataclass(frozen=True)
class Reply:
    """An answer, a refusal, or the cause of a failure."""

    text: str = ""
    refused: bool = False
    cause: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    milliseconds: float = 0.0


def quoted(text: str) -> str:
    """Return a text of the corpus with `[#` changed, so that it has no citations."""
    return _OPENING.sub("[ ", text)
