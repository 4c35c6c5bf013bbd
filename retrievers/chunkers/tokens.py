"""The ends of the tokens of documents, computed once for all chunkers.

Sizes and budgets are counted in the tokens of a byte-pair encoding. These tokens have no gaps, so
the cumulated lengths of their bytes are their ends.
"""

import gzip
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from retrievers.errors import TokenizerError
from retrievers.interface import Documents, Integers, TokenEnds

# The tokenizer refuses texts of more than 200,000 tokens, and a token has at least one byte.
_PIECE_BYTES = 200_000
# A token always ends after such a line break: the tokenizer joins line breaks only to white space
# and slashes that follow. The expression is greedy and finds the last such break.
_TOKEN_BREAK = re.compile(rb".*\n(?=[^\s/\x80-\xff])", re.DOTALL)
_SURROGATES = re.compile("[\ud800-\udfff]")

BYTE_PAIRS = ("o200k_base", "cl100k_base")
CHARACTERS = "characters"
_EXTENSION = "bpe_openai._bindings"

Ends = np.ndarray[Any, np.dtype[np.int32]]
Lengths = np.ndarray[Any, np.dtype[np.int32]]


def token_ends(documents: Documents, encoding: str = "o200k_base") -> TokenEnds:
    """Return the end of each token of each document."""
    found = (document_token_ends(documents, one, encoding) for one in range(len(documents)))
    return joined_token_ends(list(found))


def count_tokens(texts: Sequence[str], encoding: str = "o200k_base") -> Integers:
    """Return the number of tokens of each text."""
    count = _counter(encoding)
    parts = ([*map(count, _pieces(text, _PIECE_BYTES))] for text in texts)
    return np.array([sum(counts) for counts in parts], np.int64)


def joined_token_ends(of_documents: Sequence[Ends]) -> TokenEnds:
    """Return the token ends of all documents, given the ends of each document."""
    return TokenEnds(
        ends=np.concatenate([np.zeros(0, np.int32), *of_documents]),
        stops=np.cumsum([len(ends) for ends in of_documents], dtype=np.int64),
    )


def document_token_ends(documents: Documents, document: int, encoding: str) -> Ends:
    """Return the end of each token of one document. It depends only on the document's text."""
    if encoding == CHARACTERS:
        return _character_ends(documents, document)
    encode, lengths = _encoder(encoding)
    text = documents.text(document)
    numbers = [number for piece in _pieces(text, _PIECE_BYTES) for number in encode(piece)]
    ends = np.cumsum(lengths[np.array(numbers, np.int64)], dtype=np.int32)
    _check(int(ends[-1]) if len(ends) else 0, documents.size(document), documents.paths[document])
    return ends


def _character_ends(documents: Documents, document: int) -> Ends:
    end = int(documents.ends[document])
    content = documents.content[end - documents.size(document) : end]
    starts = np.flatnonzero((content & 0xC0) != 0x80)  # noqa: PLR2004  # continuation bytes are 10xxxxxx
    return np.append(starts[1:], len(content))[: len(starts)].astype(np.int32)


