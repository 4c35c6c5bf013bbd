"""Chunking of documents. Tokens and breaks are shared by all chunk sizes."""

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
    updated_breaks,
    updated_chunks,
    updated_tokens,
    whole_definition_breaks,
)
from retrievers.dense import EmbeddingModel
from retrievers.errors import ChunkerError
from retrievers.external import ProgramChunker
from retrievers.interface import Chunks, Documents, TokenEnds
from retrievers.source import Symbols


@dataclass(frozen=True)
class Tokenize(Stage[TokenEnds]):
    """Find the end of every token. Chunks of all sizes are slices of these tokens."""

    kind: ClassVar[str] = "tokenize"
    codec: ClassVar[Record[TokenEnds]] = Record(TokenEnds)

    documents: Stage[Documents]
    encoding: str = "o200k_base"

    def prepare(self) -> None:
        """Load the tokenizer."""
        load_tokenizer(self.encoding)

    def run(self, read: Read, /) -> TokenEnds:
        """Return the end of each token."""
        documents = read(self.documents)
        earlier = read.earlier(self, self.documents)
        if earlier is None:
            tokens = self._found(documents, read)
        else:
            before = (earlier(self.documents), earlier.result)
            tokens = updated_tokens(documents, before, lambda new: self._found(new, read))
        read.count(tokens=len(tokens.ends))
        return tokens

    def _found(self, documents: Documents, read: Read) -> TokenEnds:
        keys, cache = file_digests(documents), f"token-ends-{self.encoding}"

        def ends(number: int) -> Table:
            return document_token_ends(documents, number, self.encoding)

        return joined_token_ends(tables_by_file(read, cache, keys, ends))


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
    """Cut documents with a program of the user."""

    kind: ClassVar[str] = "cut-by-program"
    codec: ClassVar[Record[Chunks]] = Record(Chunks)

    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    chunker: ProgramChunker

    def run(self, read: Read, /) -> Chunks:
        """Return the chunks, and count documents without chunks."""
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
    """Find the breaks of texts: headings, paragraphs, indentation."""

    kind: ClassVar[str] = "find-breaks"
    codec: ClassVar[Record[Breaks]] = Record(Breaks)

    documents: Stage[Documents]
    tokens: Stage[TokenEnds]

    def run(self, read: Read, /) -> Breaks:
        """Return a level for each line."""
        documents, tokens = read(self.documents), read(self.tokens)
        earlier = read.earlier(self, self.documents)
        if earlier is None:
            return text_breaks(documents, tokens)
        return updated_breaks(documents, tokens, (earlier(self.documents), earlier.result))


@dataclass(frozen=True)
class FindDefinitionBreaks(Stage[Breaks]):
    """Find the breaks between definitions, and the breaks of the text inside them."""

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
    """Find the definitions that become chunks, and the breaks between them."""

    kind: ClassVar[str] = "find-whole-definitions"
    codec: ClassVar[Record[WholeDefinitions]] = Record(WholeDefinitions)

    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    symbols: Stage[Symbols]

    def run(self, read: Read, /) -> WholeDefinitions:
        """Return the definitions with the breaks around them."""
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
        earlier = read.earlier(self, self.documents, self.breaks)
        if earlier is None:
            chunks = self.chunker.pack(documents, tokens, breaks)
        else:
            before = (earlier(self.documents), earlier(self.breaks), earlier.result)
            pack = self.chunker.pack
            chunks = updated_chunks(documents, tokens, breaks, before=before, pack=pack)
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
    """Put a header with the origin above each chunk."""

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
    """Recount chunks in the tokens of the measures, if they were cut by other tokens."""

    kind: ClassVar[str] = "count-again"
    codec: ClassVar[Record[Chunks]] = Record(Chunks)

    chunks: Stage[Chunks]
    documents: Stage[Documents]
    tokens: Stage[TokenEnds]

    def run(self, read: Read, /) -> Chunks:
        """Return the chunks with their positions in the tokens of the measures."""
        return recounted(read(self.chunks), read(self.documents), read(self.tokens))


@dataclass(frozen=True)
class DescribeChunks(Stage[ChunkFacts]):
    """Compute statistics of the chunks of a repository."""

    kind: ClassVar[str] = "describe-chunks"
    codec: ClassVar[Record[ChunkFacts]] = Record(ChunkFacts)

    chunks: Stage[Chunks]
    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    symbols: Stage[Symbols]

    def run(self, read: Read, /) -> ChunkFacts:
        """Return the statistics."""
        documents, symbols = read(self.documents), read(self.symbols)
        return ChunkFacts.of(read(self.chunks), documents, read(self.tokens), symbols)


AnyChunker = TextChunker | SymbolChunker | ProgramChunker | Semantic


@dataclass(frozen=True)
class Cuttable:
    """Inputs of chunking."""

    documents: Stage[Documents]
    tokens: Stage[TokenEnds]
    symbols: Stage[Symbols]
    sizes: Stage[TokenEnds]
    """Token ends that measure the size of chunks."""
    model: EmbeddingModel | None = None
    """Model whose sentence vectors find the ends of topics."""

    def headed(self, chunker: AnyChunker, headers: Headers | None) -> Stage[Chunks]:
        """Return the stage that makes chunks, including recounting and headers."""
        chunks = self.cut(chunker)
        if self.sizes.fingerprint != self.tokens.fingerprint:
            chunks = CountAgain(chunks, self.documents, self.tokens)
        if headers is None:
            return chunks
        return AddHeaders(chunks, self.documents, self.symbols, headers)

    def cut(self, chunker: AnyChunker) -> Stage[Chunks]:
        """Return the stage that cuts. It depends on symbols only if the chunker uses them."""
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
