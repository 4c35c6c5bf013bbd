"""Error messages for users: one line, and an exit code.

2: the request is invalid, and nothing was started. 1: something failed during the run.
"""

import sys

from bench.errors import FixtureError, RankgridError, UsageError, lines_of
from bench.printable import one_line

FAILED, UNUSABLE, INTERRUPTED = 1, 2, 130


def explained(error: Exception, *, debug: bool) -> int:
    """Print the lines of an error and return the exit code, or raise it with `debug`."""
    if debug:
        raise error
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        reason = one_line(f"{place}{error.strerror or error}")
        print("rankgrid:", reason, file=sys.stderr)  # noqa: T201
        return FAILED
    print("rankgrid:", "\n  ".join(lines_of(error)), file=sys.stderr)  # noqa: T201
    is_ours = isinstance(error, UsageError | FixtureError)
    return UNUSABLE if is_ours or not isinstance(error, RankgridError) else FAILED
