"""Rankings of another tool, read from a file: a TREC run, JSON or parquet.

A query is given by its id or by its text. Ids that repeat have the repository before them. A hit
is given by the id of a document or by a place: `path:first-last`, a symbol, or an object with the
fields of an engine's answer.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

from retrievers.errors import ExternalError
from retrievers.external.answers import Answer, AnswerFields, json_answers, line_answer
from retrievers.external.retriever import EngineRetriever
from retrievers.external.spans import Places
from retrievers.interface import CHUNKS, DOCUMENTS, Input, ReadInput, Span

_TREC_COLUMNS = 6
_QUERIES = ("query", "query_id", "query-id", "qid", "topic")
_PLACES = ("path", "document", "docid", "doc_id", "docno", "corpus-id", "id")
_NOTHING = "no-hit"
"""The document of an empty ranking in our own runs."""
_SHOWN = 80
_FORMS = (
    "must be a TREC run (query Q0 document rank score tag), JSON of {query: [ids or places]} or"
    " parquet with the columns query, document and score"
)


@dataclass(frozen=True)
class RunFile(EngineRetriever):
    """A file of rankings instead of a retriever. It cannot serve queries."""

    path: str = field(compare=False)
    """The path of the file. Its content identifies it, so the path is not compared."""
    first_line: int = 1
    digest: str = ""
    """SHA-256 of the content."""

    @classmethod
    def of(cls, path: str, first_line: int) -> "RunFile":
        """Return the settings of a file. Raise an error if the file does not have rankings."""
        if first_line not in (0, 1):
            raise ExternalError(f"first_line={first_line}: must be 0 or 1")
        content = _content(path)
        _ = ranked_in(content, path)
        return cls(path, first_line, sha256(content).hexdigest())

    @property
    def inputs(self) -> tuple[Input[Any], ...]:
        """The chunks that are ranked. There is no engine."""
        return DOCUMENTS, CHUNKS

    def searcher(self, _read: ReadInput, /) -> NoReturn:
        """Raise an error, since a file has no answers to new queries."""
        raise ExternalError(f"path={self.path}: an imported run cannot be searched")

    def rankings(self) -> Mapping[str, Sequence[Answer]]:
        """Return the hits of each query. Raise an error if the file has changed."""
        content = _content(self.path)
        if sha256(content).hexdigest() != self.digest:
            raise ExternalError(f"path={self.path}: changed while the study ran; run it again")
        return ranked_in(content, self.path)


@dataclass(frozen=True)
class KnownPlaces:
    """The spans of a run's hits in a tree, and the hits that are not in the tree."""

    spans: tuple[tuple[Span, float | None], ...]
    unknown: tuple[str, ...]


def known_places(answers: Sequence[Answer], tree: Places) -> KnownPlaces:
    """Return the spans of answers in a tree. Unknown places are listed and not an error."""
    spans: dict[Span, float | None] = {}
    unknown = []
    for answer in answers:
        try:
            found = tree.spans([_as_document(answer, tree)])
        except ExternalError:
            unknown.append(answer.symbol or answer.path)
            continue
        for span, score in found:
            spans.setdefault(span, score)  # a repeated place keeps its better rank
    return KnownPlaces(tuple(spans.items()), tuple(unknown))


def _as_document(answer: Answer, tree: Places) -> Answer:
    """Return an answer with the document of its id, or else the place that its id spells."""
    if answer.symbol or answer.start is not None:
        return answer
    names = (answer.path, answer.path.replace("%20", " "))
    if known := next((name for name in names if name in tree.documents.places), ""):
        return Answer(known, score=answer.score)
    place = line_answer(names[1].partition("#")[0])
    return Answer(place.path, place.start, place.end, score=answer.score)


def ranked_in(content: bytes, path: str) -> Mapping[str, Sequence[Answer]]:
    """Return the hits of each query of a file, best first."""
    if content.startswith(b"PAR1"):
        found = _of_rows(_parquet_rows(content, path))
    else:
        found = _of_text(content, path)
    if not found:
        raise ExternalError(f"path={path}: holds no rankings; it {_FORMS}")
    return found


def _content(path: str) -> bytes:
    try:
        return Path(path).expanduser().read_bytes()
    except OSError as error:
        message = f"path={path}: cannot be read ({error.strerror}); give a file of rankings"
        raise ExternalError(message) from error


