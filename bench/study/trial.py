"""A trial: one configuration as stages, from sources to scores."""

import os
import platform
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from bench.engine import Stage
from bench.measures import measure_of_ranks
from bench.settings import TrialSettings
from bench.stages import Ask, CalibrateRefusal, ChooseWeights, MeasureLatency, Weighing
from bench.study.calibration import calibration
from bench.study.corpus import Corpus
from bench.study.repository_trial import Judged, RepositoryTrial
from retrievers.interface import Chunks


@dataclass(frozen=True)
class Trial:
    """A configuration with its stages on every repository."""

    name: str
    settings: TrialSettings
    judged: tuple[Judged, ...]
    latency: MeasureLatency | None
    chosen: ChooseWeights | None = None
    """Stage that chooses the weights, or None if they are given."""
    calibration: CalibrateRefusal | None = None
    """Stage that chooses the refusal threshold, or None."""
    cuts: tuple[Stage[Chunks], ...] = ()
    """Chunking stages of all repositories; empty without a chunker."""

    @classmethod
    def of(
        cls,
        name: str,
        settings: TrialSettings,
        corpus: Corpus,
        *,
        latency: str,
        objective: str = "ndcg_at_10",
    ) -> "Trial":
        """Return the trial of `settings` on every repository of `corpus`.

        `latency` is "off", "reuse", or the name of the study that wants its own samples.
        `objective` is the measure that weights are chosen by.
        """
        retrieval = settings.retrieval
        # Bounds and imported runs cannot be served, so they have no latency.
        unserved = latency == "off" or retrieval.is_bound or retrieval.is_imported
        chosen = _chosen_weights(settings, corpus, objective)
        trials, tuning = (
            [
                RepositoryTrial(settings, repository, chosen, corpus.level)
                for repository in repositories
            ]
            for repositories in (corpus.repositories, corpus.choosing)
        )
        threshold = calibration(settings, tuning)
        return cls(
            name=name,
            settings=settings,
            judged=tuple(
                replace(trial.judged, replies=trial.replies(threshold)) for trial in trials
            ),
            calibration=threshold,
            latency=None if unserved else _latency(settings, trials, latency),
            chosen=chosen,
            cuts=tuple(one.chunks for one in (*trials, *tuning) if settings.chunker is not None),
        )

    @property
    def is_bound(self) -> bool:
        """True for a floor or ceiling, which is only compared with and cannot be shipped."""
        return self.settings.retrieval.is_bound

    @property
    def goals(self) -> tuple[Stage[Any], ...]:
        """Stages whose results are part of the trial's result."""
        ends: list[Stage[Any]] = [
            stage for end in self.judged for stage in (end.scores, end.hits, end.chunks)
        ]
        ends += [end.replies for end in self.judged if end.replies]
        choice = [self.chosen, *self.chosen.scored] if self.chosen else []
        more = [stage for stage in (self.calibration, self.latency) if stage]
        sources = [stage for end in self.judged for stage in end.sources]
        return (*ends, *choice, *more, *sources)

    @cached_property
    def fingerprint(self) -> str:
        """Identity of the trial's quality: trials with equal fingerprints have equal scores."""
        replies = (end.replies.fingerprint for end in self.judged if end.replies)
        whole = "".join([*(end.scores.quality for end in self.judged), *replies])
        return sha256(whole.encode()).hexdigest()


def _chosen_weights(
    settings: TrialSettings, corpus: Corpus, objective: str
) -> ChooseWeights | None:
    """Return the stage that chooses one weighting for all repositories, or None without a grid."""
    fusion = settings.retrieval.fusion
    if fusion is None or fusion.steps is None:
        return None
    weighing = Weighing(
        recipe=fusion.weights,
        steps=fusion.steps,
        objective=measure_of_ranks(objective).column,
        level=corpus.level,
        limit=settings.limit,
        normalisation=fusion.normalisation,
        rank_constant=fusion.rank_constant,
        symbol_credit=settings.symbol_credit,
    )
    trials = [
        RepositoryTrial(settings, repository, level=corpus.level) for repository in corpus.choosing
    ]
    scored = tuple(trial.scored_weights(weighing) for trial in trials)
    return ChooseWeights(scored, tuple(one.name for one in corpus.choosing), weighing)


def _latency(
    settings: TrialSettings, trials: list[RepositoryTrial], latency: str
) -> MeasureLatency:
    """Return the stage that times a configuration, with the first commit of each repository."""
    served = {trial.repository.name: trial.served for trial in reversed(trials)}
    asked = {
        name: Ask(
            tuple(
                text
                for trial in trials
                if trial.repository.name == name
                for text in trial.repository.questions.texts
            ),
            repository=name,
        )
        for name in dict.fromkeys(trial.repository.name for trial in trials)
    }
    return MeasureLatency(
        questions=tuple(asked.values()),
        served=tuple(served[name] for name in asked),
        engine=settings.vectors.kind if settings.embedder and settings.vectors else "none",
        machine=machine(),
        limit=settings.limit,
        is_own=not settings.waits_for_servers,
        fresh="" if latency == "reuse" else latency,
    )


def machine() -> str:
    """Return a description of this machine's processor and system."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:  # noqa: PTH123
            model = next(line for line in lines if line.startswith("model name")).split(":")[1]
    except (OSError, StopIteration):
        pass
    return f"{model.strip()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"
