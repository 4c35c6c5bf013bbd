"""From documents to chunks: tokens and breaks are found once, whatever sizes are cut from them."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bench.engine import Read, Record, Stage
from bench.errors import EngineError
from bench.measures import ChunkFacts
from bench.stages.by_file import Table, file_digests, tables_by_file
from bench.stages.semantic import CutAtTopics
from retrievers.chunkers import (
    Breaks,
    Headers,
    Recursive,
    Semantic,
    Symbol,
    SymbolChunker,
    Syntax,
    TextChunker,
    WholeDefinitions,
    definition_breaks,
    document_token_ends,
    joined_token_ends,
    load_tokenizer,
    recounted,
    text_breaks,
    whole_definition_breaks,
)
from retrievers.dense import EmbeddingModel
from retrievers.errors import ChunkerError
from retrievers.external import ProgramChunker
from retrievers.interface import Chunks, Documents, TokenEnds
from retrievers.source import Symbols


@dataclass(frozen=True)
class Tokenize(Stage[TokenEnds]):
    """Find every token once; chunks of all sizes are slices of them."""

    kind: ClassVar[str] = "tokenize"
    codec: ClassVar[Record[TokenEnds]] = Record(TokenEnds)

    documents: Stage[Documents]
    encoding: str = "o200k_base"

    def prepare(self) -> None:
        """Load the tokenizer."""
        load_tokenizer(self.encoding)

    def run(self, read: Read, /) -> TokenEnds:
        """Return where each token ends."""
        documents = read(self.documents)
        keys, cache = file_digests(documents), f"token-ends-{self.encoding}"

        def ends(number: int) -> Table:
            return document_token_ends(documents, number, self.encoding)

        tokens = joined_token_ends(tables_by_file(read, cache, keys, ends))
        read.count(tokens=len(tokens.ends))
        return tokens


@dataclass(frozen=True)
class Cut(Stage[Chunks]):
    """Cut documents into chunks by their tokens alone."""

    kind: ClassVar[str] = "cut"
    codec: ClassVar[Record[Chunks]] = Record(Chunks)

    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    chunker: TextChunker

    def run(self, read: Read, /) -> Chunks:
        """Return the chunks."""
        chunks = self.chunker.cut(read(self.documents), read(self.tokens))
        read.count(chunks=len(chunks))
        return chunks


@dataclass(frozen=True)
class CutByProgram(Stage[Chunks]):
    """Let a program of the user cut documents."""

    kind: ClassVar[str] = "cut-by-program"
    codec: ClassVar[Record[Chunks]] = Record(Chunks)

    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    chunker: ProgramChunker

    def run(self, read: Read, /) -> Chunks:
        """Return the chunks; documents without any are counted."""
        documents = read(self.documents)
        try:
            chunks = self.chunker.cut(documents, read(self.tokens))
        except ChunkerError as error:
            raise EngineError(f"chunker: {error}") from error
        read.count(
            chunks=len(chunks), uncut_documents=len(documents) - len(np.unique(chunks.document))
        )
        return chunks


@dataclass(frozen=True)
class FindBreaks(Stage[Breaks]):
    """Find the breaks that texts have: headings, paragraphs, indentation."""

    kind: ClassVar[str] = "find-breaks"
    codec: ClassVar[Record[Breaks]] = Record(Breaks)

    documents: Stage[Documents]
    tokens: Stage[TokenEnds]

    def run(self, read: Read, /) -> Breaks:
        """Return a level for each line."""
        return text_breaks(read(self.documents), read(self.tokens))


@dataclass(frozen=True)
class FindDefinitionBreaks(Stage[Breaks]):
    """Find the breaks between definitions, and inside them those of the text."""

    kind: ClassVar[str] = "find-definition-breaks"
    version: ClassVar[int] = 2
    codec: ClassVar[Record[Breaks]] = Record(Breaks)

    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    symbols: Stage[Symbols]

    def run(self, read: Read, /) -> Breaks:
        """Return a level for each line."""
        return definition_breaks(read(self.documents), read(self.tokens), read(self.symbols))


@dataclass(frozen=True)
class FindWholeDefinitions(Stage[WholeDefinitions]):
    """Find the definitions that are chunks, and the breaks of what is around them."""

    kind: ClassVar[str] = "find-whole-definitions"
    codec: ClassVar[Record[WholeDefinitions]] = Record(WholeDefinitions)

    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    symbols: Stage[Symbols]

    def run(self, read: Read, /) -> WholeDefinitions:
        """Return their lines."""
        documents, tokens, symbols = read(self.documents), read(self.tokens), read(self.symbols)
        return whole_definition_breaks(documents, tokens, symbols)


@dataclass(frozen=True)
class CutAtBreaks(Stage[Chunks]):
    """Pack documents into chunks that end at their strongest breaks."""

    kind: ClassVar[str] = "cut-at-breaks"
    codec: ClassVar[Record[Chunks]] = Record(Chunks)

    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    breaks: Stage[Breaks]
    chunker: Recursive | Syntax

    def run(self, read: Read, /) -> Chunks:
        """Return the chunks."""
        documents, tokens, breaks = read(self.documents), read(self.tokens), read(self.breaks)
        chunks = self.chunker.pack(documents, tokens, breaks)
        read.count(chunks=len(chunks))
        return chunks


@dataclass(frozen=True)
class CutAtDefinitions(Stage[Chunks]):
    """Make a chunk of each definition."""

    kind: ClassVar[str] = "cut-at-definitions"
    version: ClassVar[int] = 2
    codec: ClassVar[Record[Chunks]] = Record(Chunks)

    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    definitions: Stage[WholeDefinitions]
    chunker: Symbol

    def run(self, read: Read, /) -> Chunks:
        """Return the chunks."""
        definitions = read(self.definitions)
        chunks = self.chunker.pack(read(self.documents), read(self.tokens), definitions)
        read.count(chunks=len(chunks))
        return chunks


@dataclass(frozen=True)
class AddHeaders(Stage[Chunks]):
    """Put above each chunk where it is from."""

    kind: ClassVar[str] = "add-headers"
    codec: ClassVar[Record[Chunks]] = Record(Chunks)

    chunks: Stage[Chunks]
    documents: Stage[Documents]
    symbols: Stage[Symbols]
    headers: Headers

    def run(self, read: Read, /) -> Chunks:
        """Return the chunks with their headers."""
        chunks, documents = read(self.chunks), read(self.documents)
        return self.headers.added(chunks, documents, read(self.symbols))


@dataclass(frozen=True)
class CountAgain(Stage[Chunks]):
    """Count chunks again that were cut by other tokens, in the tokens that measures use."""

    kind: ClassVar[str] = "count-again"
    codec: ClassVar[Record[Chunks]] = Record(Chunks)

    chunks: Stage[Chunks]
    documents: Stage[Documents]
    tokens: Stage[TokenEnds]

    def run(self, read: Read, /) -> Chunks:
        """Return the chunks with their places among the tokens."""
        return recounted(read(self.chunks), read(self.documents), read(self.tokens))


@dataclass(frozen=True)
class DescribeChunks(Stage[ChunkFacts]):
    """Count what a way of cutting makes of a repository."""

    kind: ClassVar[str] = "describe-chunks"
    codec: ClassVar[Record[ChunkFacts]] = Record(ChunkFacts)

    chunks: Stage[Chunks]
    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    symbols: Stage[Symbols]

    def run(self, read: Read, /) -> ChunkFacts:
        """Return the counts."""
        documents, symbols = read(self.documents), read(self.symbols)
        return ChunkFacts.of(read(self.chunks), documents, read(self.tokens), symbols)


AnyChunker = TextChunker | SymbolChunker | ProgramChunker | Semantic


@dataclass(frozen=True)
class Cuttable:
    """What chunks are made of."""

    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    symbols: Stage[Symbols]
    sizes: Stage[TokenEnds]
    """The tokens that the size of chunks is counted in."""
    model: EmbeddingModel | None = None
    """The model whose vectors of sentences decide where a topic ends."""

    def headed(self, chunker: AnyChunker, headers: Headers | None) -> Stage[Chunks]:
        """Return the stage that cuts, or the one that puts headers above what is cut."""
        chunks = self.cut(chunker)
        if self.sizes.fingerprint != self.tokens.fingerprint:
            chunks = CountAgain(chunks, self.documents, self.tokens)
        if headers is None:
            return chunks
        return AddHeaders(chunks, self.documents, self.symbols, headers)

    def cut(self, chunker: AnyChunker) -> Stage[Chunks]:
        """Return the stage that cuts; only those that need symbols depend on them."""
        documents, tokens = self.documents, self.sizes
        if isinstance(chunker, Symbol):
            definitions = FindWholeDefinitions(documents, tokens, self.symbols)
            return CutAtDefinitions(documents, tokens, definitions, chunker)
        if isinstance(chunker, ProgramChunker):
            return CutByProgram(documents, tokens, chunker)
        if isinstance(chunker, Semantic):
            return self._cut_at_topics(chunker)
        if not isinstance(chunker, Recursive | Syntax):
            return Cut(documents, tokens, chunker)
        breaks: Stage[Breaks] = FindBreaks(documents, tokens)
        if isinstance(chunker, Syntax):
            breaks = FindDefinitionBreaks(documents, tokens, self.symbols)
        return CutAtBreaks(documents, tokens, breaks, chunker)

    def _cut_at_topics(self, chunker: Semantic) -> CutAtTopics:
        if self.model is None:
            raise EngineError("chunker=semantic: has no model. Choose one with embedder=.")
        return CutAtTopics.of(self.documents, self.sizes, chunker, self.model)