def _of_text(content: bytes, path: str) -> Mapping[str, Sequence[Answer]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ExternalError(f"path={path}: is not UTF-8; it {_FORMS}") from error
    if text.lstrip()[:1] in ("{", "["):
        return _of_json(text, path)
    return _of_rows(_trec_rows(text, path))


@dataclass(frozen=True)
class _Row:
    query: str
    answer: Answer
    rank: float = 0.0


def _of_rows(rows: Iterable[_Row]) -> Mapping[str, Sequence[Answer]]:
    """Return the hits of each query by descending score, then by rank, then in their order."""
    found: dict[str, list[_Row]] = {}
    for row in rows:
        own = found.setdefault(row.query, [])
        if row.answer.path != _NOTHING:
            own.append(row)
    return {
        query: [row.answer for row in sorted(own, key=lambda row: (-_score(row.answer), row.rank))]
        for query, own in found.items()
    }


def _score(answer: Answer) -> float:
    return 0.0 if answer.score is None else answer.score


def _trec_rows(text: str, path: str) -> Iterator[_Row]:
    for number, line in enumerate(text.splitlines(), 1):
        columns = line.split()
        if not columns:
            continue
        if len(columns) != _TREC_COLUMNS:
            message = f"path={path}: line {number} has {len(columns)} columns; the file {_FORMS}"
            raise ExternalError(message)
        query, _, document, rank, score, _ = columns
        where = f"path={path}: line {number}"
        answer = Answer(document, score=_number(score, where))
        yield _Row(query, answer, _number(rank, where))


def _number(text: object, where: str) -> float:
    try:
        found = float(str(text))
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise ExternalError(f"{where}: {str(text)[:_SHOWN]!r} is not a number; correct it")
    return found


def _of_json(text: str, path: str) -> Mapping[str, Sequence[Answer]]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ExternalError(f"path={path}: is not valid JSON ({error})") from error
    if not isinstance(found, dict):
        raise ExternalError(f"path={path}: is a list; it {_FORMS}")
    where = f"path={path}: query"
    return {query: _answers(own, f"{where} {query!r:.80}") for query, own in found.items()}


def _answers(own: object, where: str) -> Sequence[Answer]:
    """Return the hits of a list of ids or places, or of a mapping from ids to scores."""
    if isinstance(own, Mapping):
        scored = [Answer(str(name), score=_number(score, where)) for name, score in own.items()]
        return sorted(scored, key=lambda answer: -_score(answer))
    if not isinstance(own, list):
        raise ExternalError(f"{where}: must be a list of ids or places")
    parts = [{"path": str(one)} if isinstance(one, str | int) else one for one in own]
    try:
        return json_answers(parts, AnswerFields())
    except ExternalError as error:
        raise ExternalError(f"{where}: {error}") from error


def _parquet_rows(content: bytes, path: str) -> Iterator[_Row]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(pa.BufferReader(content))
    except (pa.ArrowException, OSError) as error:
        message = " ".join(str(error).split())[:_SHOWN]
        raise ExternalError(f"path={path}: cannot be read as parquet ({message})") from error
    query, place = (_column(names, table.column_names, path) for names in (_QUERIES, _PLACES))
    several = "trial" in table.column_names and len(table["trial"].unique()) > 1
    if several:
        raise ExternalError(f"path={path}: holds several trials; keep the rows of one")
    for number, row in enumerate(table.to_pylist(), 1):
        yield _parquet_row(row, query, place, f"path={path}: row {number}")


def _parquet_row(row: Mapping[str, Any], query: str, place: str, where: str) -> _Row:
    name, hit = row[query], row[place]
    if name is None or hit is None:
        raise ExternalError(f"{where}: has no {query if name is None else place}; add it")
    start, end = (_whole(row.get(side), side, where) for side in ("start", "end"))
    score = None if row.get("score") is None else _number(row["score"], where)
    rank = 0.0 if row.get("rank") is None else _number(row["rank"], where)
    asked = f"{row['repository']}/{name}" if row.get("repository") else str(name)
    return _Row(asked, Answer(str(hit), start, end, score=score), rank)


def _whole(value: object, side: str, where: str) -> int | None:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    found = _number(value, where)
    if isinstance(value, str) or not found.is_integer():
        raise ExternalError(f"{where}: {side} is {str(value)[:_SHOWN]!r}; give a whole number")
    return int(found)


def _column(names: Sequence[str], columns: Sequence[str], path: str) -> str:
    found = next((name for name in names if name in columns), None)
    if found is None:
        message = f"path={path}: has no column {names[0]} but {', '.join(columns)}"
        raise ExternalError(f"{message}; name one of them so")
    return found
