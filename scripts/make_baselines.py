"""Make baselines/: our own numbers on three suites, which CI holds every change against.

    python scripts/make_baselines.py [--work FOLDER] [NAME...]

NAME is `bm25` or `default` (default: both; `default` needs the embedding model). Writes
`baselines/SUITE-NAME.json`, `baselines/SUITE-NAME/FINDINGS.md` and `baselines/EXPERIMENTS.md`.
Studies run in FOLDER, whose store keeps finished work, so that no path of a machine is in what
is committed; without it, in a temporary folder.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BASELINES = ROOT / "baselines"
SUITES = ("harness", "tiered", "docs")
RETRIEVERS: Mapping[str, tuple[str, ...]] = {"bm25": ("retriever=bm25",), "default": ()}
UNTIMED = ("latency=off", "tracking=none")
CHANGES = {"lexical": "names and definitions say more than the words", "default": "vectors help"}
"""Changes that are tried against bm25 on every suite, and the expected effects."""


def main() -> None:
    """Save the requested baselines, and write the log of changes against bm25."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="bm25 or default")
    parser.add_argument("--work", type=Path, help="where studies run (a temporary folder)")
    given = parser.parse_args()
    names = given.names or list(RETRIEVERS)
    if unknown := set(names) - RETRIEVERS.keys():
        parser.error(f"{', '.join(sorted(unknown))}: unknown; choose from {', '.join(RETRIEVERS)}")
    with working_folder(given.work) as work:
        for suite in SUITES:
            for name in names:
                keep(work, suite, name)
        log(work)


@contextmanager
def working_folder(given: Path | None) -> Iterator[Path]:
    """Yield the working folder: the given one, or a temporary one."""
    if given:
        given.mkdir(parents=True, exist_ok=True)
        yield given
        return
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


def keep(work: Path, suite: str, name: str) -> None:
    """Run a suite and save its results and findings."""
    run(work, f"suite={suite}", *RETRIEVERS[name])
    rankgrid(work, "baseline", "save", "--name", f"{suite}-{name}")
    folder = BASELINES / f"{suite}-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(work / "baselines" / f"{suite}-{name}.json", BASELINES)
    shutil.copy(work / "outputs" / "latest" / "FINDINGS.md", folder)


def log(work: Path) -> None:
    """Log the changes of lexical, and of the default if it was saved, on every suite."""
    for name in ("EXPERIMENTS.md", "experiments"):
        place = work / name
        shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
    for suite in SUITES:
        for change, expected in CHANGES.items():
            after = BASELINES / f"{suite}-{change}.json"
            if change == "lexical":
                run(work, f"suite={suite}", "retriever=lexical")
                after = work / "outputs" / "latest"
            if after.exists():
                experiment(work, suite, change, after, expected)
    shutil.copy(work / "EXPERIMENTS.md", BASELINES)


def experiment(work: Path, suite: str, change: str, after: Path, expected: str) -> None:
    """Log a change from bm25, which is kept if NDCG@10 is higher."""
    before, title = BASELINES / f"{suite}-bm25.json", f"{change} on {suite}"
    what = f"{change} in place of bm25, suite={suite}"
    compared = json.loads(rankgrid(work, "compare", str(before), str(after), "--json"))
    gain = compared["deltas"]["ndcg_at_10"]
    verdict = ("higher", "--keep") if gain > 0 else ("not higher", "--revert")
    rankgrid(
        work, "experiment", "start", title, f"--hypothesis={expected}", f"--what={what}",
        f"--baseline={before}",
    )  # fmt: skip
    rankgrid(
        work, "experiment", "conclude", title, f"--results={after}",
        f"--conclusion=NDCG@10 is {verdict[0]} ({gain:+.4f})", verdict[1],
    )  # fmt: skip


def run(work: Path, *settings: str) -> None:
    """Run a study in the working folder."""
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *settings, *UNTIMED]
    subprocess.run(command, cwd=work, check=True, stdout=subprocess.DEVNULL)


def rankgrid(work: Path, *arguments: str) -> Any:
    """Return the output of a command."""
    door = str(Path(sys.executable).with_name("rankgrid"))
    return subprocess.run(
        [door, *arguments], cwd=work, check=True, capture_output=True, text=True
    ).stdout


if __name__ == "__main__":
    main()
