"""What a study's recommendation says of each of its trials, in a word to filter by."""

from collections.abc import Mapping
from typing import Any

from bench.tracking.measured import mapping

Json = Mapping[str, Any]


def verdict_of(report: Json, recommendation: Json) -> str | None:
    """Return a trial's place in the recommendation, if it has one."""
    name = mapping(report, "config").get("name")
    if name is None:
        return None
    places = {
        "ship": name == recommendation.get("ship"),
        "ruled out": ruled_out(name, recommendation) is not None,
        "bound": report.get("bound") is True,
        "highest": name == recommendation.get("highest"),
        "may be best": name in (mapping(recommendation, "tested").get("may_be_best") or ()),
    }
    return next((place for place, holds in places.items() if holds), None)


def ruled_out(name: object, recommendation: Json) -> str | None:
    """Return which limits a trial does not keep."""
    found = recommendation.get("ruled_out") or ()
    return next((str(one.get("why")) for one in found if one.get("trial") == name), None)
