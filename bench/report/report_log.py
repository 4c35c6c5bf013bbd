"""A log of every use of the report half of a suite.

Each change that follows a report on this half biases the next report, because the settings were
tuned on its queries. The log only counts the reports and does not prevent them.
"""

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from bench.errors import OutputError, UsageError
from bench.files import create_ignored

FILE = "report_openings.jsonl"


def record_opening(output: Path, suite: str, asked: Mapping[str, object]) -> int:
    """Append an entry for a suite, and return the number of its entries including this one."""
    place = output / FILE
    when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    line = json.dumps({"opened": when, "suite": suite, **asked}, ensure_ascii=False) + "\n"
    try:
        create_ignored(output)
        target = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(target, line.encode())
        finally:
            os.close(target)
        return sum(_suite_of(one) == suite for one in place.read_text("utf-8").splitlines())
    except OutputError as error:
        raise UsageError(f"half=report: {error.message}") from error
    except OSError as error:
        message = (
            f"half=report: {place} cannot be written ({error.strerror}); choose another output"
        )
        raise UsageError(message) from error


def _suite_of(line: str) -> object:
    try:
        found = json.loads(line)
    except ValueError:  # a line that was cut off by a power failure
        return None
    return found.get("suite") if isinstance(found, dict) else None
