"""The words of a query with their weights, for each `reading` mode."""

from collections import Counter
from collections.abc import Iterable, Mapping

from retrievers.errors import LexicalError
from retrievers.lexical.stop_words import QUESTION_WORDS, STOP_WORDS
from retrievers.lexical.tokenizers import TokenizerName, tokenize, tokenizer_named
from retrievers.reading import MODES, Mode, read_query

_SAY_NOTHING = STOP_WORDS | QUESTION_WORDS


def query_words(query: str, tokenizer: TokenizerName, mode: Mode) -> Mapping[str, float]:
    """Return the tokens of a query with their weights.

    reading=plain: the weight is the number of occurrences, as in published BM25. reading=parts:
    the weight is the sum of the weights of the parts that have the token. Stop words and question
    words are excluded there, unless the query has no other words.
    """
    if mode == "plain":
        return Counter(tokenize(query, tokenizer))
    weights: dict[str, float] = {}
    for part in read_query(query).parts:
        for token in _telling(part.text, tokenizer):
            weights[token] = weights.get(token, 0.0) + part.weight
    return weights or dict.fromkeys(tokenize(query, tokenizer), 1.0)


def check_mode(mode: str) -> None:
    """Raise an error for an unknown mode."""
    if mode not in MODES:
        raise LexicalError(f"reading={mode} is not known; choose one of {', '.join(MODES)}")


def _telling(text: str, tokenizer: TokenizerName) -> Iterable[str]:
    """Return the distinct tokens of the words that are not stop words or question words."""
    kind = tokenizer_named(tokenizer)
    words = (word for word in kind.find(text) if word.lower() not in _SAY_NOTHING)
    return dict.fromkeys(token for word in words for token in kind.expand(word))
