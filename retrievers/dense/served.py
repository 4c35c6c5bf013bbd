"""Vectors from a server with OpenAI's `/v1/embeddings` API, and its settings.

The server's tokenizer is not known here. Windows are counted in the WordPieces of the packaged
model; code has about a quarter more of them than of most models' tokens.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from retrievers.dense.encoder import EmbeddedQuery, Encoder
from retrievers.dense.reader import Reader, without_surrogates
from retrievers.dense.settings import EmbeddingModel
from retrievers.dense.weights import PACKAGED, locate
from retrievers.errors import ModelError, ServerError
from retrievers.interface import Floats, Integers
from retrievers.servers import JsonClient, Server, check_url, key_of

_LONGEST = 32_768
_SMALLEST_NORM = 1e-12


class ModelBehindServer:
    """Settings that all models behind servers have in common."""

    model: str
    revision: str
    url: str
    batch_size: int
    timeout_seconds: float
    tries: int
    requests_per_second: float
    key_variable: str

    def check_server(self) -> None:
        """Refuse settings with which no server can be used."""
        if self.batch_size < 1:
            raise ModelError(f"batch_size={self.batch_size}: send at least 1 text at once")
        try:
            check_url("url", self.url, has_key=bool(self.key_variable))
            _ = self.server
        except ServerError as error:
            raise ModelError(str(error)) from error

    @property
    def server(self) -> Server:
        """Connection settings of the server."""
        return Server(
            timeout_seconds=self.timeout_seconds,
            tries=self.tries,
            requests_per_second=self.requests_per_second,
            key_variable=self.key_variable,
        )

    @property
    def identity(self) -> str:
        """Name of the model on the server; raises if the key variable is not set."""
        try:
            key_of(self.key_variable)
        except ServerError as error:
            raise ModelError(str(error)) from error
        return f"server {self.model} revision:{self.revision}"


@dataclass(frozen=True)
class EmbeddingServer(ModelBehindServer, EmbeddingModel):
    """A model behind a server; `revision` is any text that identifies its state.

    Settings of the connection do not change vectors, so that they are not part of a fingerprint.
    """

    url: str = ""
    window: int = 512
    batch_size: int = field(default=32, compare=False, repr=False)
    timeout_seconds: float = field(default=60.0, compare=False, repr=False)
    tries: int = field(default=5, compare=False, repr=False)
    requests_per_second: float = field(default=0.0, compare=False, repr=False)
    key_variable: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse settings with which no server can be used."""
        super().__post_init__()
        if (
            self.trust_remote_code
            or self.dtype not in ("auto", "float32")
            or self.pooling != "model"
            or self.runtime != "torch"
        ):
            fields = "trust_remote_code, dtype, pooling and runtime"
            raise ModelError(f"{fields}: have no effect on a server; remove them")
        self.check_server()

    def resolved(self) -> "EmbeddingServer":
        """Return these settings: nothing in them depends on this machine."""
        return self


class ServedEncoder(Encoder):
    """Encoder by a server, which does not return vectors of tokens."""

    def __init__(self, settings: EmbeddingServer) -> None:
        self.settings: EmbeddingServer = settings
        self.reader = Reader(_ruler(), settings, longest=_LONGEST)
        try:
            self._client = JsonClient(settings.server)
        except ServerError as error:
            raise ModelError(str(error)) from error

    @cached_property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self.queries(["dimensions"]).shape[1])

    def passages_in_batches(self, texts: Sequence[str]) -> Iterator[tuple[Integers, Floats]]:
        """Yield the positions and vectors of one request at a time; texts are sorted by length."""
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        for start in range(0, len(order), self.settings.batch_size):
            places = order[start : start + self.settings.batch_size]
            asked = [self.settings.passage_prompt + texts[place] for place in places]
            yield np.array(places), self._finished(asked)

    def queries(self, texts: Sequence[str]) -> Floats:
        """Return the vectors of queries, one row each."""
        prompted = [self.settings.query_prompt + text for text in texts]
        size = self.settings.batch_size
        parts = [self._finished(prompted[at : at + size]) for at in range(0, len(prompted), size)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimensions), np.float32)

    def query(self, text: str) -> EmbeddedQuery:
        """Refuse: a server has no vectors of tokens."""
        raise ModelError(f"{self.settings.model}: a server does not return vectors of tokens")

    def query_tokens(self, text: str) -> Floats:
        """Refuse: a server has no vectors of tokens."""
        raise ModelError(f"{self.settings.model}: a server does not return vectors of tokens")

    def passage_tokens(self, texts: Sequence[str]) -> list[Floats]:
        """Refuse: a server has no vectors of tokens."""
        raise ModelError(f"{self.settings.model}: a server does not return vectors of tokens")

    def _finished(self, texts: Sequence[str]) -> Floats:
        """Return the vectors of one request, with the dimensions and length of the settings."""
        settings = self.settings
        asked = [without_surrogates(text) or " " for text in texts]  # servers refuse empty texts
        body = {"model": settings.model, "input": asked, "encoding_format": "float"}
        try:
            answer = self._client.post(settings.url, body)
        except ServerError as error:
            raise ModelError(str(error)) from error
        rows = _rows(answer, len(texts), settings.model)
        wanted = settings.dimensions or rows.shape[1]
        if rows.shape[1] < wanted:
            message = f"dimensions={wanted}: {settings.model} returns {rows.shape[1]} only"
            raise ModelError(message)
        kept = rows[:, :wanted]
        if not settings.normalise:
            return np.asarray(kept, np.float32)
        norms = np.linalg.norm(kept, axis=1, keepdims=True)
        if not len(rows) or norms.min() < _SMALLEST_NORM:
            raise ModelError(f"{settings.model}: the server returned a vector of zeros")
        return np.asarray(kept / norms, np.float32)


def _rows(answer: Any, count: int, model: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the vectors of a response in the order of the request."""
    try:
        by_place = {int(one["index"]): one["embedding"] for one in answer["data"]}
        rows = np.array([by_place[place] for place in range(count)], np.float64)
    except (KeyError, TypeError, ValueError) as error:
        message = f"{model}: the server's answer has no vector for each of {count} texts ({error})"
        raise ModelError(message) from error
    if rows.ndim != 2 or not rows.shape[1] or not np.isfinite(rows).all():  # noqa: PLR2004
        raise ModelError(
            f"{model}: the server returned vectors that are not rows of finite numbers"
        )
    return rows


@lru_cache(maxsize=1)
def _ruler() -> Any:
    """Return the tokenizer that counts tokens of windows."""
    from tokenizers import Tokenizer

    folder = locate(PACKAGED).folder
    return Tokenizer.from_file(str(folder / "tokenizer.json")) if folder else None
