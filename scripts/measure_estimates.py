"""Compare the time left that a study shows with the time that it then takes.

    python scripts/measure_estimates.py -- -m chunk=512,1024,2048 reranker=on,off store=EMPTY
    python scripts/measure_estimates.py --lines LINES

The first form runs `bench/run.py` with what follows `--`, stamps each line of its progress, and
keeps them in `--lines` if given. The second reads the lines of an earlier run: seconds, a space,
the line. Both print the time left at 25, 50 and 75 % of the stages' time, beside the truth.
"""

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

RUN = Path(__file__).parents[1] / "bench" / "run.py"
_LEFT = re.compile(r"about ([0-9.]+) (s|min|h) left")
_SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0}
_SHARES = (0.25, 0.5, 0.75)
Line = tuple[float, str]


def ran(arguments: list[str]) -> list[Line]:
    """Run a study and return its progress lines with their arrival times."""
    command = [sys.executable, str(RUN), *arguments]
    lines = []
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        for line in process.stderr or ():
            lines.append((time.time(), line.rstrip()))
            print(line, end="", file=sys.stderr)
    if process.returncode:
        sys.exit(f"the study ended with exit code {process.returncode}")
    return lines


def read(place: Path) -> list[Line]:
    """Return the progress lines of an earlier run."""
    pairs = (line.split(" ", 1) for line in place.read_text("utf-8").splitlines())
    return [(float(pair[0]), pair[-1]) for pair in pairs]


def table(lines: list[Line]) -> str:
    """Return a Markdown table of estimated and actual times left at three moments."""
    began = next(at for at, line in lines if line.startswith("study "))
    ended = next(at for at, line in lines if line.startswith("stages: "))
    shown = [
        (at, float(found[1]) * _SECONDS[found[2]])
        for at, line in lines
        if (found := _LEFT.search(line))
    ]
    rows = [
        f"Stages: {ended - began:.0f} s.\n",
        "| part of the time | after, s | shown, s | truth, s | error |",
        "|--:|--:|--:|--:|--:|",
    ]
    for share in _SHARES:
        wanted = began + share * (ended - began)
        at, left = min(shown, key=lambda one: abs(one[0] - wanted))
        truth = ended - at
        error = f"{(left - truth) / truth:+.0%}"
        rows.append(f"| {share:.0%} | {at - began:.0f} | {left:.0f} | {truth:.0f} | {error} |")
    return "\n".join(rows)


def main() -> None:
    """Run a study or read the lines of one, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=Path, help="file of the stamped lines")
    parser.add_argument("study", nargs="*", help="arguments of the study")
    given = parser.parse_args()
    lines = ran(given.study) if given.study else read(given.lines)
    if given.study and given.lines:
        given.lines.write_text("".join(f"{at} {line}\n" for at, line in lines), "utf-8")
    print(table(lines))


if __name__ == "__main__":
    main()
