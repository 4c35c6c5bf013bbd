"""A format that nobody has: cards of an id, a question and the files that answer it.

#cards
cart: how are the prices added up = src/cart.py, src/total.py
"""

from pathlib import Path

from bench.errors import FixtureError
from bench.files import read_text
from bench.queries import Entry, Query, Target
from bench.queries.building import Faults
from bench.queries.formats.format import PathFormat, QuerySet
from bench.queries.located import Place

HEADING = "#cards"


def are_cards(path: Path) -> bool:
    return path.is_file() and path.read_bytes().startswith(HEADING.encode())


def read_cards(path: Path, _faults: Faults | None = None) -> tuple[Entry, ...]:
    lines = enumerate(read_text(path, FixtureError).splitlines(), 1)
    return tuple(_card(line, Place(str(path), number)) for number, line in lines if number > 1)


def _card(line: str, place: Place) -> Entry:
    identifier, colon, rest = line.partition(": ")
    text, sign, answers = rest.partition(" = ")
    if not colon or not sign:
        raise place.error("is not a card; write ID: QUESTION = FILE, FILE")
    targets = tuple(Target("file", path=path) for path in answers.split(", ") if path)
    return Entry(Query(identifier, text, targets, negative=not targets), "", place, "cards")


def write_cards(queries: QuerySet, path: Path) -> None:
    asked = (one.query for one in queries.entries)
    lines = (f"{one.id}: {one.text} = {', '.join(t.path for t in one.targets)}" for one in asked)
    path.write_text("\n".join([HEADING, *lines, ""]), encoding="utf-8")


CARDS = PathFormat(
    "cards",
    sniff=are_cards,
    read=read_cards,
    write=write_cards,
    suffix=".cards",
    found_as=(".cards",),
)
