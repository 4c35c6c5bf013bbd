"""Lexical search: tokenizers, counts of words, and the retrievers that weigh them."""

from retrievers.lexical.bm25 import BM25, BM25Index
from retrievers.lexical.fields import COLUMNS, Fields, FieldsIndex, FieldTexts, field_texts
from retrievers.lexical.grep import Grep, GrepIndex
from retrievers.lexical.names import TIERS, Names, NamesIndex, NameTable, Tier, tiered
from retrievers.lexical.postings import Postings, count_words
from retrievers.lexical.stop_words import STOP_WORDS
from retrievers.lexical.tokenizers import TOKENIZERS, TokenizerName, adjusted_name, tokenize
from retrievers.reading import identifiers

__all__ = [
    "BM25",
    "COLUMNS",
    "STOP_WORDS",
    "TIERS",
    "TOKENIZERS",
    "BM25Index",
    "FieldTexts",
    "Fields",
    "FieldsIndex",
    "Grep",
    "GrepIndex",
    "NameTable",
    "Names",
    "NamesIndex",
    "Postings",
    "Tier",
    "TokenizerName",
    "adjusted_name",
    "count_words",
    "field_texts",
    "identifiers",
    "tiered",
    "tokenize",
]
