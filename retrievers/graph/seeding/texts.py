"""What is written of each symbol, in the columns of a full text index."""

from collections.abc import Iterable

from retrievers.graph.model import CodeGraph
from retrievers.interface import Documents
from retrievers.lexical.fields import FieldTexts, Splitter, concepts
from retrievers.lexical.tokenizers import TokenizerName
from retrievers.source import module_name


def symbol_texts(
    graph: CodeGraph, documents: Documents, tokenizer: TokenizerName = "stemmed"
) -> FieldTexts:
    """Return the columns of every symbol; its body is its lines but those of what is in it."""
    count, split = graph.symbol_count, Splitter(tokenizer)
    names, paths = graph.names[:count], [graph.path(node) for node in range(count)]
    modules = {path: module_name(path) + "." for path in graph.files}

    def words(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(split.text, texts))

    return FieldTexts(
        tokenizer=tokenizer,
        symbol_name=words(
            name.removeprefix(modules[path]) for name, path in zip(names, paths, strict=True)
        ),
        concepts=words(map(concepts, paths)),
        qualified_name=words(names),
        signature=words(graph.signatures[:count]),
        path=words(paths),
        doc=words(graph.docs[:count]),
        body=words(own_lines(graph, documents)),
    )


def own_lines(graph: CodeGraph, documents: Documents) -> list[str]:
    """Return the text of each symbol without the definitions inside it."""
    own: list[list[str]] = [[] for _ in range(graph.symbol_count)]
    of_document: dict[int, list[int]] = {}
    for node in range(graph.symbol_count):
        of_document.setdefault(int(graph.document[node]), []).append(node)
    for document, nodes in of_document.items():
        lines = documents.text(document).split("\n")
        owners = _owners(graph, nodes, len(lines))
        for line, owner in zip(lines, owners, strict=True):
            if owner >= 0:
                own[owner].append(line)
    return ["\n".join(lines) for lines in own]


def _owners(graph: CodeGraph, nodes: list[int], lines: int) -> list[int]:
    """Return the innermost symbol of each line, or -1; what is inside comes later in `nodes`."""
    owners = [-1] * lines
    for node in nodes:
        start, end = int(graph.start_line[node]) - 1, int(graph.end_line[node])
        owners[start:end] = [node] * (min(end, lines) - start)
    return owners
