"""Input of a model: the tokens of a text, its window, its prompt and the header above it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from retrievers.dense.settings import EmbeddingModel
from retrievers.errors import ModelError
from retrievers.interface import Integers

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

_SURROGATE = re.compile("[\ud800-\udfff]")
_PATH = re.compile(r"/|\.[A-Za-z]\w*$")
_ENCODED_TOGETHER = 256


@dataclass(frozen=True)
class TokenStarts:
    """Starts of a text's tokens in characters, and which tokens start a word."""

    starts: Integers
    words: Integers
    """Positions among the tokens, ascending."""


@dataclass(frozen=True)
class Reading:
    """Tokens of one text as the model receives them, cut to its window."""

    ids: np.ndarray[tuple[int], np.dtype[np.int32]]
    own: np.ndarray[tuple[int], np.dtype[np.bool_]]
    """Mask of the tokens that belong to the text, without special tokens."""


class Reader:
    """Tokenizer of texts for one model and its settings."""

    def __init__(self, tokenizer: "Tokenizer", settings: EmbeddingModel, *, longest: int) -> None:
        from tokenizers.pre_tokenizers import BertPreTokenizer

        if settings.window > longest:
            message = f"window={settings.window}: {settings.model} reads at most {longest} tokens"
            raise ModelError(message)
        self.settings = settings
        self.window = settings.window or longest
        # The tokenizer itself, never a copy: a large vocabulary takes 100 MB and half a second.
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self._room = self.window - tokenizer.num_special_tokens_to_add(is_pair=False)
        self.additive = isinstance(tokenizer.pre_tokenizer, BertPreTokenizer)
        """Whether the tokens of two joined lines are the tokens of each line, joined."""

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """Return the tokens of texts with the special ones, cut to the window."""
        blocks = (
            [without_surrogates(text) for text in texts[start : start + _ENCODED_TOGETHER]]
            for start in range(0, len(texts), _ENCODED_TOGETHER)
        )
        return [
            Reading(
                np.array(encoding.ids, np.int32),
                np.array(encoding.special_tokens_mask, np.int8) == 0,
            )
            for block in blocks
            for encoding in map(
                self._cut, self._tokenizer.encode_batch(block, add_special_tokens=False)
            )
        ]

    def _cut(self, encoding: "Encoding") -> "Encoding":
        """Return the tokens of a text that fit the window, with the special ones."""
        if len(encoding) > self._room:
            encoding.truncate(self._room)
        has_special = self._room < self.window
        return self._tokenizer.post_process(encoding) if has_special else encoding

    def starts(self, text: str) -> TokenStarts:
        """Return the starts of a text's tokens."""
        encoding = self._tokenizer.encode(without_surrogates(text), add_special_tokens=False)
        starts = np.array([start for start, _ in encoding.offsets], np.int64)
        words = np.array([-2, *(-1 if word is None else word for word in encoding.word_ids)])
        return TokenStarts(starts, np.flatnonzero(words[1:] != words[:-1]))

    def length(self, text: str) -> int:
        """Return the number of tokens of a passage, the prompt and special ones included."""
        whole = self.settings.passage_prompt + without_surrogates(text)
        return len(self._tokenizer.encode(whole).ids)

    def header(self, path: str, above: str = "") -> str:
        """Return the lines above a text: the header of its chunk, or its path.

        Headers of chunks begin with the path, which is not repeated. A path without information,
        such as the id of a document, does not become a header.
        """
        if above:
            return self._fitting(above)
        if not self.settings.path_header or not _PATH.search(path):
            return ""
        return f"{self._ending(path)}\n"

    def _fitting(self, above: str) -> str:
        """Return the part of a header that fits half of the window: the path, then the last lines.

        The lines next to the text are those of the definition that contains it.
        """
        path, *lines = above.removesuffix("\n").split("\n")
        path = self._ending(path)
        room = self.window // 2 - len(self.starts(path).starts)
        kept: list[str] = []
        for line in reversed(lines):
            room -= len(self.starts(line).starts)
            if room < 0:
                break
            kept.append(line)
        return "\n".join([path, *reversed(kept)]) + "\n"

    def _ending(self, path: str) -> str:
        """Return the end of a path that fits half of the window."""
        if len(path) <= self.window // 2:
            return path
        tokens = self.starts(path)
        surplus = len(tokens.starts) - self.window // 2
        if surplus <= 0:
            return path
        later = tokens.words[tokens.words >= surplus]
        return path[int(tokens.starts[later[0] if len(later) else surplus]) :]


def text_token_ends(reader: Reader, text: str) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Return the bytes at which the tokens of a text end, including white space after them.

    Text before the first token belongs to the first token. A text without tokens counts as one.
    """
    starts, offsets = reader.starts(text).starts, byte_offsets(text)
    if offsets is not None:
        starts = offsets[starts]
    size = len(text) if offsets is None else int(offsets[-1])
    return np.append(starts[1:], size)[: max(len(starts), min(size, 1))].astype(np.int32)


def byte_offsets(text: str) -> Integers | None:
    """Return the byte offsets of all characters and of the end; None for ASCII text."""
    if text.isascii():
        return None
    content = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
    return np.append(np.flatnonzero((content & 0xC0) != 0x80), len(content))  # noqa: PLR2004 - UTF-8


def without_surrogates(text: str) -> str:
    """Return a text of the same length without lone surrogates, which tokenizers refuse."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
