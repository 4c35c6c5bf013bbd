"""`rankgrid init PATH`: a suite and first queries for one's own code, to be edited."""

import re
import shlex
from pathlib import Path

import yaml

from bench.commands import bench_command
from bench.corpora import LocalSource, read_source
from bench.errors import UsageError
from bench.files import write_whole
from bench.queries import Query, Target, write_queries
from retrievers.interface import Documents
from retrievers.source import NAMING_KINDS, Symbols, find_symbols

_WANTED = 5
_DOCSTRING = re.compile(r'"""\s*([A-Z][^"\n]{15,110}?)[.\n"]')
_HEAD = """\
# First queries for {name}, drawn from its docstrings: they only show the form.
# Replace each text by what somebody who does not know the code would ask, list every right
# answer, and add queries until there are at least a few dozen.
#   expected_symbols: package.Symbol or package.Type.method
#   expected_files:   paths in the repository
#   expected_spans:   {{path, start, end}}, lines counted from 1, both included
#   negative: true    nothing in the repository answers it
"""


def write_suite(place: Path, output: str) -> int:
    """Write suite.yaml and queries.yaml into `output`, overwriting nothing."""
    source, folder = LocalSource(str(place.resolve())), Path(output)
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
    text = _HEAD.format(name=name) + write_queries(queries)
    write_whole(folder / "queries.yaml", text)
    write_whole(folder / "suite.yaml", _suite(name, source))
    print(f"wrote {folder / 'queries.yaml'} ({len(queries)} queries to replace by your own)")
    print(f"wrote {folder / 'suite.yaml'}")
    suite = shlex.quote(str(folder / "suite.yaml"))
    print(f"next: {bench_command(f'suite=file suite.path={suite}')}")
    return 0


def _suite(name: str, source: LocalSource) -> str:
    repository = {
        "name": name,
        "source": {"kind": "local", "path": source.path},
        "queries": "queries.yaml",
    }
    return yaml.safe_dump({"name": name, "repositories": [repository]}, sort_keys=False)


def _first_queries(documents: Documents, symbols: Symbols) -> tuple[Query, ...]:
    """Return queries made of docstrings; of file names where there is no docstring."""
    found: dict[str, Query] = {}
    for row, name in enumerate(symbols.names):
        simple = name.rpartition(".")[2]
        is_public = not simple.startswith("_") and "test" not in name.lower()
        if symbols.kinds[row] in NAMING_KINDS or not is_public or symbols.names.count(name) > 1:
            continue
        place = int(symbols.document[row])
        text = documents.slice(place, int(symbols.start_byte[row]), int(symbols.end_byte[row]))
        said = _DOCSTRING.search(text[:600])
        if said and said.group(1) not in found:
            target = Target("symbol", symbol=name)
            number = len(found) + 1
            found[said.group(1)] = Query(f"q{number}", said.group(1), (target,), notes=simple)
        if len(found) == _WANTED:
            break
    return tuple(found.values()) or _file_queries(documents)


def _file_queries(documents: Documents) -> tuple[Query, ...]:
    return tuple(
        Query(f"q{number}", f"what is {Path(path).stem} for", (Target("file", path=path),))
        for number, path in enumerate(documents.paths[:_WANTED], start=1)
    )
