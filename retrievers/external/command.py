"""An engine that is a program, run once per query or once for all queries.

Placeholders are filled in separate arguments, so a shell never reads a query.
"""

import json
from collections.abc import Mapping, Sequence

from retrievers.errors import ExternalError
from retrievers.external.answers import Answer, Asked, each, json_answers, read_answers
from retrievers.external.filling import filled, sayable
from retrievers.external.processes import Finished, run
from retrievers.external.settings import CommandEngine
from retrievers.external.tree import Scratch


class CommandClient:
    """Runs a command for queries."""

    def __init__(self, settings: CommandEngine, scratch: Scratch, repository: str) -> None:
        self._settings, self._scratch = settings, scratch
        self._values = {
            "root": scratch.root.as_posix(),
            "repository": repository,
            "limit": str(settings.depth),
        }

    def index(self) -> None:
        """Run the index command, if there is one."""
        if self._settings.index_command:
            command = filled(self._settings.index_command, self._values)
            limit = self._settings.index_timeout_seconds
            try:
                _checked(run(command, folder=self._scratch.work, seconds=limit))
            except ExternalError as error:
                raise ExternalError(f"index: {error}") from error

    def ask(self, queries: Sequence[str]) -> list[Asked]:
        """Return the outcome of each query."""
        return self._together(queries) if self._settings.batch else each(self._search, queries)

    def close(self) -> None:
        """Do nothing, since every run has ended."""

    def _search(self, query: str) -> tuple[Answer, ...]:
        settings = self._settings
        values = {**self._values, "query": sayable(query)}
        command = filled(settings.command, values)
        done = run(command, folder=self._scratch.work, seconds=settings.timeout_seconds)
        nothing = done.status == settings.no_hits_status and not done.output.strip()
        if nothing and not done.ended:
            return ()
        _checked(done)
        return read_answers(done.output, settings.answers, settings.answer)[: settings.depth]

    def _together(self, queries: Sequence[str]) -> list[Asked]:
        """Ask all queries in one run. Answers before a failure still count."""
        settings, command = self._settings, filled(self._settings.command, self._values)
        asked = [
            {"query_id": number, "query": query, "limit": settings.depth}
            for number, query in enumerate(queries)
        ]
        given = "".join(json.dumps(one) + "\n" for one in asked)
        limit = settings.timeout_seconds * max(1, len(queries))
        try:
            done = run(command, folder=self._scratch.work, seconds=limit, given=given)
        except ExternalError as error:
            return [Asked(error=str(error))] * len(queries)
        why = done.failure or "the batch has no answer to it"
        found = _by_query(done.output)
        return [self._of_batch(found.get(number), why) for number in range(len(queries))]

    def _of_batch(self, line: str | Mapping[str, object] | None, why: str) -> Asked:
        if line is None:
            return Asked(error=why)
        try:
            hits = json_answers(line, self._settings.answer)
        except ExternalError as error:
            return Asked(error=str(error))
        return Asked(hits[: self._settings.depth])


def _by_query(output: str) -> dict[int, Mapping[str, object]]:
    """Return the last answer to each query. Other lines are ignored."""
    found: dict[int, Mapping[str, object]] = {}
    for line in output.splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and type(value.get("query_id")) is int:
            found[value["query_id"]] = value
    return found


def _checked(done: Finished) -> None:
    if done.failure:
        raise ExternalError(done.failure)
