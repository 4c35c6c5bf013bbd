"""`rankgrid init`: a suite with draft queries and a CI job for a user's own code."""

import os
import shlex
from dataclasses import replace
from pathlib import Path

import yaml

from bench.authoring.generated import Generating, SourceName, generate
from bench.cli.workflow import check_workflow, write_workflow
from bench.commands import bench_command
from bench.corpora import LocalSource, read_source
from bench.errors import UsageError
from bench.files import write_whole
from bench.launcher.overrides import as_setting
from bench.printable import plural
from bench.queries import Entry, Query, Target, write_queries
from bench.queries.located import Place
from bench.study.origins import DRAWN
from retrievers.interface import Documents

_WANTED = 30
_FEWEST_FILES = 5
_HEAD = """\
# First queries for {name}, drawn from its documentation: drafts that only show the form.
# Replace each text by what somebody who does not know the code would ask, list every right
# answer, remove `draft: true`, and add queries until there are at least a few dozen.
#   expected_symbols: package.Symbol or package.Type.method
#   expected_files:   paths in the repository
#   expected_spans:   {{path, start, end}}, lines counted from 1, both included
#   negative: true    nothing in the repository answers it
"""


def write_suite(place: Path, output: str) -> Path:
    """Write suite.yaml and queries.yaml into `output` without overwriting; return suite.yaml."""
    source, folder = LocalSource(str(place.resolve())), Path(output).expanduser()
    for name in ("suite.yaml", "queries.yaml"):
        if (folder / name).exists():
            message = f"{folder / name}: already exists; give another folder with --output"
            raise UsageError(message)
    documents = read_source(source).documents
    name = Path(source.path).name
    queries = _first_queries(documents, name)
    if not queries:
        message = (
            f"{place}: no text files found that could be searched; give the folder of the code"
        )
        raise UsageError(message)
    write_whole(folder / "queries.yaml", _HEAD.format(name=name) + write_queries(queries))
    write_whole(folder / "suite.yaml", _suite(name, place, folder))
    count = plural(len(queries), "query", "queries")
    print(f"wrote {folder / 'queries.yaml'} ({count} to replace with your own)")
    print(f"wrote {folder / 'suite.yaml'}")
    return folder / "suite.yaml"


def initialise(place: Path, output: str, *, ci: bool, install: str) -> int:
    """Write a suite, and with `ci` its workflow. With `ci` an existing suite is kept."""
    suite = Path(output).expanduser() / "suite.yaml"
    if ci:  # before anything is written
        check_workflow(suite, install)
    if not (ci and suite.exists()):
        suite = write_suite(place, output)
    if ci:
        print(f"wrote {write_workflow(suite, install)}")
        print("next: edit the queries, commit these files and open a pull request")
        return 0
    path = shlex.quote(as_setting("suite.path", str(suite)))
    print(f"next: {bench_command(f'suite=file {path}')}")
    return 0


def _suite(name: str, place: Path, folder: Path) -> str:
    """Return a suite with paths relative to it, so that it works on every machine."""
    here = os.path.relpath(place.resolve(), folder.resolve())
    repository = {
        "name": name,
        "source": {"kind": "local", "path": Path(here).as_posix()},
        "queries": "queries.yaml",
    }
    suite = {"name": name, "include_drafts": True, "repositories": [repository]}
    return yaml.safe_dump(suite, sort_keys=False, allow_unicode=True)


def _first_queries(documents: Documents, name: str) -> tuple[Entry, ...]:
    """Return drafts from the documentation, or from file names without documentation.

    The drafts hide no lines, because the line numbers would change with the code and users replace
    the drafts anyway.
    """
    documented: tuple[SourceName, ...] = ("documentation",)
    wanted = Generating(_WANTED, documented, widen_below=_WANTED, wider_sources=documented)
    made = generate(documents, wanted, name=name)
    asked = tuple(_draft(number, one) for number, one in enumerate(made.entries, start=1))
    return asked or _file_queries(documents)


def _draft(number: int, one: Entry) -> Entry:
    (target,) = one.query.targets
    simple = str(target.symbol).rpartition("::")[2].rpartition(".")[2]
    query = replace(one.query, id=f"q{number}", category="", tags=(DRAWN,), notes=simple)
    return replace(one, query=query, draft=True, generated=False, hidden=())


def _file_queries(documents: Documents) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            Query(f"q{number}", f"what is {Path(path).stem} for", (Target("file", path=path),)),
            "",
            Place("", 1),
            "queries",
            draft=True,
        )
        for number, path in enumerate(documents.paths[:_FEWEST_FILES], start=1)
    )
