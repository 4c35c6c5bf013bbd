"""Session data about symbols: which were shown, and which were useful.

A flag enables a session. Without it, an answer depends only on the folder and the settings.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from bench.cli.folder_graph import FolderGraph
from bench.errors import UsageError
from bench.files import read_json, write_whole
from retrievers.graph import CodeGraph, Graph, NodeFacts, Session, find_symbol
from retrievers.graph.seeding import Vocabulary, telling_words
from retrievers.interface import Documents


@dataclass
class Facts:
    """Facts about symbols from a session, with the session and its file."""

    of_nodes: NodeFacts = field(default_factory=NodeFacts)
    session: Session | None = None
    place: Path = Path()

    @property
    def vocabulary(self) -> Vocabulary | None:
        """Vocabulary that the session has learned, or None."""
        return self.session.vocabulary if self.session else None

    def keep(self, shown: Iterable[str], task: str, settings: Graph) -> None:
        """Write the session with the symbols that were shown now, in an atomic write."""
        if self.session is None:
            return
        self.session.show(shown, time.time(), words=telling_words(task, settings.seeding))
        write_whole(self.place, json.dumps(self.session.as_json(), sort_keys=True))


def gathered(found: argparse.Namespace, folder: FolderGraph) -> Facts:
    """Return the session's facts after applying the feedback in the flags."""
    if not found.session:
        if found.useful or found.useless or found.used:
            message = "--useful, --useless and --used: belong to a session; add --session FILE"
            raise UsageError(message)
        return Facts()
    graph, digests = folder.graph, _digests(folder.documents)
    place = Path(found.session)
    session = _session(place)
    _judge(session, graph, digests, found)
    return Facts(session.facts(graph, digests, time.time()), session, place)


def text_of(place: str, *, flag: str) -> str:
    """Return the text of a file that a flag names; `-` reads standard input."""
    if place == "-":
        return sys.stdin.read()
    try:
        return Path(place).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        message = f"{flag} {place}: cannot be read ({error.strerror}); give a file or -"
        raise UsageError(message) from error


def _session(place: Path) -> Session:
    try:
        return Session.of_json(read_json(place, UsageError)) if place.exists() else Session()
    except ValueError as error:
        raise UsageError(f"--session {place}: {error}") from error


def _judge(
    session: Session, graph: CodeGraph, digests: dict[str, str], found: argparse.Namespace
) -> None:
    for flag in ("useful", "useless"):
        for asked in getattr(found, flag):
            node = find_symbol(graph, asked)
            name, digest = graph.names[node], digests[graph.path(node)]
            session.judge(name, digest, useful=flag == "useful")
            if flag == "useful":
                session.learn([name])
    if found.used:
        names = graph.names[: graph.symbol_count]
        of_symbols = {name: digests[graph.path(node)] for node, name in enumerate(names)}
        text = text_of(found.used, flag="--used")
        session.settle(text, lambda name: of_symbols.get(name, ""))


def _digests(documents: Documents) -> dict[str, str]:
    texts = (documents.text(place) for place in range(len(documents)))
    hashes = (sha256(text.encode("utf-8", "surrogatepass")).hexdigest() for text in texts)
    return dict(zip(documents.paths, hashes, strict=True))
