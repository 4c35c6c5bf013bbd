"""Writes a set of queries in the formats that other tools read."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from bench.authoring.opening import OpenedSet
from bench.errors import FixtureError
from bench.judgements import (
    Entry,
    Judgements,
    Query,
    resolve,
    write_beir,
    write_characters,
    write_golden,
    write_qrels,
    write_queries,
    write_span_lines,
    write_table,
    write_task,
    write_topics,
    write_trec,
)
from bench.judgements.targets import normal_path
from retrievers.source import find_symbols

_TEXTS = (".md", ".txt")
_LONGEST_NAME = 200


def _text_file(write: Callable[[Iterable[Entry]], str]) -> Callable[[OpenedSet, Path], None]:
    def written(opened: OpenedSet, path: Path) -> None:
        path.write_text(write(opened.entries), encoding="utf-8", newline="")

    return written


def _tasks(opened: OpenedSet, folder: Path) -> None:
    folder.mkdir()
    for one in opened.entries:
        name = one.query.id
        if PurePosixPath(name).name != name or len(name.encode()) > _LONGEST_NAME:
            message = f"query {name[:80]!r}: its id cannot be a file's name; give it another"
            raise FixtureError(message)
        (folder / f"{name}.yaml").write_text(write_task(one), encoding="utf-8", newline="")


def _judged(opened: OpenedSet) -> tuple[tuple[Query, ...], Judgements]:
    queries = tuple(one.query for one in opened.entries)
    return queries, resolve(queries, opened.documents, find_symbols(opened.documents))


def _beir(opened: OpenedSet, folder: Path) -> None:
    queries, judgements = _judged(opened)
    write_beir(folder, queries, opened.documents, judgements)


def _trec(opened: OpenedSet, folder: Path) -> None:
    queries, judgements = _judged(opened)
    write_trec(folder, queries, opened.documents, judgements)


def _qrels(opened: OpenedSet, path: Path) -> None:
    queries, judgements = _judged(opened)
    write_qrels(path, queries, opened.documents, judgements)


def _characters(opened: OpenedSet, folder: Path) -> None:
    """Write a CSV for each text that is asked about, and all texts that are searched."""
    texts = {path: number for path, number in opened.documents.places.items() if _is_text(path)}
    asked: dict[str, list[Query]] = {}
    for one in opened.entries:
        asked.setdefault(_only_text(one.query, texts), []).append(one.query)
    (folder / "corpora").mkdir(parents=True)
    for path, number in texts.items():
        text = opened.documents.text(number)
        (folder / "corpora" / path).write_text(text, encoding="utf-8", newline="")
    for path, queries in asked.items():
        name = f"{PurePosixPath(path).stem}.csv"
        write_characters(queries, opened.documents, path, folder / name)


def _is_text(path: str) -> bool:
    return path.endswith(_TEXTS) and "/" not in path


def _only_text(query: Query, texts: Mapping[str, int]) -> str:
    """Return the one text that a query is about; one that nothing answers goes to the first."""
    paths = {normal_path(target.path) for target in query.targets}
    if not query.targets and texts:
        return next(iter(texts))
    fits = len(paths) == 1 and all(target.level == "span" for target in query.targets)
    if not fits or not paths <= texts.keys():
        raise FixtureError(
            f"query {query.id!r} is not about lines of one .md or .txt file without a folder, "
            "and character spans can hold nothing else; choose another format"
        )
    return paths.pop()


def _parquet(opened: OpenedSet, path: Path) -> None:
    write_table(opened.entries, path)


FORMATS: Mapping[str, Callable[[OpenedSet, Path], None]] = MappingProxyType(
    {
        "queries": _text_file(write_queries),
        "tasks": _tasks,
        "golden": _text_file(write_golden),
        "spans": _text_file(write_span_lines),
        "characters": _characters,
        "beir": _beir,
        "trec": _trec,
        "topics": _text_file(write_topics),
        "qrels": _qrels,
        "parquet": _parquet,
    }
)
"""How each format is written; some are files, some folders."""

HALVES = ("topics", "qrels")
"""Formats that hold half of a set: what is asked, or what is right. Import reads them together."""

SUFFIXES: Mapping[str, str] = MappingProxyType(
    {
        "queries": ".yaml",
        "golden": ".jsonl",
        "spans": ".jsonl",
        "topics": ".tsv",
        "qrels": ".txt",
        "parquet": ".parquet",
    }
)
"""How the files of a format are named; the others are folders."""
