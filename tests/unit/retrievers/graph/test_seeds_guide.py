"""What docs/seeds.md says of channels and classes is what they are."""

import re
from pathlib import Path

from retrievers.graph.seeding import CHANNELS, ChannelWeights, extract_keywords, read_classes

GUIDE = (Path(__file__).parents[4] / "docs" / "seeds.md").read_text(encoding="utf-8")


def test_the_guide_names_every_channel_and_its_weight() -> None:
    rows = re.findall(r"^\| `(\w+)` \| \(?([\d.]+)\)? \|", GUIDE, re.MULTILINE)

    assert {name: float(weight) for name, weight in rows} == vars(ChannelWeights())
    assert {name for name, _ in rows} == set(CHANNELS)


def test_the_example_of_a_class_can_be_read() -> None:
    found = re.search(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)

    assert found
    (one,) = read_classes(found.group(1), place="docs/seeds.md")
    assert (one.concept, one.weight, len(one.phrases)) == ("CHECK_OUT", 0.95, 2)


def test_the_example_of_keywords_is_what_a_task_gives() -> None:
    found = extract_keywords("add a new MCP tool for snapshot diffing of a ctx, blast radius")

    assert found.components[0] == "snapshot"
    assert {"SnapshotDiffing", "BlastRadius", "blast_radius"} <= set(found.compounds)
    assert "context" in found.components
