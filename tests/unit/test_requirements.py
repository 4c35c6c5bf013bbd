"""Each requirement of tests/requirements names tests, commands and decision pages that exist.

Whether a test really shows its requirement is for reviewers; a name that is gone is found here.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.cli.program import arguments_of
from bench.launcher.arguments import parse_arguments
from bench.launcher.overrides import read_overrides
from bench.launcher.study_files import with_study_file

ROOT = Path(__file__).parents[2]
CONF = ROOT / "conf"
FILES = sorted((ROOT / "tests" / "requirements").glob("*.yaml"))
FIELDS = {"id", "requirement", "shown_by", "differs", "unavailable", "partial"}

# Reviewed: what is missing or not fully shown, by document. A new one is added here as well.
PARTIAL: dict[str, set[str]] = {
    "harness": set(),
    "compare": set(),
    "brief": set(),
    "graph": set(),
    "tiers": set(),
}

Entry = dict[str, Any]


@cache
def entries_of(place: Path) -> list[Entry]:
    found: list[Entry] = yaml.safe_load(place.read_text(encoding="utf-8"))
    return found


def shown_by(place: Path) -> Iterator[tuple[str, str]]:
    """Yield what shows each requirement: a test or a command, with the id of the entry."""
    for entry in entries_of(place):
        for shown in entry.get("shown_by", ()):
            yield entry["id"], shown


def is_test(shown: str) -> bool:
    return shown.startswith("tests/")


COMMANDS = sorted({line for place in FILES for _, line in shown_by(place) if not is_test(line)})
each_file = pytest.mark.parametrize("place", FILES, ids=lambda place: place.stem)


@cache
def names_in(path: str) -> frozenset[str]:
    """Return the names of the tests in a file; none if there is no such file."""
    place = ROOT / path
    text = place.read_text(encoding="utf-8") if place.is_file() else ""
    return frozenset(re.findall(r"^def (test_\w+)\(", text, re.MULTILINE))


def test_there_are_files() -> None:
    assert {*PARTIAL} == {place.stem for place in FILES}


@each_file
def test_ids_are_sequential(place: Path) -> None:
    found = [entry["id"] for entry in entries_of(place)]

    digits = max(2, len(str(len(found))))
    assert found == [f"{place.stem}-{number:0{digits}}" for number in range(1, len(found) + 1)]


@each_file
def test_an_entry_has_its_fields(place: Path) -> None:
    """It says what is required, and what shows it or why that cannot be had here."""
    wrong = [
        entry["id"]
        for entry in entries_of(place)
        if entry.keys() - FIELDS
        or not all(isinstance(entry.get(name, ""), str) for name in FIELDS - {"shown_by"})
        or not entry.get("requirement", "").strip()
        or not (entry.get("shown_by") or entry.get("unavailable"))
    ]

    assert wrong == []


@each_file
def test_every_named_test_exists(place: Path) -> None:
    tests = [(name, *shown.split("::")) for name, shown in shown_by(place) if is_test(shown)]

    assert [test for test in tests if test[2] not in names_in(test[1])] == []


@each_file
def test_every_decision_page_exists(place: Path) -> None:
    pages = [entry["differs"] for entry in entries_of(place) if "differs" in entry]

    assert [page for page in pages if not re.match(r"docs/decisions/\d{4}-.+\.md$", page)] == []
    assert [page for page in pages if not (ROOT / page).is_file()] == []


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_is_understood(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its command, flags, settings and choices exist; nothing is run."""
    monkeypatch.chdir(ROOT)
    program, *words = shlex.split(line)

    if program == "python":
        assert words[0] == "bench/run.py"
        read_grid_line(words[1:])
        return
    assert program == "rankgrid"
    if words[0] == "bench":
        read_grid_line(words[1:])
        return
    found = arguments_of(words)
    assert found.command
    read_overrides(getattr(found, "overrides", ()), CONF, multirun=False)


def read_grid_line(words: Sequence[str]) -> None:
    """Read a line of a study as its door does, up to the names and choices of its settings."""
    found = parse_arguments(words, "rankgrid bench")
    typed, is_grid = with_study_file(found.overrides, CONF)
    read_overrides(typed, CONF, multirun=found.multirun or is_grid)


@pytest.mark.parametrize("document", PARTIAL)
def test_what_is_partial_is_listed(document: str) -> None:
    """So that nobody leaves a part out in silence, nor keeps one listed that is whole by now."""
    (place,) = (one for one in FILES if one.stem == document)

    found = {entry["id"] for entry in entries_of(place) if "partial" in entry}

    assert found == PARTIAL[document]
