"""What a session remembers: what was shown, what was useful, and the words of those tasks.

It is state that somebody asked for and keeps; a retriever has none, and a benchmark gives none.
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
"""What a text may call a symbol; shorter names are in every text."""


@dataclass(frozen=True)
class SessionSettings:
    """How fast a session forgets."""

    half_life: float = 180.0
    """Seconds after which having been shown counts half."""
    most: float = 2.0
    """What showing something again and again counts at most."""
    least: float = 0.01
    """What counts less is nothing."""
    kept: int = 20
    """How many times of a symbol are remembered."""

    def __post_init__(self) -> None:
        """Refuse numbers that mean nothing."""
        check_numbers(self, 0.001, 1e9, names=("half_life", "most"))
        check_numbers(self, 0, 1, names=("least",))
        check_numbers(self, 1, 10_000, names=("kept",))


@dataclass(frozen=True)
class LastPack:
    """The symbols that were shown last, and the telling words of the task they were shown for."""

    words: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()


@dataclass
class Session:
    """When symbols were shown, how often they were found useful or not, and what that teaches."""

    settings: SessionSettings = field(default_factory=SessionSettings)
    shown: dict[str, list[float]] = field(default_factory=dict)
    """The seconds, on the clock of who asks, at which each symbol was shown."""
    judged: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    """For each symbol and text of its file: how often useful, how often not."""
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    last: LastPack = field(default_factory=LastPack)

    def show(self, names: Iterable[str], now: float, *, words: Iterable[str] = ()) -> None:
        """Remember that symbols were shown for a task of these words."""
        self.last = LastPack(tuple(words), tuple(names))
        for name in self.last.symbols:
            times = [*self.shown.get(name, []), now]
            self.shown[name] = times[-self.settings.kept :]

    def judge(self, name: str, digest: str, *, useful: bool) -> None:
        """Remember whether a symbol was of use while its file was what `digest` says."""
        counts = self.judged.setdefault(name, {}).setdefault(digest, [0, 0])
        counts[0 if useful else 1] += 1

    def learn(self, names: Iterable[str]) -> None:
        """Remember that symbols were used for the task that the last pack was for."""
        self.vocabulary = self.vocabulary.learn(self.last.words, names)

    def settle(self, text: str, digest_of: Callable[[str], str]) -> None:
        """Judge the last pack by its outcome, such as a diff.

        What the text names was useful and is learned; the rest was shown for nothing. Nothing is
        judged twice.
        """
        named = set(_NAME.findall(text))
        used = [name for name in self.last.symbols if name.rpartition(".")[2] in named]
        for name in self.last.symbols:
            self.judge(name, digest_of(name), useful=name in used)
        self.learn(used)
        self.last = LastPack()

    def boost(self, name: str, now: float) -> float:
        """Return how much a symbol was shown just now, from 0 to the most there is."""
        rate = log(2) / self.settings.half_life
        total = sum(exp(-rate * max(now - time, 0.0)) for time in self.shown.get(name, ()))
        return 0.0 if total < self.settings.least else min(total, self.settings.most)

    def usefulness(self, name: str, digest: str) -> float:
        """Return the share of judgements on this text that found it useful; a half of none."""
        useful, useless = self.judged.get(name, {}).get(digest, (0, 0))
        judged = useful + useless
        return useful / judged if judged else 0.5

    def facts(self, graph: CodeGraph, digests: Mapping[str, str], now: float) -> NodeFacts:
        """Return what the session knows of each node; `digests` are of the files, by path."""
        session, feedback = np.zeros(len(graph)), np.full(len(graph), 0.5)
        for node, name in enumerate(graph.names[: graph.symbol_count]):
            if name in self.shown:
                session[node] = self.boost(name, now) / self.settings.most
            if name in self.judged:
                feedback[node] = self.usefulness(name, digests.get(graph.path(node), ""))
        return NodeFacts(session=session, feedback=feedback)

    def as_json(self) -> dict[str, Any]:
        """Return what is remembered, as plain values."""
        return {
            "shown": self.shown,
            "judged": self.judged,
            "learned": self.vocabulary.counts,
            "last": {"words": self.last.words, "symbols": self.last.symbols},
        }

    @classmethod
    def of_json(cls, content: Any, settings: SessionSettings | None = None) -> "Session":
        """Return the session that `as_json` gave; raise `ValueError` if it is none."""
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
        except (TypeError, KeyError, AttributeError) as error:
            message = f"this is not a session ({error}); remove the file to begin a new one"
            raise ValueError(message) from error
        settings = settings or SessionSettings()
        return cls(settings, shown, judged, Vocabulary(learned), last)
