"""Chunkers, and the tokenizers that count the sizes of chunks."""

from retrievers.chunkers.breaks import Breaks, text_breaks
from retrievers.chunkers.changes import updated_breaks, updated_chunks, updated_tokens
from retrievers.chunkers.counting import recounted
from retrievers.chunkers.definitions import definition_breaks
from retrievers.chunkers.file import File
from retrievers.chunkers.headers import Headers
from retrievers.chunkers.lines import Lines
from retrievers.chunkers.offsets import Offsets, chunks_of_offsets
from retrievers.chunkers.recursive import Recursive
from retrievers.chunkers.semantic import Semantic
from retrievers.chunkers.sentence import Sentence, single_sentences
from retrievers.chunkers.spans import chunks_of_lines
from retrievers.chunkers.symbol import Symbol, WholeDefinitions, whole_definition_breaks
from retrievers.chunkers.syntax import Syntax
from retrievers.chunkers.token_runs import Tokens
from retrievers.chunkers.tokens import (
    BYTE_PAIRS,
    CHARACTERS,
    count_tokens,
    document_token_ends,
    joined_token_ends,
    load_tokenizer,
    token_ends,
    token_lines,
)

TextChunker = Lines | File | Tokens | Recursive | Sentence
"""Chunkers that need only the text."""

SymbolChunker = Syntax | Symbol
"""Chunkers that also need the symbols of the documents."""

__all__ = [
    "BYTE_PAIRS",
    "CHARACTERS",
    "Breaks",
    "File",
    "Headers",
    "Lines",
    "Offsets",
    "Recursive",
    "Semantic",
    "Sentence",
    "Symbol",
    "SymbolChunker",
    "Syntax",
    "TextChunker",
    "Tokens",
    "WholeDefinitions",
    "chunks_of_lines",
    "chunks_of_offsets",
    "count_tokens",
    "definition_breaks",
    "document_token_ends",
    "joined_token_ends",
    "load_tokenizer",
    "recounted",
    "single_sentences",
    "text_breaks",
    "token_ends",
    "token_lines",
    "updated_breaks",
    "updated_chunks",
    "updated_tokens",
    "whole_definition_breaks",
]
