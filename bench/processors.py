"""The processors of this machine."""

import os


def processor_count() -> int:
    """Return the number of processors that this process may use; macOS only knows all of them."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
