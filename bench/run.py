"""Runs a study from a checkout; `rankgrid bench` is the same command.

python bench/run.py -m chunk=512,1024,2048 reranker=on,off
"""

import sys

from bench.launcher.door import run_bench
from bench.printable import guard_output
from retrievers.import_path import keep_current_folder_out


def main() -> None:
    """Run the command line and exit with its code."""
    guard_output()
    keep_current_folder_out()
    sys.exit(run_bench(sys.argv[1:], "bench/run.py"))


if __name__ == "__main__":
    main()
