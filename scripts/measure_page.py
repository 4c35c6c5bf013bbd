"""Measure how long a large report takes until it can be used, and how large it is.

    python scripts/measure_page.py --size 200x500x50

The study has trials x queries x repositories, with hits and scores that are drawn by chance. The
page is opened several times in Chromium; it is ready once its tables sort and its queries show.
Seconds on the clock mean little beside other work, so the CPU-seconds of the page's main
thread are printed as well.
"""

import argparse
import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.report import write_report
from bench.results.document import from_json
from tests.integration.browser import Page, browser
from tests.unit.report.sample_results import a_big_grid


def main() -> None:
    """Make the report, open it several times, and print a row for each time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", default="200x500x50", help="default: 200x500x50")
    parser.add_argument("--times", type=int, default=3, help="how often it is opened (default: 3)")
    given = parser.parse_args()
    trials, queries, repositories = map(int, given.size.split("x"))
    drawn = a_big_grid(trials=trials, queries=queries, repositories=repositories)
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        began = time.process_time()
        report = write_report(from_json(drawn, "drawn"), Path(folder, "study"))
        spent = time.process_time() - began
        print(f"{given.size}: {report.stat().st_size / 1e6:.2f} MB, {spent:.1f} CPU-s to make")
        with browser(Path(folder, "home")) as page:
            page.call("Performance.enable")
            for _ in range(given.times):
                print(_opened(page, report), flush=True)


def _opened(page: Page, report: Path) -> str:
    before = _spent(page)
    page.open(report)
    seconds = page.run("performance.now()") / 1000
    spent = _spent(page)
    if spent >= before:  # otherwise the browser has opened the page in a new process
        spent -= before
    load = os.getloadavg()[0]
    return f"ready after {seconds:.2f} s, {spent:.2f} CPU-s (load {load:.1f})"


def _spent(page: Page) -> float:
    """Return the CPU-seconds of the page's main thread."""
    metrics = page.call("Performance.getMetrics")["metrics"]
    found = {one["name"]: float(one["value"]) for one in metrics}
    return found["ThreadTime"]


if __name__ == "__main__":
    main()
