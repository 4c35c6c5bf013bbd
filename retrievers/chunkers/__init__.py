"""Ways to cut documents into chunks, and the tokens that their sizes are counted in."""

from retrievers.chunkers.file import File
from retrievers.chunkers.lines import Lines
from retrievers.chunkers.rows import ChunkerError
from retrievers.chunkers.tokens import TokenizerError, token_ends, token_lines

__all__ = ["ChunkerError", "File", "Lines", "TokenizerError", "token_ends", "token_lines"]
