"""What a user reads when something is wrong: one line, and an exit code.

2: what was asked cannot be done, and nothing was started; 1: something failed on the way.
"""

import sys

from bench.errors import FixtureError, RankgridError, UsageError

FAILED, UNUSABLE, INTERRUPTED = 1, 2, 130


def explained(error: Exception, *, debug: bool) -> int:
    """Print the first line of an error, or raise it to show all; return the exit code."""
    if debug:
        raise error
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    print("rankgrid:", lines[0] if lines else repr(error), file=sys.stderr)  # noqa: T201
    for line in lines[1:] if isinstance(error, FixtureError) else []:
        print(" ", line, file=sys.stderr)  # noqa: T201 - a line for each query that is wrong
    is_ours = isinstance(error, UsageError | FixtureError)
    return UNUSABLE if is_ours or not isinstance(error, RankgridError) else FAILED
