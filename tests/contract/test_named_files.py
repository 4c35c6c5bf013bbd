"""The defaults find what a query names, and what that costs where the answer is elsewhere."""

from pathlib import Path

import pytest

from bench.cli.folder_hits import FolderHits, channel_settings
from bench.engine import opened_store
from tests.small_mailer import FILES, TRAPS, Trap

OFF = ("path_boost=0", "frame_boost=0")
CRASH = (
    "It fails\n\nTraceback (most recent call last):\n"
    '  File "/srv/site/mailer/throttle.py", line 6, in wait_time\nTypeError: bad operand'
)


@pytest.fixture(scope="module")
def mailer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the mailer."""
    folder = tmp_path_factory.mktemp("mailer")
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def places(folder: Path, query: str, *settings: str) -> dict[str, int]:
    """Return the place of each file that `lexical` finds."""
    store = opened_store(str(folder.with_name("store")))
    chosen = channel_settings("lexical", ["unit=file", *settings])
    return {hit.path: hit.rank for hit in FolderHits(str(folder), store, chosen).ask(query).hits}


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("the total is wrong, see mailer/version.py", "mailer/version.py"),
        ("nothing arrives (mailer/retry.py:12)", "mailer/retry.py"),
        (CRASH, "mailer/throttle.py"),
    ],
)
def test_a_file_that_is_named_comes_first(mailer: Path, query: str, path: str) -> None:
    assert places(mailer, query)[path] == 1


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.answer)
def test_an_answer_elsewhere_falls_behind_named_files_only(mailer: Path, trap: Trap) -> None:
    before, after = places(mailer, trap.question, *OFF), places(mailer, trap.question)

    ahead = {path for path, place in after.items() if place < after[trap.answer]}
    were_ahead = {path for path, place in before.items() if place < before[trap.answer]}

    assert ahead <= were_ahead | set(trap.named)


def test_the_boosts_cost_one_first_place_of_eight(mailer: Path) -> None:
    """It is lost where a command is missed for what a file that is named already does."""
    found = {trap.answer: places(mailer, trap.question)[trap.answer] for trap in TRAPS}
    without = {trap.answer: places(mailer, trap.question, *OFF)[trap.answer] for trap in TRAPS}

    first = {path for path, place in found.items() if place == 1}
    assert first == {path for path, place in without.items() if place == 1} - {"mailer/cli.py"}
    assert len(first) == 7
    assert max(found.values()) <= 3
