"""Ways to cut documents into chunks, and the tokens that their sizes are counted in."""

from retrievers.chunkers.file import File
from retrievers.chunkers.lines import Lines
from retrievers.chunkers.recursive import Recursive
from retrievers.chunkers.rows import ChunkerError
from retrievers.chunkers.token_runs import Tokens
from retrievers.chunkers.tokens import TokenizerError, token_ends, token_lines

TextChunker = Lines | File | Tokens | Recursive
"""What cuts by the text alone."""

__all__ = [
    "ChunkerError",
    "File",
    "Lines",
    "Recursive",
    "TextChunker",
    "TokenizerError",
    "Tokens",
    "token_ends",
    "token_lines",
]
