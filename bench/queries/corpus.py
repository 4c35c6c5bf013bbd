"""Folders that bring their own documents: which format one has, and what is in it."""

from dataclasses import dataclass
from pathlib import Path

from bench.errors import FixtureError
from bench.queries.formats.format import Formats, PathFormat
from bench.queries.formats.registry import FORMATS
from retrievers.interface import Documents


@dataclass(frozen=True)
class CorpusFolder:
    """A folder with documents and queries of its own, known by the digest of its documents."""

    path: str
    format: str


def corpus_format(path: Path, formats: Formats = FORMATS) -> str | None:
    """Return the name of a corpus's format, or None if what lies there is not one."""
    if not path.is_dir():
        return None
    corpora = (one for one in formats if isinstance(one, PathFormat) and one.documents)
    return next((one.name for one in corpora if one.sniff(path)), None)


def find_corpus(path: Path, formats: Formats = FORMATS) -> CorpusFolder:
    """Return the corpus in a folder."""
    found = corpus_format(path, formats)
    if found is None:
        what = "holds no corpus" if path.is_dir() else "is not a folder"
        raise FixtureError(
            f"{path}: {what}; give a folder with corpus.jsonl, queries.jsonl and qrels/, with "
            "docs.jsonl, topics and qrels, or with a CSV of question, references and corpus_id"
        )
    return CorpusFolder(str(path), found)


def read_corpus(path: Path, formats: Formats = FORMATS) -> Documents:
    """Return the documents of the corpus in a folder."""
    name = find_corpus(path, formats).format
    (read,) = (
        one.documents
        for one in formats
        if isinstance(one, PathFormat) and one.documents and one.name == name
    )
    return read(path)
