"""Where queries come from if nobody wrote them: drafts, mined history and generated questions."""

from bench.queries import Entry

DRAWN = "docstring"
"""Tag of queries that were drawn from docstrings."""
MINED = "mined"
"""Tag of queries that were mined from a repository's history."""
WIDER = "wider"
"""Tag of generated queries that only the wider rules accept."""
NOT_CALIBRATED = frozenset(("commits", "issues"))
"""Sources of generated queries that were not calibrated, because no shipped repository has
them."""


def is_drawn(entry: Entry) -> bool:
    """Return True for a draft that was drawn from a docstring."""
    return entry.draft and DRAWN in entry.query.tags


def is_generated(entry: Entry) -> bool:
    """Return True if nobody wrote or reviewed the query, such as a scored mined draft."""
    return entry.generated or _is_mined_draft(entry)


def is_uncalibrated(entry: Entry) -> bool:
    """Return True if queries of this origin were never compared with people's queries."""
    is_of_history = entry.generated and entry.query.category in NOT_CALIBRATED
    return _is_mined_draft(entry) or is_of_history


def is_wider(entry: Entry) -> bool:
    """Return True for a generated query that the strict rules reject."""
    return entry.generated and WIDER in entry.query.tags


def _is_mined_draft(entry: Entry) -> bool:
    return entry.draft and MINED in entry.query.tags
