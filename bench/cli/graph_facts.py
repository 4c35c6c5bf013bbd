"""What a command knows of symbols beyond their source: traces, commits, and its own session.

All of it is asked for by a flag or a setting; without them a pack depends on the folder alone.
"""

import argparse
import json
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import numpy as np

from bench.corpora.change_days import changed_days
from bench.errors import UsageError
from retrievers.graph import CodeGraph, Graph, NodeFacts, Session, find_symbol
from retrievers.interface import Documents

_DAY = 86_400


@dataclass
class Facts:
    """What is known besides the source, and the session it goes back into."""

    of_nodes: NodeFacts
    session: Session | None
    place: Path

    def keep(self, shown: Iterable[str]) -> None:
        """Write the session with what was shown now, whole or not at all."""
        if self.session is None:
            return
        self.session.show(shown, time.time())
        draft = self.place.with_name(f"{self.place.name}.{os.getpid()}.draft")
        draft.write_text(json.dumps(self.session.as_json(), sort_keys=True), encoding="utf-8")
        draft.replace(self.place)


def wants_facts(found: argparse.Namespace, settings: Graph) -> bool:
    """Say whether the answer depends on more than the folder's files."""
    asked = (found.observations, found.session, found.useful, found.useless)
    return any(asked) or bool(settings.scoring.commit_recency)


def gathered(
    found: argparse.Namespace, settings: Graph, graph: CodeGraph, documents: Documents
) -> Facts:
    """Return what the flags and settings ask to be known."""
    if (found.useful or found.useless) and not found.session:
        raise UsageError("--useful and --useless: belong to a session; add --session FILE")
    facts, session, place = NodeFacts(), None, Path(found.session)
    if found.session:
        session = _session(place)
        digests = _digests(documents)
        _judge(session, graph, digests, found)
        facts = session.facts(graph, digests, time.time())
    if found.observations:
        facts = replace(facts, seen_days=_seen_days(Path(found.observations), graph))
    if settings.scoring.commit_recency:
        by_path = changed_days(Path(found.folder))
        days = np.array([by_path.get(path, np.nan) for path in graph.files] + [np.nan])
        facts = replace(facts, changed_days=days[graph.document])
    return Facts(facts, session, place)


def _session(place: Path) -> Session:
    try:
        return Session.of_json(json.loads(place.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return Session()
    except (OSError, ValueError) as error:
        raise UsageError(f"--session {place}: {error}") from error


def _judge(
    session: Session, graph: CodeGraph, digests: dict[str, str], found: argparse.Namespace
) -> None:
    for flag in ("useful", "useless"):
        for name in getattr(found, flag):
            node = find_symbol(graph, name)
            digest = digests[graph.path(node)]
            session.judge(graph.names[node], digest, useful=flag == "useful")


def _digests(documents: Documents) -> dict[str, str]:
    texts = (documents.text(place) for place in range(len(documents)))
    hashes = (sha256(text.encode("utf-8", "surrogatepass")).hexdigest() for text in texts)
    return dict(zip(documents.paths, hashes, strict=True))


def _seen_days(place: Path, graph: CodeGraph) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Return the days from each symbol's last observation to the last of all."""
    seen: dict[str, float] = {}
    try:
        lines = place.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise UsageError(f"--observations {place}: cannot be read ({error})") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            name, when = _observation(line, f"--observations {place}: line {number}")
            seen[name] = max(when, seen.get(name, when))
    latest = max(seen.values(), default=0.0)
    days = {name: (latest - when) / _DAY for name, when in seen.items()}
    return np.array([days.get(name, np.nan) for name in graph.names])


def _observation(line: str, where: str) -> tuple[str, float]:
    try:
        held = json.loads(line)
        return str(held["symbol"]), datetime.fromisoformat(held["seen"]).timestamp()
    except (ValueError, TypeError, KeyError) as error:
        message = f'{where}: is not {{"symbol": NAME, "seen": "2026-01-31T12:00:00+00:00"}}'
        raise UsageError(message) from error
