"""Measure the boosts for names in queries, on queries with names from real code.

These boosts are for names, paths and tracebacks, which few queries of the shipped suites have.
This script draws definitions and files of their repositories with a seed, and asks for them:

- name: the bare name; any drawable definition with this name is right
- member: `Type.member`; any such member is right
- sentence: a short question with the name; the same definitions are right
- frame: a traceback with one frame; the function in the frame is right
- callers: "what calls NAME"; up to five functions that call it are right, not NAME itself
- context: "in PATH I call NAME and …", with the path of a calling file; right as for `name`
- cause: the traceback of `frame`; up to five functions that the function calls are right
- file: "where is the …" with the words of a file's name; any file with this name is right
- path: a sentence with the end of a file's path; this file is right

Queries of `callers`, `context` and `cause` name code that is not the answer. These kinds and the
shipped suites show the cost of a boost. All other queries name their answer. They show whether a
boost works, not how often people ask this way. One half of the repositories is for choosing, the
other half for reporting. Intervals are 95 %, with resampled repositories. Run as

    python scripts/measure_names.py [--half report] [--retrievers lexical,hybrid]
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

import numpy as np
from measure_hybrids import Embedder, Rankers, Row, differing, parser_of, rows_of, short
from measure_retrieval import Asked, asked_by

from bench.queries import Half, Query, Target, repositories_in_half, resolution_problems
from retrievers.rules.file_kinds import FILE_KINDS, file_kinds
from retrievers.source.edges import EDGE_KINDS, find_edges

SUITES = ("issues", "tasks", "languages", "polyglot", "tiered", "python", "quick", "docs")
DRAWN, SHORTEST, MOST_TARGETS = 12, 3, 5
KINDS = ("class", "interface", "struct", "enum", "trait", "function", "method", "macro")
SENTENCES = (
    "how does {} work",
    "what does {} do",
    "where is {} defined",
    "why does {} fail",
    "which arguments does {} take",
)
OF_DEFINITIONS = (
    "definition_boost=0",
    "definition_boost=0.25",
    "definition_boost=1",
    "name_boost=0",
    "path_boost=0",
    "frame_boost=0",
)
OF_FILES = (
    "name_boost=0",
    "name_boost=0.3",
    "name_boost=1",
    "data_penalty=1",
    "path_boost=0",
    "frame_boost=0",
)
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


class Definitions:
    """The definitions of a repository that may be drawn, without those of tests."""

    def __init__(self, asked: Asked) -> None:
        self.asked, symbols = asked, asked.symbols
        self.is_code = file_kinds(asked.documents) == FILE_KINDS.index("code")
        times = Counter(symbols.names)
        self.rows = [
            row
            for row, name in enumerate(symbols.names)
            if symbols.kinds[row] in KINDS
            and times[name] == 1
            and self.is_code[symbols.document[row]]
            and len(self.last(row).strip("_")) >= SHORTEST
            and not self.last(row).startswith("__")
        ]
        self.by_name: dict[str, list[int]] = defaultdict(list)
        self.by_member: dict[str, list[int]] = defaultdict(list)
        for row in self.rows:
            self.by_name[self.last(row)].append(row)
            if self.is_member(row):
                self.by_member[self.last(row, 2)].append(row)

    def last(self, row: int, parts: int = 1) -> str:
        """Return the last parts of a definition's name."""
        return ".".join(self.asked.symbols.names[row].split(".")[-parts:])

    def is_member(self, row: int) -> bool:
        """Tell whether a definition is within a type."""
        parent = int(self.asked.symbols.parent[row])
        return parent >= 0 and self.asked.symbols.kinds[parent] in KINDS[:5]

    def path(self, row: int) -> str:
        """Return the file of a definition."""
        return self.asked.documents.paths[int(self.asked.symbols.document[row])]

    def right(self, rows: Sequence[int], *, any_of: bool = True) -> tuple[Target, ...]:
        """Return definitions as alternative targets, or as separate ones."""
        names = (self.asked.symbols.names[row] for row in rows)
        return tuple(
            Target("symbol", symbol=name, alternative=1 if any_of else 0) for name in names
        )

    def each_of(self, rows: Collection[int]) -> tuple[Target, ...]:
        """Return the first drawable definitions of `rows` as separate targets, at most five."""
        own = sorted(set(rows) & set(self.rows))
        return self.right(own[:MOST_TARGETS], any_of=False)


def definition_queries(asked: Asked, drawn: random.Random) -> Iterator[Query]:
    """Yield queries that name definitions."""
    known = Definitions(asked)
    callers, called = calls_of(asked)
    names = drawn.sample(sorted(known.by_name), min(DRAWN, len(known.by_name)))
    for number, name in enumerate(names):
        rows = known.by_name[name]
        row = drawn.choice(rows)
        path = known.path(row)
        crash = traceback(path, name, int(asked.symbols.start_line[row]) + 1)
        made = {
            "name": (name, known.right(rows)),
            "sentence": (drawn.choice(SENTENCES).format(name), known.right(rows)),
            "frame": (crash, known.right([row])),
            "cause": (crash, known.each_of(called[row])),
            "callers": (f"what calls {name}", known.each_of(callers[row])),
        }
        if users := sorted({known.path(one) for one in callers[row]} - {path}):
            text = f"in {users[0]} I call {name} and get a wrong result"
            made["context"] = text, known.right(rows)
        if known.is_member(row):
            text = known.last(row, 2)
            made["member"] = text, known.right(known.by_member[text])
        for kind, (text, targets) in made.items():
            if targets:
                yield Query(f"{kind}-{number}", text, targets, category=kind)


