"""Whether queries and judgements can be trusted: what is wrong in them, and how to mend it."""

from bench.queries.verification.findings import Finding, QueryReport, SetReport, Severity
from bench.queries.verification.verifying import FixtureSet, verify, verify_query

__all__ = [
    "Finding",
    "FixtureSet",
    "QueryReport",
    "SetReport",
    "Severity",
    "verify",
    "verify_query",
]
