"""Workers end with whoever started them, however that ended.

A killed driver runs no clean-up; where the kernel can, it ends the workers in the driver's place.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    """Have this process killed when the process `parent` that started it is gone."""
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it was gone before the kernel was asked
        os._exit(1)
