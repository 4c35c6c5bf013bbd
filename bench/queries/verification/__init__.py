"""Whether queries and judgements can be trusted: what is wrong in them, and how to mend it."""

from bench.queries.verification.findings import Finding, QueryReport, SetReport, Severity
from bench.queries.verification.verifying import FixtureSet, verify

__all__ = ["Finding", "FixtureSet", "QueryReport", "SetReport", "Severity", "verify"]
