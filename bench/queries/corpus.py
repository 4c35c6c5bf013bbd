"""Folders with documents of their own: detection of the format, and reading."""

from dataclasses import dataclass
from pathlib import Path

from bench.errors import FixtureError
from bench.queries.formats.characters import nearly_questions
from bench.queries.formats.format import Formats, PathFormat
from bench.queries.formats.registry import FORMATS
from bench.queries.formats.trec import document_files, topics_file
from retrievers.interface import Documents


@dataclass(frozen=True)
class CorpusFolder:
    """A folder with its own documents and queries, identified by the digest of the documents."""

    path: str
    format: str


def corpus_format(path: Path, formats: Formats = FORMATS) -> str | None:
    """Return the name of a corpus's format, or None if the path is not a corpus."""
    if not path.is_dir():
        return None
    corpora = (one for one in formats if isinstance(one, PathFormat) and one.documents)
    return next((one.name for one in corpora if one.sniff(path)), None)


def find_corpus(path: Path, formats: Formats = FORMATS) -> CorpusFolder:
    """Return the corpus in a folder; refuse other folders."""
    found = corpus_format(path, formats)
    if found is None:
        if near := _near_miss(path) if path.is_dir() else "":
            raise FixtureError(f"{path}: {near}")
        what = "holds no corpus" if path.is_dir() else "is not a folder"
        raise FixtureError(
            f"{path}: {what}; give a folder with corpus.jsonl, queries.jsonl and qrels/, with "
            "docs.jsonl, topics and qrels, or with a CSV of question, references and corpus_id"
        )
    return CorpusFolder(str(path), found)


def _near_miss(folder: Path) -> str:
    """Return a message if a folder resembles a format but lacks some of its files, or ""."""
    qrels = any(folder.glob("qrels*"))
    kinds = {
        "BEIR": {name: (folder / name).is_file() for name in ("corpus.jsonl", "queries.jsonl")},
        "TREC": {
            "docs.jsonl (or files that begin with <DOC>)": bool(document_files(folder)),
            "topics.*": topics_file(folder) is not None,
        },
    }
    for name, parts in kinds.items():
        if any(parts.values()):
            missing = [part for part, there in {**parts, "qrels": qrels}.items() if not there]
            lacks = f"is nearly a {name} folder but lacks {' and '.join(missing)}"
            return f"{lacks}; add what is missing"
    return nearly_questions(folder)


def read_corpus(path: Path, formats: Formats = FORMATS) -> Documents:
    """Return the documents of the corpus in a folder."""
    name = find_corpus(path, formats).format
    (read,) = (
        one.documents
        for one in formats
        if isinstance(one, PathFormat) and one.documents and one.name == name
    )
    return read(path)
