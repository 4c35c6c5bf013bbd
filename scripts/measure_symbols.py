"""Measure the symbols of real code against other parsers: `ast`, and TypeScript's own.

Run as `python scripts/measure_symbols.py [python|typescript|javascript] [--different]`. A
definition is the same if both know it by the same qualified name and kind, from the same first
line to the same last one; the share is of all that either of them finds. Definitions of kinds that
a parser is not asked for (Python's variables and fields) are left out. `--different` prints what
only one of them finds. TypeScript's parser is fetched from npm's registry, checked, and run by
node; `ast` only sees files that this version of Python can parse.
"""

import argparse
import ast
import hashlib
import json
import re
import subprocess
import tarfile
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from measure_source import DJANGO

from bench.corpora import NpmSource, Source, read_source
from retrievers.interface import Documents
from retrievers.source import Symbols, find_symbols, language_of, module_name

PROGRAM = Path(__file__).with_name("definitions_of_typescript.js")
TYPESCRIPT, TYPESCRIPT_SHA256 = (
    "typescript@5.6.3",
    "ef67f8d8ad895858024b7339d3e34bf112cae3c5db1f538c3079038b17ae30fa",
)
SOURCES: dict[str, tuple[Source, ...]] = {
    "python": (DJANGO,),
    "typescript": (
        NpmSource(
            "rxjs", "7.8.1", "c532167725ab7d085123209156c93cef22f2479cb9c8527060f1cd903aa9d149"
        ),
        NpmSource(
            "vue", "2.7.16", "4f17d3265ff02a297224db426cc6a36c168b7f788f67de9440823432c75e3bd9"
        ),
    ),
    "javascript": (
        NpmSource(
            "kafkajs", "2.2.4", "c814f61afbb2b42e314a5e17780475e6a15aa47bbd33b126b81123e69b02a6f6"
        ),
        NpmSource(
            "express", "4.19.2", "1b18c90e7e9fc4cb3e4dfe6b5f11c21b85509162e88ca5c6b63b9c6b5ca085bf"
        ),
        NpmSource(
            "three", "0.160.0", "1ee2f935c4f555814b388e87b5ef78a44856bd2e9d0feb88643a6e193fb42856"
        ),
    ),
}
COMMENTS = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)


@dataclass(frozen=True, order=True)
class Definition:
    """A definition with its name within the file, its kind, and its first and last line."""

    path: str
    name: str
    kind: str
    first: int
    last: int


