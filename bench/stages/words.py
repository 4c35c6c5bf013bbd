"""The data of a lexical index."""

from dataclasses import dataclass
from typing import ClassVar

from bench.pipeline import Read, Record, Stage
from retrievers.interface import Chunks, Documents
from retrievers.lexical import Postings, TokenizerName, count_words


@dataclass(frozen=True)
class CountWords(Stage[Postings]):
    """Count the words of each chunk; weights such as k1 and b come later and share this."""

    kind: ClassVar[str] = "count-words"
    codec: ClassVar[Record[Postings]] = Record(Postings)

    documents: Stage[Documents]
    chunks: Stage[Chunks]
    tokenizer: TokenizerName

    def run(self, read: Read, /) -> Postings:
        """Return the postings."""
        texts = read(self.chunks).texts(read(self.documents))
        return count_words(texts, self.tokenizer)
