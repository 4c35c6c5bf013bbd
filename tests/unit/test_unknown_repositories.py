"""What ranks knows none of the repositories that it is measured on.

Names are looked for in everything that ships with the retrievers: code, comments, and the lists of
words and patterns beside it.
"""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
SUITES = sorted((ROOT / "conf" / "suite").glob("*.yaml"))

# Reviewed: words that are also the name of a repository, where they do not mean it.
OTHER_MEANINGS = {("retrievers/graph/seeding/paths.py", "rich")}


def measured_repositories() -> set[str]:
    """Return the names and packages that the suites have, in small letters."""
    found: set[str] = set()
    for suite in SUITES:
        for entry in yaml.safe_load(suite.read_text("utf-8")).get("repositories") or ():
            found |= {entry["name"].lower(), entry["source"].get("package", "").lower()}
    return found - {""}


def names_in(text: str, names: set[str]) -> set[str]:
    """Return which names a text has; words may be joined by any of - _ and space."""
    return {name for name in names if _pattern(name).search(text)}


def _pattern(name: str) -> re.Pattern[str]:
    parts = map(re.escape, re.split(r"[-_ ]", name))
    return re.compile(rf"(?<![a-z0-9]){'[-_ ]?'.join(parts)}(?![a-z0-9])", re.IGNORECASE)


def test_no_file_of_the_retrievers_names_a_measured_repository() -> None:
    names = measured_repositories()
    files = [
        path
        for path in (ROOT / "retrievers").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]

    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in files
        for name in names_in(path.read_text("utf-8"), names)
    }

    assert len(names) > 40
    assert len(files) > 200
    assert found == OTHER_MEANINGS


@pytest.mark.parametrize(
    "text",
    [
        'if repository == "scrapy":',
        "as in prompt_toolkit",
        "# Scrapy has these",
        "KEEP = {'@tanstack/query-core': 2}",
    ],
)
def test_a_name_is_recognised_however_it_is_written(text: str) -> None:
    assert names_in(text, measured_repositories())


def test_a_part_of_a_word_is_not_a_name() -> None:
    assert names_in("enriched by skyrich", measured_repositories()) == set()
