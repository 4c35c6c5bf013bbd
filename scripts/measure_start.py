"""Print the CPU-seconds that rankgrid takes to start, and to read grids of 36 and 10,000 points.

A grid is read as a study reads it before any work: composed, validated, and merged.

    .venv/bin/python scripts/measure_start.py
"""

import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_CLI = "import sys; from bench.cli import main; main(sys.argv[1:])"
STARTS = {
    "rankgrid --version": ["-P", "-c", _CLI, "--version"],
    "rankgrid --help": ["-P", "-c", _CLI, "--help"],
    "bench/run.py --help": ["bench/run.py", "--help"],
    "bench/run.py --cfg job": ["bench/run.py", "--cfg", "job"],
    "completion of a setting": ["-P", "-m", "bench.cli.candidates", "rankgrid bench retr"],
    "completion of a command": ["-P", "-m", "bench.cli.candidates", "rankgrid ba"],
}
GRIDS = {
    "36 points": ["chunk=128,256,512,1024", "retriever=bm25,dense,hybrid", "reranker=off,on,off"],
    "10,000 points": [
        f"chunk={','.join(str(16 * size) for size in range(1, 101))}",
        "retriever=bm25,lexical,exact,hybrid,grep",
        "limit=5,10,15,20",
        "retriever.k1=1.1,1.2,1.3,1.4,1.5",
    ],
}


def main() -> None:
    """Measure and print a row for each."""
    for name, arguments in STARTS.items():
        print(f"{name:<28} {_seconds_of(arguments):6.2f} s")
    sys.path.insert(0, str(ROOT))
    from bench.files import data_folder
    from bench.launcher.grid import read_grid
    from bench.launcher.points import read_points

    for name, overrides in GRIDS.items():
        start = time.process_time()
        points = read_points(overrides, data_folder("conf"), multirun=True)
        composed = time.process_time() - start
        grid = read_grid(points)
        seconds = time.process_time() - start
        print(
            f"{name:<28} {seconds:6.2f} s, {composed:.2f} s of it composing"
            f" {len(points)} points; {len(grid.trials)} trials"
        )


def _seconds_of(arguments: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