def traceback(path: str, name: str, line: int) -> str:
    """Return an issue with a traceback that ends in a function."""
    frame = f'  File "/srv/app/{path}", line {line}, in {name}'
    return f"Crash on start\n\nTraceback (most recent call last):\n{frame}\nValueError: bad value"


def calls_of(asked: Asked) -> tuple[defaultdict[int, set[int]], defaultdict[int, set[int]]]:
    """Return the other definitions that call each definition, and those that it calls."""
    edges, own = find_edges(asked.documents, asked.symbols), len(asked.symbols.names)
    callers: defaultdict[int, set[int]] = defaultdict(set)
    called: defaultdict[int, set[int]] = defaultdict(set)
    calls = edges.kind == EDGE_KINDS.index("calls")
    for source, target in zip(edges.source[calls], edges.target[calls], strict=True):
        if source != target and max(source, target) < own:
            callers[int(target)].add(int(source))
            called[int(source)].add(int(target))
    return callers, called


def file_queries(asked: Asked, drawn: random.Random) -> Iterator[Query]:
    """Yield queries that name files of code, by words or by path."""
    is_code = file_kinds(asked.documents) == FILE_KINDS.index("code")
    by_words: dict[str, list[str]] = defaultdict(list)
    for path in np.array(asked.documents.paths)[is_code].tolist():
        parts = WORD.findall(PurePosixPath(path).stem)
        if len(parts) > 1:
            by_words[" ".join(parts).lower()].append(path)
    for number, words in enumerate(drawn.sample(sorted(by_words), min(DRAWN, len(by_words)))):
        paths = by_words[words]
        same = tuple(Target("file", path, alternative=1) for path in paths)
        yield Query(f"file-{number}", f"where is the {words}", same, category="file")
        path = drawn.choice(paths)
        end = "/".join(PurePosixPath(path).parts[-2:])
        own = (Target("file", path),)
        yield Query(f"path-{number}", f"crash on start, see {end}", own, category="path")


def asked_by_name(suites: str, half: Half, only: str) -> Iterator[Asked]:
    """Yield each repository of a half twice: with queries about definitions, and about files."""
    every = {one.name: one for suite in suites.split(",") for one in asked_by(suite, "all")}
    for name in sorted(repositories_in_half(every, half)):
        if only and name not in only.split(","):
            continue
        asked = every[name]
        for find in (definition_queries, file_queries):
            drawn = random.Random(f"{name} {find.__name__}")  # noqa: S311 - no secret
            queries = tuple(find(asked, drawn))
            problems = resolution_problems(queries, asked.documents, asked.symbols)
            wrong = {problem.query for problem in problems}
            kept = tuple(query for query in queries if query.id not in wrong)
            if kept:
                yield replace(asked, queries=kept, made={})


def main() -> None:
    """Print the tables."""
    parser = parser_of(__doc__, suites=SUITES, retrievers=("lexical",), measures="ndcg_at_10")
    parser.add_argument("--repositories", default="", help="of the half, by default all")
    given = parser.parse_args()
    embedder = Embedder.of(given.embedder, given.store)
    retrievers = given.retrievers.split(",")
    changes = [*OF_DEFINITIONS, *OF_FILES]
    names = [name for one in retrievers for name in (one, *(f"{one} {two}" for two in changes))]
    rows = [
        row
        for asked in asked_by_name(given.suites, given.half, given.repositories)
        for row in rows_of(Rankers(asked, embedder), given, names)
    ]
    for one in retrievers:
        for level, kinds in (("symbol", OF_DEFINITIONS), ("file", OF_FILES)):
            print_kinds([row for row in rows if row["level"] == level], one, kinds)


def print_kinds(rows: Sequence[Row], retriever: str, changes: Sequence[str]) -> None:
    """Print the mean of a retriever for each kind, and its lead over each change of it."""
    kinds = list(dict.fromkeys(row["category"] for row in rows))
    own = [[row for row in rows if row["category"] == kind] for kind in kinds]
    print(f"\n| {retriever} | {' | '.join(kinds)} |")
    print("|---" * (1 + len(kinds)) + "|")
    print(f"| queries | {' | '.join(str(len(each)) for each in own)} |")
    means = (short(np.mean([row[retriever][0] for row in each])).lstrip("+") for each in own)
    print(f"| default | {' | '.join(means)} |")
    for change in changes:
        cells = (differing(each, retriever, f"{retriever} {change}", 0) for each in own)
        print(f"| `{change}` | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
