"""Scores of pairs by a server with the protocol of Cohere and Jina, or of TEI."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from retrievers.dense.reader import without_surrogates
from retrievers.dense.served import ModelBehindServer
from retrievers.dense.settings import check_choice
from retrievers.errors import ModelError, ServerError
from retrievers.interface import Floats
from retrievers.rerankers.settings import check_place
from retrievers.servers import JsonClient

Shape = Literal["cohere", "tei"]


@dataclass(frozen=True)
class RerankServer(ModelBehindServer):
    """A reranking model behind a server. `revision` is the user's name of its state.

    `weight` is the weight of the reranker's score in `fuse`. From 1, only this score counts.
    """

    url: str
    model: str = ""
    revision: str = ""
    shape: Shape = "cohere"
    """`cohere` sends documents and reads relevance_score; Jina has the same. `tei` sends texts."""
    depth: int = 20
    weight: float = 1.0
    keep: int = 0
    """Number of hits that are kept after reranking; 0 keeps all."""
    batch_size: int = field(default=32, compare=False, repr=False)
    timeout_seconds: float = field(default=60.0, compare=False, repr=False)
    tries: int = field(default=5, compare=False, repr=False)
    requests_per_second: float = field(default=0.0, compare=False, repr=False)
    key_variable: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        """Raise an error for values that are not allowed."""
        check_place(self.depth, self.weight, self.keep)
        check_choice("shape", self.shape, get_args(Shape))
        self.check_server()


class ServedScorer:
    """Scores texts by a server."""

    def __init__(self, settings: RerankServer) -> None:
        self._settings = settings
        try:
            self._client = JsonClient(settings.server)
        except ServerError as error:
            raise ModelError(str(error)) from error

    def scores(self, query: str, texts: Sequence[str]) -> Floats:
        """Return a score for each text."""
        size = self._settings.batch_size
        parts = [self._batch(query, texts[at : at + size]) for at in range(0, len(texts), size)]
        return np.concatenate(parts) if parts else np.zeros(0, np.float32)

    def _batch(self, query: str, texts: Sequence[str]) -> Floats:
        settings = self._settings
        documents = [without_surrogates(text) or " " for text in texts]
        asked = without_surrogates(query) or " "
        body: dict[str, Any] = {"query": asked}
        if settings.shape == "tei":
            body |= {"texts": documents, "truncate": True}
        else:
            named = {"model": settings.model} if settings.model else {}
            body |= {**named, "documents": documents, "top_n": len(documents)}
        try:
            answer = self._client.post(settings.url, body)
        except ServerError as error:
            raise ModelError(str(error)) from error
        return _in_order(answer, len(texts), settings)


def _in_order(answer: Any, count: int, settings: RerankServer) -> Floats:
    """Return the scores of an answer in the order of the texts."""
    name = "score" if settings.shape == "tei" else "relevance_score"
    try:
        results = answer if settings.shape == "tei" else answer["results"]
        by_place = {int(one["index"]): float(one[name]) for one in results}
        found = [by_place[place] for place in range(count)]
    except (KeyError, TypeError, ValueError) as error:
        message = f"{settings.url}: the answer has no {name} for each of {count} texts ({error})"
        raise ModelError(message) from error
    if not all(map(math.isfinite, found)):
        raise ModelError(f"{settings.url}: a {name} is not a finite number")
    return np.array(found, np.float32)
