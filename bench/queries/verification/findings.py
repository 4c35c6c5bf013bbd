"""Results of a verification: findings with remedies, and properties of each query."""

import re
from dataclasses import dataclass
from typing import Literal

from bench.queries.building import Entry, Fault

Severity = Literal["error", "warning"]
_PLACE = re.compile(r":(\d+): ")


@dataclass(frozen=True, slots=True)
class Finding:
    """An error, or something that needs a review."""

    severity: Severity
    rule: str
    file: str
    line: int
    query: str
    """The id of the query; "" for findings about a file or a whole set."""
    what: str
    remedy: str


@dataclass(frozen=True, slots=True)
class QueryReport:
    """Properties of a query; None and "" if unknown."""

    id: str
    lexical_overlap: float | None
    packages: int
    tier: str


@dataclass(frozen=True)
class SetReport:
    """Findings about one set of queries."""

    name: str
    findings: tuple[Finding, ...]
    queries: tuple[QueryReport, ...]

    @property
    def lexical_overlap(self) -> float | None:
        """The mean over the queries with a value, or None."""
        found = [one.lexical_overlap for one in self.queries if one.lexical_overlap is not None]
        return sum(found) / len(found) if found else None

    def count(self, severity: Severity) -> int:
        """Return the number of findings of a severity."""
        return sum(one.severity == severity for one in self.findings)


def about(entry: Entry, severity: Severity, rule: str, what: str, remedy: str) -> Finding:
    """Return a finding about one query."""
    place = entry.place
    return Finding(severity, rule, place.file, place.line, entry.query.id, what, remedy)


def from_fault(fault: Fault) -> Finding:
    """Return the finding for a record that could not be read."""
    message, line = fault.error.message.removeprefix(fault.place.file), fault.place.line
    place = _PLACE.match(message)
    if place:
        message, line = message[place.end() :], int(place[1])
    what, _, remedy = message.removeprefix(": ").rpartition("; ")
    whole = what or remedy
    remedy = remedy if what else "correct the file"
    return Finding("error", "malformed", fault.place.file, line, fault.query, whole, remedy)
