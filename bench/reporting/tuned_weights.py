"""What chosen weights are worth, as sentences, plain JSON and a table of the whole curve."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from bench.analysis import Sampling, ScoreMatrix, TunedScore, tuned_score
from bench.files import write_table
from bench.reporting.words import plural, said_of_measure
from bench.study import StudyResult, WeightFamily

_FEWEST = 2
_SAID_OF_NUMBERS = {
    "all": " The numbers above include the queries that chose.",
    "tune": " The numbers above are of the queries that chose.",
    "report": "",
}


@dataclass(frozen=True)
class TunedWeights:
    """The weights that a trial chose among many, and how far its score can be believed."""

    trial: str
    half: str
    family: WeightFamily
    seed: int

    @cached_property
    def matrix(self) -> ScoreMatrix:
        """Every judged query under every weighting."""
        scores = self.family.scores
        owners = [name for name, table in scores.items() for _ in table]
        names = [override(row) for row in self.family.weightings]
        return ScoreMatrix.of(np.concatenate(list(scores.values())), owners, names)

    @cached_property
    def worth(self) -> TunedScore | None:
        """The score in sample and what to expect of it; not known from a single query."""
        if self.matrix.units < _FEWEST:
            return None
        return tuned_score(self.matrix, Sampling(self.seed))

    @property
    def score(self) -> float:
        """The macro mean of the chosen weights on the queries that chose."""
        return self._mean_of(self.family.chosen)

    def _mean_of(self, weights: Sequence[float]) -> float:
        return float(self.family.means[self._place(weights)])

    def _place(self, weights: Sequence[float]) -> int:
        return int(np.flatnonzero((self.family.weightings == weights).all(axis=1))[0])

    def __str__(self) -> str:
        family = self.family
        parts = zip(family.channels, family.chosen, strict=True)
        shown = ", ".join(f"{name} {weight:.4g}" for name, weight in parts)
        queries = plural(self.matrix.units, "query", "queries")
        said = str(self.worth) if self.worth else f"in-sample {self.score:.2f} on one query"
        return (
            f"Weights of {self.trial}: {shown} ({override(family.chosen)}), the best of"
            f" {len(family.weightings):,} on {queries} of the tune half;"
            f" {said_of_measure(family.objective)} {said}."
            f"{self._later}{_SAID_OF_NUMBERS[self.half]}"
        )

    @property
    def _later(self) -> str:
        steps = " and ".join(self.family.later)
        return f" Chosen on fused rankings, before {steps}." if steps else ""

    @property
    def as_json(self) -> dict[str, Any]:
        """The choice, what it is worth, each repository's own choice, and the whole curve."""
        family, worth = self.family, self.worth
        return {
            "objective": family.objective,
            "half": "tune",
            "queries": self.matrix.units,
            "steps": family.steps,
            "chosen_before": list(family.later),
            "channels": list(family.channels),
            "weightings": len(family.weightings),
            "chosen": dict(zip(family.channels, family.chosen, strict=True)),
            "override": override(family.chosen),
            "in_sample": worth.in_sample if worth else self.score,
            "expected_here": worth.expected_here if worth else None,
            "expected_on_a_new_repository": worth.expected_elsewhere if worth else None,
            "repositories": self._by_repository(),
            "curve": [
                {"weights": row.tolist(), "score": mean}
                for row, mean in zip(family.weightings, family.means.tolist(), strict=True)
            ],
        }

    def _by_repository(self) -> dict[str, dict[str, Any]]:
        """Return for each repository what it would choose, and what the others choose for it."""
        matrix, without = self.matrix, dict(self.worth.without if self.worth else ())
        chosen = self._place(self.family.chosen)
        found = {}
        for name, scores in zip(matrix.names, matrix.repository_means, strict=True):
            others = without.get(name)
            found[name] = {
                "queries": len(self.family.scores[name]),
                "score": float(scores[chosen]),
                "own_weights": matrix.trials[int(scores.argmax())],
                "own_score": float(scores.max()),
                "weights_without_it": others,
                "score_without_it": float(scores[matrix.place(others)]) if others else None,
            }
        return found


def override(weights: Sequence[float]) -> str:
    """Return weights as they are typed."""
    return f"weights=[{','.join(f'{weight:.6g}' for weight in weights)}]"


def tuned_weights(result: StudyResult, *, seed: int) -> dict[str, TunedWeights]:
    """Return the choices of weights in a study, by the names of their trials."""
    return {
        trial.name: TunedWeights(trial.name, result.half, trial.family, seed)
        for trial in result.trials
        if trial.family is not None
    }


def write_curves(results: Mapping[str, Any], folder: Path) -> None:
    """Write every weighting and its score as a table, for pandas, DuckDB and their like."""
    import pyarrow as pa

    rows = [row for report in results["reports"] for row in _rows(report)]
    if rows:
        write_table(folder / "weights.parquet", pa.Table.from_pylist(rows))


def _rows(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    tuning = report.get("tuning") or {"curve": []}
    for point in tuning["curve"]:
        weights = dict(zip(tuning["channels"], point["weights"], strict=True))
        yield {
            "trial": report["config"]["name"],
            **weights,
            tuning["objective"]: point["score"],
        }
