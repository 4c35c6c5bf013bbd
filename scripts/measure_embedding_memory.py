#!/usr/bin/env python
"""Measure the memory that embedding takes, for few and for many short texts, vectors aside.

Run with the project's Python: python scripts/measure_embedding_memory.py [--texts 10000 100000]
Each count runs in a process of its own, as one stage of a study does; the vectors are dropped as
they are done, as the stage gives them to its cache.
"""

import argparse
import random
import resource
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("requests", "rich", "hydra", "omegaconf", "sklearn", "scipy", "fsspec")
SHORTEST, LONGEST = 4, 12
"""Minimum and maximum number of words in a text."""


def main() -> int:
    """Print the peak memory for each count and for a loaded model, and their ratio."""
    found = _arguments()
    if found.child is not None:
        print(_peak_of(found.child))
        return 0
    bare = _measured(0)
    peaks = [_measured(count) for count in found.texts]
    print(f"loaded model, nothing embedded: {bare / 1e6:.0f} MB")
    for count, peak in zip(found.texts, peaks, strict=True):
        print(f"{count} texts: peak {peak / 1e6:.0f} MB")
    print(f"ratio of the last to the first: {peaks[-1] / peaks[0]:.2f}")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


def _measured(count: int) -> int:
    command = [sys.executable, "-W", "ignore", __file__, "--child", str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout.splitlines()[-1])


def _peak_of(count: int) -> int:
    """Return the peak memory of this process in bytes."""
    from retrievers.dense import EmbeddingModel, load_encoder

    encoder = load_encoder(EmbeddingModel())
    embedded = 0
    for places, _ in encoder.passages_in_batches(_texts(count)):
        embedded += len(places)
    if embedded != count:
        raise SystemExit(f"{embedded} of {count} texts were embedded")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _texts(count: int) -> list[str]:
    """Return distinct short texts of words from installed packages."""
    draw, words = random.Random(1), _words()  # noqa: S311
    texts = []
    for number in range(count):
        start = draw.randrange(len(words) - LONGEST)
        length = draw.randint(SHORTEST, LONGEST)
        texts.append(" ".join([*words[start : start + length], str(number)]))
    return texts


def _words() -> list[str]:
    found = [find_spec(package) for package in PACKAGES]
    folders = [
        Path(place) for one in found if one for place in one.submodule_search_locations or []
    ]
    files = sorted(path for folder in folders for path in folder.glob("*.py"))
    return " ".join(path.read_text(encoding="utf-8", errors="replace") for path in files).split()


if __name__ == "__main__":
    sys.exit(main())
