"""Corpora that bring their own documents: which format a folder has, and what is in it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bench.errors import FixtureError
from bench.judgements.building import Entry, Faults
from bench.judgements.foreign import beir, characters, trec
from retrievers.interface import Documents

CorpusFormat = Literal["beir", "trec", "characters"]


@dataclass(frozen=True)
class CorpusFolder:
    """A folder with documents and queries of its own, known by the digest of its documents."""

    path: str
    format: CorpusFormat


def corpus_format(path: Path) -> CorpusFormat | None:
    """Return the format of a corpus, or None if what lies there is not one."""
    if not path.is_dir():
        return None
    if (path / beir.CORPUS).is_file() and (path / beir.QUERIES).is_file():
        return "beir"
    if (path / trec.DOCUMENTS).is_file() and trec.topics_file(path):
        return "trec"
    return "characters" if characters.question_files(path) else None


def find_corpus(path: Path) -> CorpusFolder:
    """Return the corpus in a folder."""
    found = corpus_format(path)
    if found is None:
        what = "holds no corpus" if path.is_dir() else "is not a folder"
        raise FixtureError(
            f"{path}: {what}; give a folder with corpus.jsonl, queries.jsonl and qrels/, with "
            "docs.jsonl, topics and qrels, or with a CSV of question, references and corpus_id"
        )
    return CorpusFolder(str(path), found)


def read_corpus(path: Path) -> Documents:
    """Return the documents of the corpus in a folder."""
    match find_corpus(path).format:
        case "beir":
            return beir.beir_documents(path)
        case "trec":
            return trec.trec_documents(path)
        case "characters":
            return characters.character_documents(path)


def corpus_entries(path: Path, *, faults: Faults | None = None) -> tuple[Entry, ...]:
    """Return the queries of the corpus in a folder."""
    match find_corpus(path).format:
        case "beir":
            return beir.beir_entries(path, faults=faults)
        case "trec":
            return trec.trec_entries(path, faults=faults)
        case "characters":
            files = characters.question_files(path)
            found = (characters.character_entries(file, faults=faults) for file in files)
            return tuple(one for entries in found for one in entries)
