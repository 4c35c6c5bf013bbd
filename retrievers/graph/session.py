"""The state of a session: shown symbols, judgements of them, and the words of their tasks.

The caller asks for a session and keeps it. A retriever has no state, and a benchmark never uses
a session.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import exp, log
from typing import Any

import numpy as np

from retrievers.graph.model import CodeGraph
from retrievers.graph.ranking import NodeFacts
from retrievers.graph.seeding import Vocabulary
from retrievers.graph.weights import check_numbers

_NAME = re.compile(r"\w{3,}")
"""A possible name of a symbol. Shorter names occur in every text."""


@dataclass(frozen=True)
class SessionSettings:
    """The limits of a session's memory."""

    half_life: float = 180.0
    """Seconds after which a shown symbol counts half."""
    most: float = 2.0
    """Maximum value of a symbol that is shown repeatedly."""
    least: float = 0.01
    """Minimum value: lower ones count as 0."""
    kept: int = 20
    """Maximum number of stored times per symbol."""

    def __post_init__(self) -> None:
        """Raise an error for numbers out of range."""
        check_numbers(self, 0.001, 1e9, names=("half_life", "most"))
        check_numbers(self, 0, 1, names=("least",))
        check_numbers(self, 1, 10_000, names=("kept",))


@dataclass(frozen=True)
class LastPack:
    """The symbols of the last pack, and the words of its task that a vocabulary stores."""

    words: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()


@dataclass
class Session:
    """The times at which symbols were shown, their judgements, and the learned vocabulary."""

    settings: SessionSettings = field(default_factory=SessionSettings)
    shown: dict[str, list[float]] = field(default_factory=dict)
    """The times at which each symbol was shown, in seconds of the caller's clock."""
    judged: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    """For each symbol and digest of its file: the numbers of useful and useless judgements."""
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    last: LastPack = field(default_factory=LastPack)

    def show(self, names: Iterable[str], now: float, *, words: Iterable[str] = ()) -> None:
        """Record that symbols were shown for a task with these words."""
        self.last = LastPack(tuple(words), tuple(names))
        for name in self.last.symbols:
            times = [*self.shown.get(name, []), now]
            self.shown[name] = times[-self.settings.kept :]

    def judge(self, name: str, digest: str, *, useful: bool) -> None:
        """Record whether a symbol was useful while its file had this digest."""
        counts = self.judged.setdefault(name, {}).setdefault(digest, [0, 0])
        counts[0 if useful else 1] += 1

    def learn(self, names: Iterable[str]) -> None:
        """Record that symbols were used for the task of the last pack."""
        self.vocabulary = self.vocabulary.learn(self.last.words, names)

    def settle(self, text: str, digest_of: Callable[[str], str]) -> None:
        """Judge the last pack by its outcome, such as a diff.

        Symbols named in the text are judged useful and learned, the others useless. A pack is
        judged only once.
        """
        named = set(_NAME.findall(text))
        used = [name for name in self.last.symbols if name.rpartition(".")[2] in named]
        for name in self.last.symbols:
            self.judge(name, digest_of(name), useful=name in used)
        self.learn(used)
        self.last = LastPack()

    def boost(self, name: str, now: float) -> float:
        """Return how much a symbol was shown recently, from 0 to `most`."""
        rate = log(2) / self.settings.half_life
        total = sum(exp(-rate * max(now - time, 0.0)) for time in self.shown.get(name, ()))
        return 0.0 if total < self.settings.least else min(total, self.settings.most)

    def usefulness(self, name: str, digest: str) -> float:
        """Return the share of useful judgements for this digest; 0.5 without judgements."""
        useful, useless = self.judged.get(name, {}).get(digest, (0, 0))
        judged = useful + useless
        return useful / judged if judged else 0.5

    def facts(self, graph: CodeGraph, digests: Mapping[str, str], now: float) -> NodeFacts:
        """Return facts about each node of the graph. `digests` has the digest of each path."""
        session, feedback = np.zeros(len(graph)), np.full(len(graph), 0.5)
        for node, name in enumerate(graph.names[: graph.symbol_count]):
            if name in self.shown:
                session[node] = self.boost(name, now) / self.settings.most
            if name in self.judged:
                feedback[node] = self.usefulness(name, digests.get(graph.path(node), ""))
        return NodeFacts(session=session, feedback=feedback)

    def as_json(self) -> dict[str, Any]:
        """Return the state as plain values."""
        return {
            "shown": self.shown,
            "judged": self.judged,
            "learned": self.vocabulary.counts,
            "last": {"words": self.last.words, "symbols": self.last.symbols},
        }

    @classmethod
    def of_json(cls, content: Any, settings: SessionSettings | None = None) -> "Session":
        """Return a session from the result of `as_json`. Raise `ValueError` for other content."""
        try:
            shown = {str(name): [float(t) for t in own] for name, own in content["shown"].items()}
            judged = {
                str(name): {str(key): [int(up), int(down)] for key, (up, down) in own.items()}
                for name, own in content["judged"].items()
            }
            learned = {
                str(word): {str(name): int(count) for name, count in own.items()}
                for word, own in content["learned"].items()
            }
            words, symbols = content["last"]["words"], content["last"]["symbols"]
            last = LastPack(tuple(map(str, words)), tuple(map(str, symbols)))
        except (TypeError, KeyError, AttributeError, ValueError) as error:
            message = f"this is not a session ({error}); remove the file to begin a new one"
            raise ValueError(message) from error
        settings = settings or SessionSettings()
        return cls(settings, shown, judged, Vocabulary(learned), last)
