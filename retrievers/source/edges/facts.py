"""The facts of a tree, read document by document when they are needed."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from retrievers.interface import Documents
from retrievers.source.edges.names import Names
from retrievers.source.edges.uses import BINDING, Uses
from retrievers.source.parsing import Fact, Parsing
from retrievers.source.symbols import Symbols


class Facts:
    """The facts of the documents of a tree, except those that exceeded a limit of the parser."""

    def __init__(
        self, documents: Documents, symbols: Symbols, names: Names, parsing: Parsing
    ) -> None:
        self._documents = documents
        self._symbols = symbols
        self._names = names
        self._parsing = parsing
        unparsed = set(symbols.unparsed.tolist())
        self._languages = {
            number: language
            for number, language in enumerate(names.languages)
            if language and language.edges and number not in unparsed
        }
        self.missing: list[int] = []
        """The documents that exceeded a limit."""

    def uses(self, documents: Iterable[int]) -> Uses:
        """Return the facts of some documents; bindings of others are read when needed."""
        uses = Uses(self._names, self._read_bindings, set(self._languages))
        for document in documents:
            uses.unread.discard(document)
            self._read(document, uses, self._facts(document))
        return uses

    def expect(self, documents: Iterable[int] | None = None) -> None:
        """Load the known answers of the parser at once, for all documents by default."""
        documents = self._languages if documents is None else documents
        ours = [(self._languages[one], one) for one in documents if one in self._languages]
        sources = ((language, self._documents.source(one)) for language, one in ours)
        self._parsing.expect("facts", sources)

    def _facts(self, document: int) -> list[Fact]:
        language = self._languages.get(document)
        if language is None:
            return []
        facts = self._parsing.facts(language, self._documents.source(document))
        if facts is None:
            self.missing.append(document)
        return facts or []

    def _read_bindings(self, document: int, uses: Uses) -> None:
        """Add the facts of a document that can decide a name in another document."""
        facts = self._facts(document)
        self._read(document, uses, [fact for fact in facts if fact.what in BINDING])

    def _read(self, document: int, uses: Uses, facts: list[Fact]) -> None:
        if facts:
            uses.add(document, self._placed(document, facts))

    def _placed(self, document: int, facts: Sequence[Fact]) -> Iterator[tuple[Fact, int, int]]:
        """Yield each fact with the row of the innermost definition around it, or -1, and its line.

        Facts are in the order of their offsets, so one pass over the definitions is enough:
        `around` is the stack of the definitions that are open at a fact.
        """
        ordered = sorted(facts, key=lambda fact: fact.start)
        starts = np.array([fact.start for fact in ordered])
        lines = np.searchsorted(self._documents.line_starts(document), starts, side="right")
        rows = self._names.rows_of.get(document, range(0))
        begun = self._symbols.start_byte[rows.start : rows.stop].tolist()
        ended = self._symbols.end_byte[rows.start : rows.stop].tolist()
        around: list[int] = []
        following = 0
        for fact, line in zip(ordered, lines.tolist(), strict=True):
            while following < len(rows) and begun[following] <= fact.start:
                around.append(following)
                following += 1
            while around and ended[around[-1]] <= fact.start:
                around.pop()
            yield fact, rows[around[-1]] if around else -1, line