def token_lines(documents: Documents, tokens: TokenEnds) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Return the line, counted from 1, in which each token starts, in the order of the tokens."""
    lines = np.empty(len(tokens.ends), np.int32)
    start = 0
    for document, stop in enumerate(tokens.stops.tolist()):
        line_starts = documents.line_starts(document)
        lines[start:stop] = np.searchsorted(line_starts, starts_of(tokens.of(document)), "right")
        start = stop
    return lines


def starts_of(ends: Ends) -> Ends:
    """Return the starts of the tokens of one document, given their ends."""
    starts = np.zeros_like(ends)
    starts[1:] = ends[:-1]
    return starts


def _check(counted: int, size: int, path: str) -> None:
    if counted != size:
        message = (
            f"{path}: its tokens make {counted} bytes of {size}, so that offsets would be wrong; "
            "choose another encoding or leave the file out"
        )
        raise TokenizerError(message)


def _pieces(text: str, limit: int) -> Iterator[str]:
    """Yield parts of `text` of at most `limit` bytes, cut between tokens if possible."""
    # A surrogate has no UTF-8 form. Its replacement has the same number of bytes, 3.
    text = text if text.isascii() else _SURROGATES.sub("\ufffd", text)
    content = text.encode()
    if len(content) <= limit:
        yield text
        return
    start = 0
    while start < len(content):
        end = _cut(content, start, limit)
        yield content[start:end].decode()
        start = end


def _cut(content: bytes, start: int, limit: int) -> int:
    end = start + limit
    if end >= len(content):
        return len(content)
    near = start + limit // 2
    found = _TOKEN_BREAK.match(content, near, end + 1)
    if found:
        return found.end()
    line_break = content.rfind(b"\n", near, end)
    if line_break >= 0:
        return line_break + 1
    while not starts_character(content, end):
        end -= 1
    return end


def starts_character(content: bytes | memoryview, place: int) -> bool:
    """Return whether a UTF-8 character starts at `place`."""
    return content[place] & 0xC0 != 0x80  # noqa: PLR2004  # continuation bytes are 10xxxxxx


def load_tokenizer(encoding: str) -> None:
    """Load a tokenizer in advance, so that measured times exclude it."""
    if encoding != CHARACTERS:
        _encoder(encoding)


@lru_cache(maxsize=4)
def _encoder(encoding: str) -> tuple[Callable[[str], Sequence[int]], Lengths]:
    """Return a function from a text to the numbers of its tokens, and the size of each token."""
    module, vocabulary = _extension(), _vocabulary(encoding)
    if module is None or vocabulary is None:
        return _encoder_of_package(encoding)
    encode = module.tokenizer_for_encoding(encoding).encode
    return cast("Callable[[str], Sequence[int]]", encode), _token_lengths(vocabulary)


def _encoder_of_package(encoding: str) -> tuple[Callable[[str], Sequence[int]], Lengths]:
    """Return the same as `_encoder` from the package, which reads all its vocabularies."""
    bpe_openai = _quietly_imported()
    known = bpe_openai.list_encoding_names()
    if encoding not in known:
        message = f"encoding={encoding} is not known; choose one of {', '.join(known)}"
        raise TokenizerError(message)
    found = bpe_openai.get_encoding(encoding)
    lengths = np.array([len(value) for value in found.token_byte_values()], np.int32)
    return found.encode_ordinary, lengths


def _vocabulary(encoding: str) -> Path | None:
    """Return the file with the tokens of an encoding, or None if it is not in the package."""
    files = (Path(place, "data", f"{encoding}.tiktoken.gz") for place in _places())
    return next((file for file in files if encoding in BYTE_PAIRS and file.is_file()), None)


def _token_lengths(vocabulary: Path) -> Lengths:
    """Return the size in bytes of each token, by its number.

    The file has a line per token, in the order of the numbers, with its bytes in base64.
    """
    content = np.frombuffer(gzip.decompress(vocabulary.read_bytes()), np.uint8)
    spaces, breaks = (np.flatnonzero(content == ord(sign)) for sign in " \n")
    letters = spaces - np.append(0, breaks + 1)[: len(spaces)]
    padding = np.count_nonzero([content[spaces - n] == ord("=") for n in (1, 2)], axis=0)
    lengths: Lengths = (letters // 4 * 3 - padding).astype(np.int32)
    return lengths


@lru_cache(maxsize=4)
def _counter(encoding: str) -> Callable[[str], int]:
    """Return a function from a text to the number of its tokens.

    An import of the package reads the vocabularies of all its encodings, which takes half a
    second. Its extension includes the vocabularies, and counting needs nothing else.
    """
    module = _extension()
    if module is None:
        encode, _ = _encoder(encoding)
        return lambda text: len(encode(text))
    return cast("Callable[[str], int]", module.tokenizer_for_encoding(encoding).count)


def _extension() -> ModuleType | None:
    """Return the extension of the tokenizer without its package, or None if it is missing."""
    if _EXTENSION in sys.modules:
        return sys.modules[_EXTENSION]
    spec = PathFinder.find_spec(_EXTENSION, _places())
    if spec is None or spec.loader is None:
        return None
    sys.modules[_EXTENSION] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _places() -> list[str]:
    """Return the folders of the tokenizer's package."""
    package = find_spec("bpe_openai")
    return list(package.submodule_search_locations or ()) if package else []


def _quietly_imported() -> Any:
    """Return the package of the tokenizer. It reads its data with a deprecated function."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import bpe_openai
    return bpe_openai
