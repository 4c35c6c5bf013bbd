"""What docs/graph.md says of scores is what the settings add up to, and its settings exist."""

import re
from collections.abc import Mapping
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from bench.files import data_folder
from bench.launcher.points import read_points

PAGE = (Path(__file__).parents[4] / "docs" / "graph.md").read_text(encoding="utf-8")
SECTION = PAGE.split("## What a score means")[1].split("\n## ")[0]
SUREST = 0.9
"""The confidence of what the source states, such as a call that was resolved."""


def settings_of(retriever: str) -> Mapping[str, Any]:
    """Return the settings of a shipped retriever."""
    (point,) = read_points([f"retriever={retriever}"], data_folder("conf"), multirun=False)
    found: Mapping[str, Any] = point.config["retriever"]
    return found


def setting(name: str) -> Any:
    """Return a setting of the graph by its name with dots."""
    return reduce(lambda part, key: part[key], name.split("."), settings_of("graph"))


@pytest.mark.parametrize("retriever", ["graph", "graph_described"])
def test_the_highest_score_is_what_the_parts_add_up_to(retriever: str) -> None:
    """Without observations, feedback and sessions, and for a seed that everything leads to."""
    settings = settings_of(retriever)
    scoring, hits = settings["scoring"], settings["hits"]
    shares = scoring["hits"]

    parts = [scoring["seed"], shares["reach"], shares["distance"], SUREST * shares["confidence"]]
    parts += [hits["seed_authority"], hits["seed_hub"]]
    parts += [scoring["ages"]["never"] * shares["recency"]]
    highest = f"{sum(parts) + 1e-9:.2f}"

    said = {"graph": "With the defaults it is at most", "graph_described": "cannot exceed"}
    assert f"{said[retriever]} {highest}" in SECTION


def test_flat_lists_and_hubs_are_explained() -> None:
    """Why scores may lie close together, why a hub scores high, and what to do about each."""
    flat = next(part for part in SECTION.split("\n\n") if "**flat**" in part)
    high = next(part for part in SECTION.split("\n\n") if "**unexpectedly high**" in part)

    assert "the words match much of the code equally well" in flat
    assert "name an identifier, a file or a folder" in flat
    assert "the walk passes it from everywhere" in high
    assert "`explain` tells the two causes apart: a hub" in high
    assert [setting(name) for name in re.findall(r"`((?:walk|hits|seeding)\.\w+)`", high)]


def test_ranges_are_given_for_both_scores() -> None:
    """From the highest down to what is reached by the walk alone, or is filtered."""
    tables = [part for part in SECTION.split("\n\n") if part.startswith("| score |")]

    assert len(tables) == 2
    for table in tables:
        rows = [line.split("|")[1].strip() for line in table.splitlines()[2:]]
        bounds = [float(re.findall(r"[\d.]+", row)[0]) for row in rows[:-1]]
        assert bounds == sorted(bounds, reverse=True)
        assert rows[-1] == f"below {bounds[-1]:.1f}"
