"""`rankgrid show`: the chunks and symbols of a file or a folder."""

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.cli.cutting import add_chunker_flags, chosen_chunker, cut
from bench.cli.json_flag import add_json_flag, print_json
from bench.cli.shown_documents import add_source, documents_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.measures import ChunkFacts
    from bench.settings.chunking import Chunker
    from retrievers.chunkers import Headers
    from retrievers.interface import Chunks, Documents, TokenEnds
    from retrievers.source import Symbols

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - it has no public name

_WIDTH = 60
"""Maximum characters of a chunk's first line."""


def add_commands(commands: "Commands") -> None:
    """Add `show` and its subcommands to the command line."""
    show = commands.add_parser(
        "show", help="show how files are cut into chunks, and their symbols"
    )
    things = show.add_subparsers(required=True, metavar="THING")
    chunks = things.add_parser("chunks", help="show how a file or a folder is cut into chunks")
    add_source(chunks)
    add_chunker_flags(chunks)
    chunks.add_argument("--header", default="off", help="off, path, scope or full (default: off)")
    chunks.add_argument("--list", action="store_true", help="also list the chunks of a folder")
    chunks.add_argument("--text", action="store_true", help="print the text between boundaries")
    add_json_flag(
        chunks,
        "chunks (each with path, start, end, tokens, text; text with --text), facts",
    )
    chunks.set_defaults(command=_chunks)
    symbols = things.add_parser("symbols", help="show the symbols that a file or a folder defines")
    add_source(symbols)
    add_json_flag(
        symbols,
        "symbols (each with name, kind, visibility, path, start, end), files, unparsed",
    )
    symbols.set_defaults(command=_symbols)


def _chunks(found: argparse.Namespace) -> int:
    from bench.settings.chunking import parse_headers

    chunker, headers = chosen_chunker(found), parse_headers({"header": found.header})
    shown = documents_of(found)
    cutting = _Cutting.of(shown.documents, chunker, headers, found.encoding)
    if found.json:
        print_json(cutting.as_json(texts=found.text))
        return 0
    if found.text or found.list or shown.is_file:
        cutting.print_chunks(texts=found.text)
    cutting.print_facts()
    return 0


def _symbols(found: argparse.Namespace) -> int:
    from retrievers.source import find_symbols

    documents = documents_of(found).documents
    symbols = find_symbols(documents)
    if found.json:
        print_json(_symbols_as_json(symbols, documents))
        return 0
    for row, name in enumerate(symbols.names):
        path = documents.paths[int(symbols.document[row])]
        lines = f"{symbols.start_line[row]}-{symbols.end_line[row]}"
        kind = f"{symbols.visibility[row]} {symbols.kinds[row]}"
        print(f"{path}:{lines}  {kind:<21} {name}")
    print(f"{len(symbols)} symbols, {len(documents)} files")
    for number in symbols.unparsed.tolist():
        print(f"{documents.paths[number]}: too much for the parser; defines nothing here")
    return 0


def _symbols_as_json(symbols: "Symbols", documents: "Documents") -> dict[str, object]:
    rows = [
        {
            "name": name,
            "kind": symbols.kinds[row],
            "visibility": symbols.visibility[row],
            "path": documents.paths[int(symbols.document[row])],
            "start": int(symbols.start_line[row]),
            "end": int(symbols.end_line[row]),
        }
        for row, name in enumerate(symbols.names)
    ]
    unparsed = [documents.paths[number] for number in symbols.unparsed.tolist()]
    return {"symbols": rows, "files": len(documents), "unparsed": unparsed}


@dataclass(frozen=True)
class _Cutting:
    """Documents with the chunks of a chunker."""

    documents: "Documents"
    tokens: "TokenEnds"
    symbols: "Symbols"
    chunks: "Chunks"

    @classmethod
    def of(
        cls,
        documents: "Documents",
        chunker: "Chunker",
        headers: "Headers | None",
        encoding: str,
    ) -> "_Cutting":
        from retrievers.chunkers import token_ends
        from retrievers.source import find_symbols

        tokens, symbols = token_ends(documents), find_symbols(documents)
        chunks = cut(chunker, documents, tokens, symbols, encoding)
        if headers is not None:
            chunks = headers.added(chunks, documents, symbols)
        return cls(documents, tokens, symbols, chunks)

    def print_chunks(self, *, texts: bool) -> None:
        """Print a line per chunk, and with `texts` the text below it."""
        for number in range(len(self.chunks)):
            span = self.chunks.span(number, self.documents)
            tokens = int(self.chunks.end_token[number] - self.chunks.start_token[number])
            head = f"{span.path}:{span.start}-{span.end}  {tokens} tokens"
            lines = self.chunks.text(number, self.documents).splitlines()
            if texts:
                print(f"── {number + 1}: {head}")
                shown = self.chunks.shown(number, self.documents).splitlines()
                print("\n".join(line.expandtabs(4) for line in shown))
            else:
                begins = next((line.strip() for line in lines if line.strip()), "")
                print(f"{number + 1:>5}  {head:<40}  {begins[:_WIDTH]}")

    def as_json(self, *, texts: bool) -> dict[str, object]:
        """Return the chunks, with `texts` including their text, and the totals."""
        facts, numbers = self._facts()
        rows: list[dict[str, object]] = []
        for number in range(len(self.chunks)):
            span = self.chunks.span(number, self.documents)
            tokens = int(self.chunks.end_token[number] - self.chunks.start_token[number])
            row = {"path": span.path, "start": span.start, "end": span.end, "tokens": tokens}
            shown = {"text": self.chunks.shown(number, self.documents)} if texts else {}
            rows.append({**row, **shown})
        whole = {"tokens": facts.document_tokens, "lines": facts.lines}
        return {"chunks": rows, "facts": {**whole, "files": len(self.documents), **numbers}}

    def _facts(self) -> "tuple[ChunkFacts, Mapping[str, float | None]]":
        from bench.measures import ChunkFacts, chunk_numbers

        facts = ChunkFacts.of(self.chunks, self.documents, self.tokens, self.symbols)
        return facts, chunk_numbers([facts])

    def print_facts(self) -> None:
        """Print totals of the documents and chunks."""
        facts, numbers = self._facts()
        print(f"{facts.document_tokens} tokens, {facts.lines} lines, {len(self.documents)} files")
        for name, number in numbers.items():
            print(f"  {name:<22} {_shown(name, number)}")


def _shown(name: str, number: float | None) -> str:
    if number is None:
        return "-"
    if name.endswith("_share"):
        return f"{number:.1%}"
    return f"{number:.1f}" if isinstance(number, float) else str(number)