def main() -> None:
    """Compare the requested languages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", nargs="?", choices=SOURCES, help="by default all")
    parser.add_argument("--different", action="store_true")
    given = parser.parse_args()
    for language in [given.language] if given.language else SOURCES:
        for source in SOURCES[language]:
            compare(language, source, shows_different=given.different)


def compare(language: str, source: Source, *, shows_different: bool) -> None:
    """Print the agreement of both parsers on a source."""
    documents = read_source(source).documents
    theirs, unreadable = others(language, documents)
    symbols = find_symbols(documents)
    ours = found(language, documents, symbols)
    wanted = Counter(one for held in theirs.values() for one in held)
    known = Counter(one for one in ours if one.path in theirs)
    same, either = (wanted & known).total(), (wanted | known).total()
    print(
        f"{language:10} {source.package} {source.version}: {len(theirs)} files"
        f" ({unreadable} more that only one can read), {wanted.total()} definitions,"
        f" {known.total()} found, {same} the same = {same / max(1, either):.3%}"
    )
    if shows_different:
        for mark, left in (("-", wanted - known), ("+", known - wanted)):
            for one in sorted(left):
                print(f"  {mark} {one.path}:{one.first}-{one.last} {one.kind} {one.name}")


def others(language: str, documents: Documents) -> tuple[dict[str, list[Definition]], int]:
    """Return the definitions of another parser by file, and the number of unreadable files."""
    texts = {
        path: documents.text(number)
        for number, path in enumerate(documents.paths)
        if (one := language_of(path)) and one.name == language
    }
    found = by_ast(texts) if language == "python" else by_typescript(texts)
    return found, len(texts) - len(found)


def found(language: str, documents: Documents, symbols: Symbols) -> Iterator[Definition]:
    """Yield our symbols in the form of the other parsers."""
    for row, name in enumerate(symbols.names):
        document = int(symbols.document[row])
        path = documents.paths[document]
        kind = kind_of(row, symbols, language)
        if kind:
            inner = name.removeprefix(f"{module_name(path)}.")
            first = first_line(row, documents, symbols, language)
            yield Definition(path, inner, kind, first, int(symbols.end_line[row]))


def kind_of(row: int, symbols: Symbols, language: str) -> str:
    """Return a symbol's kind in the other parser's terms, or "" without an equivalent."""
    kind, parent = symbols.kinds[row], int(symbols.parent[row])
    if language != "python":
        return {"constant": "variable", "module": "namespace"}.get(kind, kind)
    if kind in ("constructor", "overload"):
        return "method" if parent >= 0 and symbols.kinds[parent] == "class" else "function"
    return kind if kind in ("class", "function", "method") else ""


def first_line(row: int, documents: Documents, symbols: Symbols, language: str) -> int:
    """Return the first line of a definition without the comments above it."""
    line = int(symbols.start_line[row])
    if language == "python":
        return line
    document = int(symbols.document[row])
    start, end = int(symbols.start_byte[row]), int(symbols.end_byte[row])
    comments = COMMENTS.match(documents.slice(document, start, end))
    return line + comments.group().count("\n") if comments else line


def by_ast(texts: dict[str, str]) -> dict[str, list[Definition]]:
    """Return the definitions of Python's own parser in files that it can parse."""
    definitions: dict[str, list[Definition]] = {}
    for path, text in texts.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                tree = ast.parse(text)
            except (SyntaxError, ValueError):
                continue
        definitions[path] = list(of_node(tree, path))
    return definitions


def of_node(node: ast.AST, path: str, prefix: str = "", around: str = "") -> Iterator[Definition]:
    """Yield the definitions below a node."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            kind = "class" if isinstance(child, ast.ClassDef) else "function"
            is_method = kind == "function" and around == "class"
            first = min([child.lineno, *(one.lineno for one in child.decorator_list)])
            name, last = f"{prefix}{child.name}", child.end_lineno or child.lineno
            yield Definition(path, name, "method" if is_method else kind, first, last)
            yield from of_node(child, path, f"{name}.", kind)
        else:
            yield from of_node(child, path, prefix, around)


def by_typescript(texts: dict[str, str]) -> dict[str, list[Definition]]:
    """Return the definitions of TypeScript's parser in files that it can parse."""
    with tempfile.TemporaryDirectory() as folder:
        parser = fetch_typescript(Path(folder))
        done = subprocess.run(
            ["/usr/bin/env", "node", str(PROGRAM), str(parser)],
            input=json.dumps(texts).encode(),
            capture_output=True,
            check=True,
        )
    return {
        path: [Definition(path, *one) for one in answer["found"]]
        for path, answer in json.loads(done.stdout).items()
        if not answer["faults"]
    }


def fetch_typescript(folder: Path) -> Path:
    """Download the pinned parser into a folder and return its path."""
    command = ["/usr/bin/env", "npm", "pack", "--silent", TYPESCRIPT, "--pack-destination", folder]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    archive = next(folder.glob("*.tgz"))
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    if digest != TYPESCRIPT_SHA256:
        message = f"{TYPESCRIPT} has sha256 {digest}, not the pinned one; do not run it"
        raise SystemExit(message)
    with tarfile.open(archive) as held:
        held.extract("package/lib/typescript.js", folder, filter="data")
    return folder / "package" / "lib" / "typescript.js"


if __name__ == "__main__":
    main()
