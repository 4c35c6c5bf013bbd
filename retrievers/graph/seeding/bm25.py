"""The channel that finds symbols by the words of their names, signatures, paths and docs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from retrievers.errors import SeedError
from retrievers.graph.seeding.channel import Asked, Finds, best_scored
from retrievers.graph.seeding.keywords import parts
from retrievers.graph.seeding.terms import path_terms
from retrievers.graph.seeding.texts import SeedTexts
from retrievers.graph.seeding.thesaurus import related
from retrievers.lexical.fields import Fields, Splitter
from retrievers.lexical.full_text import FullText, all_of, any_of, in_column, phrase, prefix


@dataclass(frozen=True)
class BM25Seeds:
    """Settings of the queries to the full-text index, and the maximum number of symbols."""

    limit: int = 60
    fields: Fields = field(default_factory=lambda: Fields("stemmed"))
    thesaurus: bool = True
    """Whether synonyms of the words are also searched."""
    phrases: bool = True
    """Whether the words of a compound in a row count a second time."""
    path_terms: bool = True
    """Whether possible names of folders count a second time if they are in the path."""
    path_letters: int = 4
    decompose: bool = True
    """Whether compounds are split into parts if none of them is the name of a symbol."""
    part_letters: int = 3
    words: int = 100
    """Maximum number of single words of a task that are searched."""

    def __post_init__(self) -> None:
        """Raise an error for limits below 1."""
        for name in ("limit", "path_letters", "part_letters", "words"):
            if getattr(self, name) < 1:
                raise SeedError(f"{name}={getattr(self, name)} is out of range; choose 1 or more")


class BM25Channel:
    """Finds symbols that share words with the task."""

    def __init__(self, texts: SeedTexts, settings: BM25Seeds) -> None:
        self._table = FullText.opened(texts.table, settings.fields.weights)
        self._split = Splitter(texts.tokenizer)
        self._settings = settings

    def find(self, asked: Asked) -> Finds:
        """Return the symbols with the highest scores."""
        scores = self._table.scores(any_of(self._expressions(asked)))
        return best_scored(scores, asked, self._settings.limit)

    def _expressions(self, asked: Asked) -> Iterator[str]:
        own = self._settings
        compounds = _distinct((*asked.keywords.exact, *asked.keywords.compounds))
        words = [word.lower() for word in _distinct(asked.keywords.components)[: own.words]]
        yield from self._named(compounds, asked.task.lower())
        yield from map(self._said, words)
        if own.thesaurus:
            yield from map(self._said, related(words))
        if own.phrases:
            yield from (self._said(" ".join(parts(name))) for name in compounds)
        if own.path_terms and "path" in self._table.columns:
            terms = path_terms(asked.task, own.path_letters)
            yield from (in_column("path", prefix(self._split.text(term))) for term in terms)

    def _said(self, words: str) -> str:
        """Return the expression for words in a row, split like the texts of the index."""
        return phrase(self._split.text(words).split())

    def _named(self, compounds: list[str], task: str) -> Iterator[str]:
        """Yield an expression for symbols with these names, or else expressions for their parts.

        Compounds that are not in the task as written are not split: their words are searched
        anyway.
        """
        if "symbol_name" not in self._table.columns:
            return
        whole = any_of(map(self._called, compounds))
        if self._table.has(whole):
            yield whole
        elif self._settings.decompose:
            said = (name for name in compounds if name.lower() in task)
            yield from (self._called(piece) for name in said for piece in self._pieces(name))

    def _pieces(self, compound: str) -> Iterator[str]:
        """Yield the last part of a qualified name, and the words of this part."""
        last = compound.rpartition(".")[2]
        if last != compound:
            yield last
        yield from (part for part in parts(last) if len(part) >= self._settings.part_letters)

    def _called(self, name: str) -> str:
        """Return the expression for symbols whose names have every segment of a name."""
        # The tokenizer returns the parts of a name first and the whole name last.
        segments = (self._split.text(part).split()[-1:] for part in name.split("."))
        return in_column("symbol_name", all_of(map(phrase, segments)))


def _distinct(names: Iterable[str]) -> list[str]:
    """Return the names in order, without names that differ from an earlier one only in case."""
    return list({name.lower(): name for name in reversed(list(names))}.values())[::-1]
