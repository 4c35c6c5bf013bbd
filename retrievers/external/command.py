"""An engine that is a program: run for each query, or once for all of them.

Placeholders are put into single arguments of a list; no shell ever reads a query.
"""

import json
import re
from collections.abc import Mapping, Sequence

from retrievers.external.answers import (
    Answer,
    Asked,
    ExternalError,
    each,
    json_answers,
    read_answers,
)
from retrievers.external.processes import Finished, run
from retrievers.external.settings import CommandEngine
from retrievers.external.tree import Scratch

_PLACEHOLDER = re.compile(r"\{(query|limit|root|repository)\}")
_SHOWN = 120


class CommandClient:
    """Runs a command for what is asked."""

    def __init__(self, settings: CommandEngine, scratch: Scratch, repository: str) -> None:
        self._settings, self._scratch = settings, scratch
        self._values = {
            "root": scratch.root.as_posix(),
            "repository": repository,
            "limit": str(settings.depth),
        }

    def index(self) -> None:
        """Let the index command see the tree."""
        if self._settings.index_command:
            command = filled(self._settings.index_command, self._values)
            limit = self._settings.index_timeout_seconds
            try:
                _checked(run(command, folder=self._scratch.work, seconds=limit), command)
            except ExternalError as error:
                raise ExternalError(f"index: {error}") from error

    def ask(self, queries: Sequence[str]) -> list[Asked]:
        """Return what came of each query."""
        return self._together(queries) if self._settings.batch else each(self._search, queries)

    def close(self) -> None:
        """Hold nothing: every run has ended."""

    def _search(self, query: str) -> tuple[Answer, ...]:
        settings = self._settings
        values = {**self._values, "query": _as_argument(query)}
        command = filled(settings.command, values)
        done = run(command, folder=self._scratch.work, seconds=settings.timeout_seconds)
        if done.status == settings.no_hits_status and not done.output.strip():
            return ()
        _checked(done, command)
        return read_answers(done.output, settings.answers, settings.answer)[: settings.depth]

    def _together(self, queries: Sequence[str]) -> list[Asked]:
        """Ask all queries of one run; what it said before it failed still counts."""
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
            return [Asked(error=str(error)) for _ in queries]
        why = _why(done, command) or "the batch has no answer to it"
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


def _as_argument(query: str) -> str:
    """Return a query without what no argument of a program can hold."""
    return query.replace("\0", " ").encode("utf-8", "replace").decode()


def filled(command: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """Return the arguments with the values in place of their names, each put in once."""
    return [
        _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), part) for part in command
    ]


def _by_query(output: str) -> dict[int, Mapping[str, object]]:
    """Return the last answer to each query; lines that are none are nobody's answer."""
    found: dict[int, Mapping[str, object]] = {}
    for line in output.splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and type(value.get("query_id")) is int:
            found[value["query_id"]] = value
    return found


def _checked(done: Finished, command: Sequence[str]) -> None:
    why = _why(done, command)
    if why:
        raise ExternalError(why)


def _why(done: Finished, command: Sequence[str]) -> str:
    """Return why a run does not count, if it ended with another status than 0."""
    if done.status == 0:
        return ""
    how = f"signal {-done.status}" if done.status < 0 else f"status {done.status}"
    said = f": {done.said}" if done.said else ""
    return f"{command[0][:_SHOWN]}: ended with {how}{said}"
