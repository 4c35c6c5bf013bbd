"""Entry point for reading files of queries; the format is detected from the content."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.errors import FixtureError
from bench.files import read_text
from bench.near_names import close_names
from bench.queries.building import Entry, Fault, Faults, gather
from bench.queries.chunk_map import map_beside, read_chunk_map
from bench.queries.field_names import FieldNames
from bench.queries.formats.format import DocumentFormat, Formats, PathFormat, RecordFormat
from bench.queries.formats.parquet import TABLE, table_records
from bench.queries.formats.registry import FORMATS
from bench.queries.formats.trec import topic_entries
from bench.queries.json_lines import LINES, lines_of, read_record
from bench.queries.located import Located, Place
from bench.queries.query import Query
from bench.queries.yaml_text import load_yaml

_OF_A_DOCUMENT = ("queries", "task", "ground_truth")
"""Fields that mark a line of JSON as a whole document instead of the first record."""
_MOST_NAMES = 10


def read_queries(
    path: Path | str,
    *,
    repository: str = "",
    chunks: Path | None = None,
    formats: Formats = FORMATS,
) -> tuple[Query, ...]:
    """Return the queries in a file, or in all files of a folder, including drafts.

    With `repository`, queries and targets of other repositories are excluded. `chunks` is the
    chunk map for golden questions with chunk numbers, if it is not next to their file.
    """
    kept = read_asked(Path(path), repository=repository, chunks=chunks, formats=formats)
    refuse_several_commits(kept)
    return tuple(one.query for one in kept)


def read_asked(
    path: Path,
    *,
    repository: str = "",
    chunks: Path | None = None,
    formats: Formats = FORMATS,
    names: FieldNames | None = None,
) -> tuple[Entry, ...]:
    """Return the same queries with their places. They may refer to several commits."""
    entries = read_entries(path, chunks=chunks, formats=formats, names=names)
    refuse_duplicates(entries)
    kept = asked_of(entries, repository) if repository else entries
    if not kept:
        raise _nothing_asked(path, repository, _repositories(entries))
    return kept


def _nothing_asked(path: Path, repository: str, others: list[str]) -> FixtureError:
    if not repository or not others:
        about = f" about repository {repository!r}" if repository else ""
        message = f"{path}: holds no queries{about}; add some or choose another file"
        return FixtureError(message)
    more = f" and {len(others) - _MOST_NAMES} more" if len(others) > _MOST_NAMES else ""
    message = f"{path}: no query is about repository {repository!r}, but about "
    message += f"{', '.join(others[:_MOST_NAMES])}{more}"
    return FixtureError(f"{message}; give the repository of the suite one of these names")


def _repositories(entries: Iterable[Entry]) -> list[str]:
    """Return the distinct repositories that queries and their targets name."""
    names = dict.fromkeys(
        name
        for one in entries
        for name in (one.repository, *(target.repository for target in one.query.targets))
    )
    return [name[:80] for name in names if name]


def read_topics(topics: Path, qrels: Path) -> tuple[Entry, ...]:
    """Return the queries in a file of topics with judgements in a file of qrels."""
    entries = topic_entries(topics, qrels)
    refuse_duplicates(entries)
    if not entries:
        raise FixtureError(f"{qrels}: judges none of {topics}; give the qrels of these topics")
    return entries


def reviewed(entries: Sequence[Entry], path: Path) -> tuple[Entry, ...]:
    """Return the queries that are not drafts; refuse files at `path` with drafts only."""
    kept = tuple(one for one in entries if not one.draft)
    if not kept:
        raise FixtureError(
            f"{path}: all of its {len(entries)} queries are drafts; review them and remove "
            "'draft: true', or add include_drafts=true"
        )
    return kept


def read_entries(
    path: Path,
    *,
    chunks: Path | None = None,
    faults: Faults | None = None,
    formats: Formats = FORMATS,
    names: FieldNames | None = None,
) -> tuple[Entry, ...]:
    """Return the queries with their places, in the order of the files.

    With `faults`, invalid records go there and the others are returned. With `names`, fields are
    renamed before the format is detected.
    """
    reading = _Reading(chunks, faults, formats, names or FieldNames())
    found: list[Entry] = []
    for file in _files(path, formats):
        found.extend(reading.tolerant(file))
    return tuple(found)


def asked_of(entries: Iterable[Entry], repository: str) -> tuple[Entry, ...]:
    """Return the queries about a repository, with their targets there.

    Queries with targets only in other repositories are excluded. Negative queries are kept.
    """
    found = []
    for one in entries:
        targets = one.query.targets
        here = tuple(target for target in targets if target.repository in ("", repository))
        if one.repository in ("", repository) and (here or not targets):
            found.append(replace(one, query=replace(one.query, targets=here)))
    return tuple(found)


def _files(path: Path, formats: Formats) -> Sequence[Path]:
    """Return the files to read at a path. Folders with a format of their own are kept whole."""
    if not path.is_dir() or _path_format(path, formats):
        return [path]
    suffixes = tuple(dict.fromkeys(name for one in formats for name in one.found_as))
    found = sorted(one for one in path.rglob("*") if one.suffix in suffixes and one.is_file())
    if not found:
        raise FixtureError(f"{path}: the folder holds no files of queries ({', '.join(suffixes)})")
    return found


def _path_format(path: Path, formats: Formats) -> PathFormat | None:
    kinds = (one for one in formats if isinstance(one, PathFormat))
    return next((one for one in kinds if one.sniff(path)), None)


@dataclass(frozen=True)
class _Reading:
    """Reader of files. With `faults`, invalid records are collected instead of raised."""

    chunks: Path | None
    faults: Faults | None
    formats: Formats
    names: FieldNames

    def tolerant(self, path: Path) -> tuple[Entry, ...]:
        """Return the queries of a file, or of a folder with a format of its own."""
        try:
            return self._entries(path)
        except FixtureError as error:
            if self.faults is None:
                raise
            self.faults.append(Fault(Place(str(path), 1), "", error))
            return ()

    def _entries(self, path: Path) -> tuple[Entry, ...]:
        of_path = _path_format(path, self.formats)
        if of_path:
            return of_path.read(path, self.faults)
        if path.suffix == TABLE:
            return self._gathered(table_records(path), path)
        text = read_text(path, FixtureError)
        if _is_json_lines(path, text):
            return self._gathered(self._records(path, text), path)
        return self._document(self.names.apply(load_yaml(text, str(path))))

    def _document(self, document: Located) -> tuple[Entry, ...]:
        if not isinstance(document.value, dict):
            raise document.error(f"must hold 'queries' or a 'task', not {document.shown}")
        for one in self.formats:
            if isinstance(one, DocumentFormat) and one.sniff(document):
                return one.read(document, self.faults)
        names = [str(name) for name in list(document.value)[:5]]
        is_of_queries = not {"query", "question", "questions"}.isdisjoint(names)
        near = [one for name in names for one in close_names(name, _OF_A_DOCUMENT)]
        near = ["queries"] if is_of_queries else near
        remedy = f"did you mean {near[0]!r}?" if near else "see the formats in docs/fixtures.md"
        shown = ", ".join(names)[:200]
        raise document.error(f"holds neither 'queries' nor a 'task' but {shown}; {remedy}")

    def _gathered(self, records: Iterable[Located], file: Path) -> tuple[Entry, ...]:
        place = self.chunks or map_beside(file)
        known = read_chunk_map(place) if place else None
        kinds = [one for one in self.formats if isinstance(one, RecordFormat)]

        def read(found: Located) -> Entry:
            record = self.names.apply(found)
            # The format is detected for each record, because a file may mix several formats.
            return next(one for one in kinds if one.sniff(record)).read(record, known)

        return gather(read, records, self.faults)

    def _records(self, file: Path, text: str) -> Iterator[Located]:
        for line, place in lines_of(text, str(file)):
            try:
                yield read_record(line, place)
            except FixtureError as error:
                if self.faults is None:
                    raise
                self.faults.append(Fault(place, "", error))


def _is_json_lines(file: Path, text: str) -> bool:
    if file.suffix in LINES:
        return True
    first = next((line for line in text.split("\n") if line.strip()), "")
    if not first.lstrip().startswith("{"):
        return False
    try:
        record = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return not any(name in record for name in _OF_A_DOCUMENT)


def refuse_duplicates(entries: Iterable[Entry]) -> None:
    """Refuse queries with the same id."""
    seen: dict[str, Entry] = {}
    for one in entries:
        first = seen.setdefault(one.query.id, one)
        if first is not one:
            raise one.place.error(
                f"query id {one.query.id!r} is taken by {first.place}; give each its own"
            )


def refuse_several_commits(entries: Sequence[Entry]) -> None:
    """Refuse queries about different commits or repositories."""
    first = entries[0]
    for one in entries:
        if (one.commit, one.repository) != (first.commit, first.repository) and one.commit:
            raise one.place.error(
                f"query {one.query.id!r} is asked of another commit or repository than "
                f"{first.query.id!r}, which cannot be here; part the file by commit"
            )
