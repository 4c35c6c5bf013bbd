"""Search by words: what a word is, and how much its occurrences weigh."""

from retrievers.lexical.bm25 import BM25, BM25Index
from retrievers.lexical.postings import Postings, count_words
from retrievers.lexical.tokenizers import TOKENIZERS, LexicalError, TokenizerName, tokenize

__all__ = [
    "BM25",
    "TOKENIZERS",
    "BM25Index",
    "LexicalError",
    "Postings",
    "TokenizerName",
    "count_words",
    "tokenize",
]
