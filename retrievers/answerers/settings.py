"""The settings of answerers. Settings that do not change answers are not compared."""

import math
from dataclasses import dataclass, field

from retrievers.answerers.prompting import PROMPT, check_prompt
from retrievers.errors import AnswererError, ServerError
from retrievers.servers import Server, check_url, key_of

_MOST_BYTES = 10_000_000


@dataclass(frozen=True)
class Extractive:
    """Quotes the sentences and definitions of the first hits with most of the question's words."""

    hits: int = 5
    """Number of hits that are read."""
    pieces: int = 3
    """Maximum number of sentences or definitions in an answer."""
    threshold: float | None = None
    """The answer is a refusal if the first hit scores below this; None calibrates it."""
    most_false_refusals: float = 0.1
    """Maximum share of answerable queries that a calibrated threshold may refuse."""

    def __post_init__(self) -> None:
        """Raise an error for values out of range."""
        _at_least(1, hits=self.hits, pieces=self.pieces)
        if self.threshold is not None and not math.isfinite(self.threshold):
            raise AnswererError(f"threshold={self.threshold}: give a number")
        if not 0 <= self.most_false_refusals <= 1:
            raise AnswererError(f"most_false_refusals={self.most_false_refusals}: give 0 to 1")


@dataclass(frozen=True)
class ChatServer:
    """A model behind the chat interface of OpenAI, which many servers have."""

    url: str
    """The address before `/chat/completions`, such as http://127.0.0.1:8000/v1."""
    model: str
    prompt: str = PROMPT
    """The text of the template."""
    refusal: str = "I cannot answer that from these sources."
    """The answer of the model if the passages do not have the answer."""
    hits: int = 10
    context_tokens: int = 4000
    """Maximum o200k tokens of passages in a prompt. The first hit is always included."""
    answer_tokens: int = 500
    key_variable: str = field(default="", compare=False)
    """The environment variable with the key; blank for none."""
    timeout_seconds: float = field(default=60.0, compare=False)
    """Time-out of one attempt, from connecting to the last byte."""
    attempts: int = field(default=4, compare=False)
    longest_wait_seconds: float = field(default=30.0, compare=False)
    """Maximum pause between attempts. If the server asks for more, the question fails."""
    parallel: int = field(default=4, compare=False)
    prompt_price: float | None = field(default=None, compare=False)
    """Price per million tokens. Both prices have the same currency."""
    completion_price: float | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Raise an error for values that are not allowed, or that would reveal a key."""
        _at_least(
            1,
            hits=self.hits,
            context_tokens=self.context_tokens,
            answer_tokens=self.answer_tokens,
            attempts=self.attempts,
            parallel=self.parallel,
        )
        if not self.model:
            raise AnswererError("model: blank; give the name that the server has for it")
        if not self.refusal.strip():
            raise AnswererError("refusal: blank; give the sentence that refuses")
        check_prompt(self.prompt)
        if "?" in self.url:
            raise AnswererError("url: holds a query; name the key by key_variable")
        try:
            check_url("url", self.url, has_key=bool(self.key_variable))
            _ = self.server
        except ServerError as error:
            raise AnswererError(str(error)) from error

    @property
    def key(self) -> str:
        """The key from the environment; blank if none is needed."""
        try:
            return key_of(self.key_variable)
        except ServerError as error:
            raise AnswererError(str(error)) from error

    @property
    def server(self) -> Server:
        """The settings of requests."""
        return Server(
            timeout_seconds=self.timeout_seconds,
            tries=self.attempts,
            key_variable=self.key_variable,
            longest_wait_seconds=self.longest_wait_seconds,
            most_bytes=_MOST_BYTES,
        )

    def cost(self, prompt_tokens: float, completion_tokens: float) -> float | None:
        """Return the cost of an answer, or None if a price is unknown."""
        if self.prompt_price is None or self.completion_price is None:
            return None
        spent = prompt_tokens * self.prompt_price + completion_tokens * self.completion_price
        return spent / 1e6


def _at_least(low: int, **values: int) -> None:
    for name, value in values.items():
        if value < low:
            raise AnswererError(f"{name}={value}: give {low} or more")
