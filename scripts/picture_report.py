"""Take pictures of a report as people see it, and name what is cut or covered in its plots.

Run as `python scripts/picture_report.py RESULTS FOLDER` with a results.json or its folder, or
with `--drawn TRIALSxQUERIES` in place of RESULTS for results that are drawn by chance. Pictures
are of a screen and a phone, light and dark: the first screen as it opens (that of the README is
`first-light-1280.png`), then everything in slices from the top. The size of the page and the
CPU-seconds that it took to make are printed. Needs Chromium.
"""

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.report import write_report
from bench.results import StudyResult, read_results
from bench.results.document import from_json
from tests.integration.browser import Page, browser
from tests.integration.layout import BADLY_PLACED
from tests.unit.report.sample_results import a_big_grid

SLICES = {1280: 1700, 390: 2600}
"""Height of a picture by the width of the screen."""
MOST_SLICES = 20
FIRST = {1280: 560, 390: 844}
"""Height of the first picture by the width of the screen."""
PHONE = 500


def main() -> None:
    """Write the report into a folder, with its pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", help="a results.json or its folder; with --drawn, 100x300")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--drawn", action="store_true")
    given = parser.parse_args()
    results = _drawn(given.results) if given.drawn else read_results(Path(given.results))
    started = time.process_time()
    report = write_report(results, given.folder)
    spent = time.process_time() - started
    print(f"{report}: {report.stat().st_size / 1e6:.2f} MB, made in {spent:.1f} CPU-seconds")
    with TemporaryDirectory(ignore_cleanup_errors=True) as home, browser(Path(home)) as page:
        for scheme in ("light", "dark"):
            page.prefer(scheme)
            for width in SLICES:
                _look(page, report, width, scheme)


def _drawn(size: str) -> StudyResult:
    trials, _, queries = size.partition("x")
    return from_json(a_big_grid(trials=int(trials), queries=int(queries)), "drawn")


def _look(page: Page, report: Path, width: int, scheme: str) -> None:
    """Take the pictures of one screen, and print layout problems."""
    page.resize(width, 900, mobile=width < PHONE)
    page.open(report)
    first = page.picture(top=0, width=width, height=FIRST[width])
    (report.parent / f"first-{scheme}-{width}.png").write_bytes(first)
    page.open_parts()
    wide = page.run("document.documentElement.scrollWidth")
    high = int(page.run("document.documentElement.scrollHeight"))
    tops = range(0, high, SLICES[width])[:MOST_SLICES]
    for number, top in enumerate(tops):
        picture = page.picture(top=top, width=width, height=min(SLICES[width], high - top))
        (report.parent / f"{scheme}-{width}-{number:02}.png").write_bytes(picture)
    wrong = [*page.run(BADLY_PLACED), *page.troubles()]
    said = "; ".join(wrong) or "nothing is cut or covered"
    print(f"{width} px, {scheme}: {wide} px wide, {len(tops)} pictures, {said}")


if __name__ == "__main__":
    main()
