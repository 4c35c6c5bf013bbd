"""What an answerer is given and what it gives back."""

import re
from dataclasses import dataclass

_OPENING = re.compile(r"\[(?=#)")


@dataclass(frozen=True)
class Passage:
    """A hit as an answerer sees it; its number in citations is its place, from 1."""

    path: str
    start: int
    end: int
    text: str
    definitions: tuple[tuple[str, str], ...] = ()
    """Signature and documentation of what is defined there."""

    @property
    def place(self) -> str:
        """The place of the passage."""
        return f"{self.path}:{self.start}-{self.end}"


@dataclass(frozen=True)
class Reply:
    """An answer, a refusal, or the cause why there is neither."""

    text: str = ""
    refused: bool = False
    cause: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    milliseconds: float = 0.0


def quoted(text: str) -> str:
    """Return a text of the corpus in which nothing reads as a citation of ours."""
    return _OPENING.sub("[ ", text)
