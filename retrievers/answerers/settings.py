"""The settings of an answerer; those that change no answer are not part of its identity."""

import math
from dataclasses import dataclass, field

from retrievers.answerers.prompting import PROMPT, check_prompt
from retrievers.errors import AnswererError, ServerError
from retrievers.servers import Server, check_url, key_of

_MOST_BYTES = 10_000_000


@dataclass(frozen=True)
class Extractive:
    """Quote the sentences and definitions of the first hits that say most of the question."""

    hits: int = 5
    """How many hits are read."""
    pieces: int = 3
    """How many sentences or definitions make an answer."""
    threshold: float | None = None
    """The score of the first hit below which the answer is refused; None: calibrated."""
    most_false_refusals: float = 0.1
    """The share of answerable queries that calibrating may refuse."""

    def __post_init__(self) -> None:
        """Refuse what cannot be done."""
        _at_least(1, hits=self.hits, pieces=self.pieces)
        if self.threshold is not None and not math.isfinite(self.threshold):
            raise AnswererError(f"threshold={self.threshold}: give a number")
        if not 0 <= self.most_false_refusals <= 1:
            raise AnswererError(f"most_false_refusals={self.most_false_refusals}: give 0 to 1")


@dataclass(frozen=True)
class ChatServer:
    """Ask a model behind the chat interface that OpenAI defined and many servers speak."""

    url: str
    """Where `/chat/completions` is, such as http://127.0.0.1:8000/v1."""
    model: str
    prompt: str = PROMPT
    """The text of the template."""
    refusal: str = "I cannot answer that from these sources."
    """What the model is to say where the passages hold no answer."""
    hits: int = 10
    context_tokens: int = 4000
    """The most o200k tokens of passages in a prompt; the first hit is there in any case."""
    answer_tokens: int = 500
    key_variable: str = field(default="", compare=False)
    """The environment variable that holds the key, or nothing."""
    timeout_seconds: float = field(default=60.0, compare=False)
    """For one attempt, from connecting to the last byte."""
    attempts: int = field(default=4, compare=False)
    longest_wait_seconds: float = field(default=30.0, compare=False)
    """The longest pause between attempts, also where the server asks for more."""
    parallel: int = field(default=4, compare=False)
    prompt_price: float | None = field(default=None, compare=False)
    """Of a million tokens; in any currency, as is that of completions."""
    completion_price: float | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Refuse what cannot be asked, or would give a key away."""
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
        """The key, which is in the environment only; blank where none is needed."""
        try:
            return key_of(self.key_variable)
        except ServerError as error:
            raise AnswererError(str(error)) from error

    @property
    def server(self) -> Server:
        """How the server is asked."""
        return Server(
            timeout_seconds=self.timeout_seconds,
            tries=self.attempts,
            key_variable=self.key_variable,
            longest_wait_seconds=self.longest_wait_seconds,
            most_bytes=_MOST_BYTES,
        )

    def cost(self, prompt_tokens: float, completion_tokens: float) -> float | None:
        """Return what an answer cost, if the prices are known."""
        if self.prompt_price is None or self.completion_price is None:
            return None
        spent = prompt_tokens * self.prompt_price + completion_tokens * self.completion_price
        return spent / 1e6


def _at_least(low: int, **values: int) -> None:
    for name, value in values.items():
        if value < low:
            raise AnswererError(f"{name}={value}: give {low} or more")
