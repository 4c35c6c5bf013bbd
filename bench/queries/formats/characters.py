"""Character spans in CSV: questions with answers in plain-text files.

The columns are question, references and corpus_id. References are JSON, `[{"start_index": 0,
"end_index": 9}]` with an exclusive end; `start` and `end` are accepted as well. The corpus_id is
the name of a file without `.md` or `.txt`, in `corpora/` or next to the CSV. Characters are
counted within each text. Without corpus_id, a CSV is about the text with its own name, or about
the only text.
"""

import csv
import io
import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from bench.errors import FixtureError
from bench.files import read_text
from bench.near_names import close_names
from bench.queries.building import Entry, Fault, Faults
from bench.queries.fields import Fields
from bench.queries.formats.format import QuerySet
from bench.queries.json_lines import read_record
from bench.queries.located import Located, Place
from bench.queries.query import Query, Target
from bench.queries.targets import normal_path
from retrievers.interface import Documents

_CORPUS = "corpus_id"
_NEEDED = ("question", "references")
_COLUMNS = (*_NEEDED, _CORPUS)
_SUFFIXES = (".md", ".txt")
_LONGEST_FIELD = 100_000_000
_LONGEST_HEADING = 10_000
_LISTED = 5


@dataclass(frozen=True)
class _Text:
    """A text file with the offsets of its lines."""

    path: str
    text: str
    line_starts: tuple[int, ...]

    @classmethod
    def of(cls, path: str, text: str) -> "_Text":
        starts = [0, *(place + 1 for place, letter in enumerate(text) if letter == "\n")]
        return cls(path, text, tuple(starts))

    def line(self, offset: int) -> int:
        return bisect_right(self.line_starts, offset)


def are_characters(path: Path) -> bool:
    """Return whether a path is a CSV file, or a folder with a CSV of questions."""
    return bool(question_files(path)) if path.is_dir() else path.suffix == ".csv"


def read_characters(path: Path, faults: Faults | None = None) -> tuple[Entry, ...]:
    """Return the questions of a CSV file, or of all in a folder."""
    files = question_files(path) if path.is_dir() else [path]
    return tuple(one for file in files for one in character_entries(file, faults=faults))


def question_files(folder: Path) -> list[Path]:
    """Return the CSV files of a folder that have the columns of questions."""
    return [path for path in sorted(folder.glob("*.csv")) if _has_columns(path)]


def character_documents(folder: Path) -> Documents:
    """Return the plain-text files of a folder as documents."""
    texts = [(path.name, read_text(path, FixtureError)) for path in _text_files(folder)]
    if not texts:
        raise FixtureError(f"{folder}: holds no .md or .txt files; put them into corpora/")
    return Documents.of(texts)


def character_entries(file: Path, *, faults: Faults | None = None) -> tuple[Entry, ...]:
    """Return the questions of one CSV file. Without a column `id` they are numbered."""
    texts = {
        path.name: _Text.of(path.name, read_text(path, FixtureError))
        for path in _text_files(file.parent)
    }
    found = []
    for number, (place, row) in enumerate(_rows(file), 1):
        identifier = (row.get("id") or f"{file.stem}-{number}").strip()
        try:
            found.append(_entry(row, identifier, place, texts))
        except FixtureError as error:
            if faults is None:
                raise
            faults.append(Fault(place, identifier, error))
    return tuple(found)


def export_characters(queries: QuerySet, folder: Path) -> None:
    """Write a CSV for each text with questions, and all texts as files."""
    documents = queries.documents
    texts = {path: number for path, number in documents.places.items() if _is_text(path)}
    asked: dict[str, list[Query]] = {}
    for one in queries.entries:
        asked.setdefault(_only_text(one.query, texts), []).append(one.query)
    (folder / "corpora").mkdir(parents=True)
    for path, number in texts.items():
        text = documents.text(number)
        (folder / "corpora" / path).write_text(text, encoding="utf-8", newline="")
    for path, about in asked.items():
        write_characters(about, documents, path, folder / f"{PurePosixPath(path).stem}.csv")


def write_characters(queries: list[Query], documents: Documents, corpus: str, path: Path) -> None:
    """Write the questions about one document as CSV."""
    text = _Text.of(corpus, documents.text(documents.places[corpus]))
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("id", *_COLUMNS))
        for query in queries:
            spans = [_stretch(text, target) for target in query.targets]
            rows.writerow((query.id, query.text, json.dumps(spans), Path(corpus).stem))


def _is_text(path: str) -> bool:
    return path.endswith(_SUFFIXES) and "/" not in path


def _only_text(query: Query, texts: Mapping[str, int]) -> str:
    """Return the only text that a query is about; negative queries go to the first text."""
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


def _stretch(text: _Text, target: Target) -> dict[str, int]:
    if target.has_characters:
        return {"start_index": target.start_character, "end_index": target.end_character}
    ends = (*text.line_starts[1:], len(text.text))
    return {"start_index": text.line_starts[target.start - 1], "end_index": ends[target.end - 1]}


