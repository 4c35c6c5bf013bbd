"""Assignment of the settings of `retriever` to the channel, its rules and its listing."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from retrievers.listing import Listing
from retrievers.rules import Rules

OF_RULES = frozenset({"rules", *(field.name for field in fields(Rules))})
OF_LISTING = frozenset(field.name for field in fields(Listing))


def own_settings(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of the channel itself."""
    taken = {*OF_RULES, *OF_LISTING, "kind"}
    return {name: node[name] for name in node if name not in taken}
