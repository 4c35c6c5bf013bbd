"""A log of every look at the half of the queries that results are reported on.

Each look that is followed by a change makes the next one say less: what has been tuned on the
answers is no longer reported on new ones. The log makes looks countable; it keeps nobody out.
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
    """Append a look at a suite's report half, and return how many there have been."""
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
    except ValueError:  # a line that a power cut left half written
        return None
    return found.get("suite") if isinstance(found, dict) else None
