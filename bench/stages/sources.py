"""Stages for the documents, symbols, edges and questions of a repository."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal

from bench.corpora import (
    EVERY_FILE,
    FileChoice,
    GitSource,
    Hidden,
    LocalSource,
    Source,
    content_digest,
    hide,
    read_source,
)
from bench.engine import Read, Record, Stage
from bench.errors import SourceError
from bench.queries import CorpusFolder, read_corpus
from bench.stages.parsed import ParsedBefore
from retrievers.interface import Documents
from retrievers.source import Edges, Symbols, find_edges, find_symbols, grammar_versions


@dataclass(frozen=True)
class CheckOut(Stage[Documents]):
    """Fetch a pinned repository and keep the files that are searched."""

    kind: ClassVar[str] = "check-out"
    codec: ClassVar[Record[Documents]] = Record(Documents)

    source: Source
    exclude: tuple[str, ...] = ()
    repository: str = field(default="", compare=False)
    own_files: Literal["", "left out"] = field(default="", metadata={"later": True})
    """Set to "left out" for git, because a commit may contain files that rankgrid wrote. Artifacts
    from before this setting still contain such files; artifacts of packages are unchanged."""
    files: FileChoice = field(default=EVERY_FILE, metadata={"later": True})
    """The user's choice of searched files."""
    hidden: tuple[Hidden, ...] = field(default=(), metadata={"later": True})
    """Lines and files that queries were made from; they are blanked or removed."""

    @property
    def subject(self) -> str:
        """Name of the repository."""
        return self.repository

    def run(self, read: Read, /) -> Documents:
        """Return the documents of the source."""
        earlier = read.earlier(self)
        found = read_source(
            self.source,
            exclude=self.exclude,
            files=self.files,
            before=earlier.result if earlier else None,
        )
        documents = hide(found.documents, self.hidden)
        read.count(**size_of(documents), **_left_out(found.left_out))
        return documents


@dataclass(frozen=True)
class CheckOutFolder(Stage[Documents]):
    """Documents of a local folder, identified by their content.

    Planning has read the folder for its digest and has stored the documents, so that other
    machines can load them. Running the stage reads the folder again.
    """

    kind: ClassVar[str] = "check-out-folder"
    codec: ClassVar[Record[Documents]] = Record(Documents)

    digest: str
    source: LocalSource | GitSource = field(default=LocalSource(""), compare=False)
    exclude: tuple[str, ...] = field(default=(), compare=False)
    files: FileChoice = field(default=EVERY_FILE, compare=False)
    hidden: tuple[Hidden, ...] = field(default=(), compare=False)
    repository: str = field(default="", compare=False)
    idle: tuple[str, ...] = field(default=(), compare=False)
    """Patterns of `exclude` without effect."""

    @property
    def subject(self) -> str:
        """Name of the repository."""
        return self.repository

    def run(self, read: Read, /) -> Documents:
        """Return the documents; raise if the folder has changed since planning."""
        found = read_source(self.source, exclude=self.exclude, files=self.files)
        documents = hide(found.documents, self.hidden)
        if content_digest(documents) != self.digest:
            folder = self.source
            where = folder.path if isinstance(folder, LocalSource) else folder.url
            message = f"{where}: the folder changed while the study ran; run it again"
            raise SourceError(message)
        read.count(**size_of(documents), **_left_out(found.left_out))
        return documents


@dataclass(frozen=True)
class ReadCorpus(Stage[Documents]):
    """Documents of a corpus with its own files, identified by their content.

    Planning has read and stored them, in the same way as those of a folder.
    """

    kind: ClassVar[str] = "read-corpus"
    codec: ClassVar[Record[Documents]] = Record(Documents)

    digest: str
    folder: CorpusFolder = field(default=CorpusFolder("", "beir"), compare=False)
    repository: str = field(default="", compare=False)

    @property
    def subject(self) -> str:
        """Name of the corpus."""
        return self.repository

    def run(self, read: Read, /) -> Documents:
        """Return the documents; raise if they have changed since planning."""
        documents = read_corpus(Path(self.folder.path))
        if content_digest(documents) != self.digest:
            message = f"{self.folder.path}: the corpus changed while the study ran; run it again"
            raise SourceError(message)
        read.count(**size_of(documents))
        return documents


def size_of(documents: Documents) -> dict[str, int]:
    """Return the counts from which time is estimated."""
    return {"documents": len(documents), "bytes": len(documents.content)}


def _left_out(counts: dict[str, int]) -> dict[str, int]:
    return {f"left_out_{rule}": count for rule, count in counts.items()}


@dataclass(frozen=True)
class Questions:
    """Questions to a repository, in the order of its file."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Ask(Stage[Questions]):
    """The questions to a repository; a stage, so that other stages do not contain the texts."""

    kind: ClassVar[str] = "ask"
    codec: ClassVar[Record[Questions]] = Record(Questions)

    texts: tuple[str, ...]
    repository: str = field(default="", compare=False)

    @property
    def subject(self) -> str:
        """Name of the repository."""
        return self.repository

    def run(self, read: Read, /) -> Questions:
        """Return the texts."""
        read.count(queries=len(self.texts))
        return Questions(self.texts)


@dataclass(frozen=True)
class Parse(Stage[Symbols]):
    """Find the symbols that documents define, without parsing unchanged files again."""

    kind: ClassVar[str] = "parse"
    version: ClassVar[int] = 6
    codec: ClassVar[Record[Symbols]] = Record(Symbols)

    documents: Stage[Documents]
    grammars: tuple[str, ...] = field(default_factory=grammar_versions)

    def run(self, read: Read, /) -> Symbols:
        """Return the symbols."""
        answers = ParsedBefore(read, "parsed-definitions")
        earlier = read.earlier(self)
        before = (earlier.result, earlier(self.documents)) if earlier else None
        symbols = find_symbols(read(self.documents), answers=answers, before=before)
        read.count(symbols=len(symbols.names))
        return symbols


@dataclass(frozen=True)
class FindEdges(Stage[Edges]):
    """Find the uses of symbols and documents, and keep those that an earlier commit had."""

    kind: ClassVar[str] = "find-edges"
    version: ClassVar[int] = 6
    codec: ClassVar[Record[Edges]] = Record(Edges)

    documents: Stage[Documents]
    symbols: Stage[Symbols]

    def run(self, read: Read, /) -> Edges:
        """Return the edges between the symbols, the documents and the outside."""
        answers = ParsedBefore(read, "parsed-facts")
        earlier = read.earlier(self)
        before = None
        if earlier:
            before = (earlier.result, earlier(self.documents), earlier(self.symbols))
        documents, symbols = read(self.documents), read(self.symbols)
        edges = find_edges(documents, symbols, answers=answers, before=before)
        read.count(edges=len(edges), external=len(edges.external))
        return edges
