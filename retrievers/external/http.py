"""An engine behind HTTP. Queries and hits are JSON."""

from collections.abc import Sequence

from retrievers.errors import ExternalError, ServerError
from retrievers.external.answers import Answer, Asked, each, json_answers
from retrievers.external.settings import HttpEngine
from retrievers.external.tree import Scratch
from retrievers.servers import JsonClient


class HttpClient:
    """A client for the JSON protocol of external engines."""

    def __init__(self, settings: HttpEngine, scratch: Scratch, repository: str) -> None:
        self._settings = settings
        self._tree = {"root": scratch.root.as_posix(), "repository": repository}
        try:
            self._client = JsonClient(settings.server)
        except ServerError as error:
            raise ExternalError(str(error)) from error

    def index(self) -> None:
        """Announce the tree, and wait for the server to index it."""
        if not self._settings.index_url:
            return
        limit = self._settings.index_timeout_seconds
        try:
            self._client.post(self._settings.index_url, self._tree, seconds=limit)
        except ServerError as error:
            raise ExternalError(f"index: {error}") from error

    def ask(self, queries: Sequence[str]) -> list[Asked]:
        """Return the outcome of each query."""
        return each(self._search, queries)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _search(self, query: str) -> tuple[Answer, ...]:
        settings = self._settings
        body = {"query": query, "limit": settings.depth, **self._tree}
        try:
            found = self._client.post(settings.url, body)
        except ServerError as error:
            raise ExternalError(str(error)) from error
        return json_answers(found, settings.answer)[: settings.depth]
