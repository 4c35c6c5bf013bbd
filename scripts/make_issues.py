"""Gather what suite `issues` is written from: new entries of change logs, and the changed code.

Run as `python scripts/make_issues.py [NAME …] --output FOLDER`. For each pair of releases in
`issue_releases.toml` it writes one page: the lines that the newer release adds to the change log,
then the changed files of code, each with the definitions of the OLDER tree that its diff touches.
Tests, documentation and changes of layout are left out. Entries are not matched with definitions:
a match by words would favour retrieval by words. A person reads both and writes the queries.
"""

import argparse
import difflib
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.authoring.changes import changed_code
from bench.authoring.mining import is_test
from bench.authoring.patches import sections_of
from bench.corpora import Source, parse_source, read_source
from retrievers.interface import Documents
from retrievers.source import language_of

RELEASES = Path(__file__).with_name("issue_releases.toml")
DIFF = (
    *("diff", "--no-index", "--no-renames", "--ignore-all-space", "--ignore-blank-lines"),
    *("--no-color", "--no-ext-diff", "--unified=4"),
)


@dataclass(frozen=True)
class Releases:
    """Two consecutive releases of a package. Queries refer to the older release."""

    name: str
    older: Source
    newer: Source
    change_log: str
    skipped: tuple[str, ...] = ()
    """Prefixes of paths with compiled copies of other files."""


def main() -> None:
    """Write a page for each requested package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="packages (default: all)")
    parser.add_argument("--output", type=Path, required=True, help="folder of the pages")
    given = parser.parse_args()
    given.output.mkdir(exist_ok=True)
    for one in releases(tomllib.loads(RELEASES.read_text("utf-8"))):
        if not given.names or one.name in given.names:
            (given.output / f"{one.name}.md").write_text(page(one), encoding="utf-8")


def releases(written: Mapping[str, Any]) -> Iterator[Releases]:
    """Yield the pairs of releases in a TOML document."""
    for name, one in written.items():
        kind = {"kind": one["kind"], "package": one["package"]}
        older, newer = (
            parse_source({**kind, **one[which]}, f"{RELEASES.name}: {name}.{which}")
            for which in ("older", "newer")
        )
        yield Releases(name, older, newer, one["change_log"], tuple(one.get("skipped", ())))


def page(one: Releases) -> str:
    """Return the page from which a person writes the queries of a package."""
    older, newer = read_source(one.older).documents, read_source(one.newer).documents
    entries = added_lines(text_of(older, one.change_log), text_of(newer, one.change_log))
    changed = "\n".join(changed_files(one, older, newer))
    return f"# {one.name}\n\n## New in the change log\n\n{entries}\n\n## Changed code\n\n{changed}"


def text_of(documents: Documents, path: str) -> str:
    """Return a file's text, or "" if the release lacks it."""
    return documents.text(documents.places[path]) if path in documents.places else ""


def added_lines(older: str, newer: str) -> str:
    """Return the lines that were added to a change log."""
    lines = difflib.unified_diff(older.splitlines(), newer.splitlines(), n=0)
    return "\n".join(line[1:] for line in lines if line[:1] == "+" and line[:3] != "+++")


def changed_files(one: Releases, older: Documents, newer: Documents) -> Iterator[str]:
    """Yield a section for each changed file, with the touched definitions and the diff."""
    with tempfile.TemporaryDirectory() as folder:
        for path in older.paths:
            skipped = is_test(path) or path.startswith(one.skipped) or language_of(path) is None
            if skipped or path not in newer.places:
                continue
            patch = diff(Path(folder), path, text_of(older, path), text_of(newer, path))
            (section,) = sections_of(patch) or (None,)
            if section is not None and not section.is_formatting:
                # Parsing only this file is faster than parsing the release.
                alone = Documents.of([(path, text_of(older, path))])
                names = [target.as_written for target in changed_code([section], alone)]
                hunks = patch[patch.index("\n@@ ") + 1 :]
                yield "\n".join((f"### {path}", "", *names, "", "```diff", f"{hunks}```", ""))


def diff(folder: Path, path: str, older: str, newer: str) -> str:
    """Return the diff of a file between both releases, or "" if it is unchanged."""
    if older == newer:
        return ""
    for name, text in (("older", older), ("newer", newer)):
        (folder / name).write_text(text, encoding="utf-8", newline="")
    done = subprocess.run(
        ["/usr/bin/env", "git", *DIFF, "older", "newer"],
        cwd=folder,
        capture_output=True,
        check=False,  # git returns 1 if the files differ
    )
    text = done.stdout.decode("utf-8", "replace")
    return text.replace("a/older", f"a/{path}", 2).replace("b/newer", f"b/{path}", 2)


if __name__ == "__main__":
    main()
