"""Seeded draws in chunks: Gaussian multipliers, resamples within repositories, sign flips.

Repeated questions see the same draws, so that their answers are consistent. Chunks bound the
memory: an array of draws x trials is never kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.analysis.matrix import Counts, Values
from bench.errors import UsageError

Draws = np.ndarray[Any, np.dtype[np.float32]]
_MULTIPLIERS, _RESAMPLES, _SIGNS, _FOLDS = range(4)


@dataclass(frozen=True)
class Sampling:
    """Number of draws, their seed, and the number of draws per chunk."""

    seed: int
    draws: int = 10_000
    chunk: int = 500

    def __post_init__(self) -> None:
        if self.draws < self.chunk or self.chunk < 1:
            raise UsageError(
                f"sampling: {self.draws} draws in chunks of {self.chunk};"
                " ask for at least one whole chunk"
            )

    def multiplied(self, columns: Values) -> Iterator[Draws]:
        """Yield the sum of each column with every row multiplied by its own normal draw."""
        generator = self._generator(_MULTIPLIERS)
        narrow = columns.astype(np.float32)
        for size in self._sizes():
            yield generator.standard_normal((size, len(columns)), np.float32) @ narrow

    def resampled(self, starts: Counts, counts: Counts) -> Iterator[Draws]:
        """Yield the number of times each row is drawn in resamples within repositories."""
        generator = self._generator(_RESAMPLES)
        rows = int(counts.sum())
        for size in self._sizes():
            offsets = np.arange(size, dtype=np.int64)[:, None] * rows
            drawn = [
                generator.integers(start, start + count, (size, count)) + offsets
                for start, count in zip(starts.tolist(), counts.tolist(), strict=True)
            ]
            flat = np.concatenate(drawn, axis=1).ravel()
            times = np.bincount(flat, minlength=size * rows)
            yield times.reshape(size, rows).astype(np.float32)

    def flipped(self, rows: int) -> Iterator[Draws]:
        """Yield a random sign, +1 or -1, for each row."""
        generator = self._generator(_SIGNS)
        for size in self._sizes():
            signs = generator.integers(0, 2, (size, rows), np.int8)
            yield signs.astype(np.float32) * 2 - 1

    def shuffler(self) -> np.random.Generator:
        """Return the generator that assigns rows to folds."""
        return self._generator(_FOLDS)

    def _generator(self, stream: int) -> np.random.Generator:
        return np.random.Generator(np.random.SFC64(np.random.SeedSequence((self.seed, stream))))

    def _sizes(self) -> Iterator[int]:
        for start in range(0, self.draws, self.chunk):
            yield min(self.chunk, self.draws - start)