def _text_files(folder: Path) -> list[Path]:
    corpora = folder / "corpora"
    places = sorted((corpora if corpora.is_dir() else folder).iterdir())
    return [one for one in places if one.suffix in _SUFFIXES and _is_plain(one)]


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def lacking(name: str, columns: Sequence[str]) -> str:
    """Return a message on a missing column of character spans."""
    near = close_names(name, columns)
    meant = f"rename {near[0]!r}" if near else "add it; the first line names the columns"
    needed = f"question, references and, where there are several texts, {_CORPUS}"
    return f"lacks the column {name!r} of character spans ({needed}); {meant}"


def nearly_questions(folder: Path) -> str:
    """Return a message if a CSV file of a folder has almost the columns of questions, or ""."""
    for path in sorted(folder.glob("*.csv")):
        columns = _heading(path)
        missing = [name for name in _NEEDED if name not in columns]
        if len(missing) < len(_NEEDED) or any(close_names(name, columns) for name in _NEEDED):
            return f"{path.name} {lacking(missing[0], columns)}"
    return ""


def _has_columns(path: Path) -> bool:
    return set(_NEEDED) <= set(_heading(path))


def _heading(path: Path) -> list[str]:
    """Return the columns of a CSV file, or none if it is not one."""
    if not path.is_file():
        return []
    try:
        with path.open("rb") as file:
            head = file.readline(_LONGEST_HEADING).decode("utf-8-sig", "replace")
        return next(csv.reader([head]), [])
    except (OSError, csv.Error):
        return []


def _rows(path: Path) -> Iterator[tuple[Place, dict[str, str]]]:
    csv.field_size_limit(_LONGEST_FIELD)
    rows = csv.reader(io.StringIO(read_text(path, FixtureError), newline=""), strict=True)
    place = Place(str(path), 1)
    try:
        columns = next(rows, [])
        missing = [name for name in _NEEDED if name not in columns]
        if missing:
            raise place.error(lacking(missing[0], columns))
        place = Place(str(path), rows.line_num + 1)
        for row in rows:
            if row and len(row) != len(columns):
                raise place.error(f"has {len(row)} columns, not {len(columns)}; correct this line")
            if row:
                yield place, dict(zip(columns, row, strict=True))
            place = Place(str(path), rows.line_num + 1)
    except csv.Error as error:
        raise place.error(f"is not valid CSV: {error}; correct this line") from error


def _entry(
    row: Mapping[str, str], identifier: str, place: Place, texts: Mapping[str, _Text]
) -> Entry:
    if not row["question"].strip():
        raise place.error("field 'question' is blank; fill it in")
    text = _named(row[_CORPUS].strip(), place, texts) if _CORPUS in row else _only(place, texts)
    found = read_record(row["references"], place)
    if not isinstance(found.value, list):
        raise place.error(f"field 'references' must be a list of spans, not {found.shown}")
    targets = tuple(dict.fromkeys(_target(one, text) for one in found.value))
    query = Query(identifier, row["question"], targets, negative=not targets)
    return Entry(query, "", place, "characters")


def _named(corpus: str, place: Place, texts: Mapping[str, _Text]) -> _Text:
    for name in (corpus, *(corpus + suffix for suffix in _SUFFIXES)):
        if name in texts:
            return texts[name]
    known = ", ".join(list(texts)[:_LISTED]) or "no text files"
    raise place.error(f"corpus_id {corpus[:80]!r} is not a file here; the files are {known}")


def _only(place: Place, texts: Mapping[str, _Text]) -> _Text:
    """Return the text for a CSV without the column corpus_id."""
    stem = PurePosixPath(place.file).stem
    named = [texts[stem + suffix] for suffix in _SUFFIXES if stem + suffix in texts]
    found = named or list(texts.values())
    if len(found) != 1:
        known = ", ".join(list(texts)[:_LISTED]) or "none"
        raise place.error(
            f"lacks the column {_CORPUS!r}, which names the text of each question, as there are"
            f" several or none ({known}); add it"
        )
    return found[0]


def _target(found: Located, text: _Text) -> Target:
    fields = Fields.of(found, "a reference", None)
    short = fields.has("start")
    start = fields.whole("start" if short else "start_index")
    end = fields.whole("end" if short else "end_index")
    if not 0 <= start < end <= len(text.text):
        raise found.error(
            f"characters {start} to {end} are empty or not in {text.path}, "
            f"which has {len(text.text)}; the end is not included"
        )
    if fields.has("content") and fields.text("content") != text.text[start:end]:
        raise found.error(
            f"characters {start} to {end} of {text.path} are not the 'content' given; "
            "the file differs from the one that was annotated"
        )
    lines = (text.line(start), text.line(end - 1))
    return replace(
        Target("span", path=text.path, start=lines[0], end=lines[1]),
        start_character=start,
        end_character=end,
    )
