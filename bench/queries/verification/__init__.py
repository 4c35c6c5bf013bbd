"""Checks of queries and judgements: errors, and how to correct them."""

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
