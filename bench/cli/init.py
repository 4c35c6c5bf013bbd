"""`rankgrid init`: a suite, first queries and a CI job for one's own code, to be edited."""

import os
import re
import shlex
from collections import Counter
from pathlib import Path

import yaml

from bench.cli.workflow import write_workflow
from bench.commands import bench_command
from bench.corpora import LocalSource, read_source
from bench.errors import UsageError
from bench.files import write_whole
from bench.queries import Entry, Query, Target, write_queries
from bench.queries.located import Place
from bench.study.corpus import DRAWN
from retrievers.interface import Documents
from retrievers.source import NAMING_KINDS, Symbols, find_symbols

_WANTED = 30
_FEWEST_FILES = 5
_DOCSTRING = re.compile(r'"""\s*([A-Z][^"\n]{15,110}?)[.\n"]')
_HEAD = """\
# First queries for {name}, drawn from its docstrings: drafts that only show the form.
# Replace each text by what somebody who does not know the code would ask, list every right
# answer, remove `draft: true`, and add queries until there are at least a few dozen.
#   expected_symbols: package.Symbol or package.Type.method
#   expected_files:   paths in the repository
#   expected_spans:   {{path, start, end}}, lines counted from 1, both included
#   negative: true    nothing in the repository answers it
"""


def write_suite(place: Path, output: str) -> Path:
    """Write suite.yaml and queries.yaml into `output`, overwriting nothing; return the suite."""
    source, folder = LocalSource(str(place.resolve())), Path(output).expanduser()
    for name in ("suite.yaml", "queries.yaml"):
        if (folder / name).exists():
            message = f"{folder / name}: exists already; give another folder with --output"
            raise UsageError(message)
    documents = read_source(source).documents
    queries = _first_queries(documents, find_symbols(documents))
    if not queries:
        message = f"{place}: no text files found that could be searched"
        raise UsageError(message)
    name = Path(source.path).name
    drafts = (Entry(one, "", Place("", 1), "queries", draft=True) for one in queries)
    write_whole(folder / "queries.yaml", _HEAD.format(name=name) + write_queries(drafts))
    write_whole(folder / "suite.yaml", _suite(name, place, folder))
    print(f"wrote {folder / 'queries.yaml'} ({len(queries)} queries to replace by your own)")
    print(f"wrote {folder / 'suite.yaml'}")
    return folder / "suite.yaml"


def initialise(place: Path, output: str, *, ci: bool, install: str) -> int:
    """Write a suite, and with `ci` a workflow that gates it; a suite that is there is kept."""
    suite = Path(output).expanduser() / "suite.yaml"
    if not (ci and suite.exists()):
        suite = write_suite(place, output)
    if ci:
        print(f"wrote {write_workflow(suite, install)}")
        print("next: edit the queries, commit these files and open a pull request")
        return 0
    print(f"next: {bench_command(f'suite=file suite.path={shlex.quote(str(suite))}')}")
    return 0


def _suite(name: str, place: Path, folder: Path) -> str:
    """Return a suite whose paths are relative to it, so that it is right on every machine."""
    here = os.path.relpath(place.resolve(), folder.resolve())
    repository = {
        "name": name,
        "source": {"kind": "local", "path": Path(here).as_posix()},
        "queries": "queries.yaml",
    }
    suite = {"name": name, "include_drafts": True, "repositories": [repository]}
    return yaml.safe_dump(suite, sort_keys=False)


def _first_queries(documents: Documents, symbols: Symbols) -> tuple[Query, ...]:
    """Return queries made of docstrings, of all files in turn; else made of file names."""
    drawn: dict[str, str] = {}
    turns: list[tuple[int, str]] = []
    seen: Counter[int] = Counter()
    counts = Counter(symbols.names)
    for row, name in enumerate(symbols.names):
        simple, document = name.rpartition(".")[2], int(symbols.document[row])
        is_public = not simple.startswith("_") and "test" not in name.lower()
        if symbols.kinds[row] in NAMING_KINDS or not is_public or counts[name] > 1:
            continue
        start, end = int(symbols.start_byte[row]), int(symbols.end_byte[row])
        said = _DOCSTRING.search(documents.slice(document, start, end)[:600])
        if said and said.group(1) not in drawn:
            drawn[said.group(1)] = name
            seen[document] += 1
            turns.append((seen[document], said.group(1)))
    texts = [text for _, text in sorted(turns, key=lambda turn: turn[0])[:_WANTED]]
    queries = (_drawn_query(n, text, drawn[text]) for n, text in enumerate(texts, start=1))
    return tuple(queries) or _file_queries(documents)


def _drawn_query(number: int, text: str, symbol: str) -> Query:
    target = Target("symbol", symbol=symbol)
    simple = symbol.rpartition(".")[2]
    return Query(f"q{number}", text, (target,), tags=(DRAWN,), notes=simple)


def _file_queries(documents: Documents) -> tuple[Query, ...]:
    return tuple(
        Query(f"q{number}", f"what is {Path(path).stem} for", (Target("file", path=path),))
        for number, path in enumerate(documents.paths[:_FEWEST_FILES], start=1)
    )
