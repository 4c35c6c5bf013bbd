"""Worker process: takes groups of tasks from a pipe and sends outcomes until the pipe closes."""

import gc
import os
import signal
import traceback
from collections.abc import Iterable
from multiprocessing.connection import Connection

from bench.engine.parent_death import end_with
from bench.engine.stage import Fingerprint
from bench.engine.task import Failure, Outcome, Task, perform_group

UNREAD = Fingerprint("")
"""Fingerprint in the outcome of a group that could not be loaded."""


def serve(pipe_number: int, driver: int) -> None:
    """Run the tasks that arrive through a pipe, in order."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver decides what Ctrl-C means
    end_with(driver)
    os.set_inheritable(pipe_number, False)
    with Connection(pipe_number) as pipe:
        outcomes = _next_outcomes(pipe)
        gc.freeze()  # the imported modules, which would be searched for garbage again and again
        gc.enable()
        while outcomes is not None:
            for outcome in outcomes:
                pipe.send(outcome)
            outcomes = _next_outcomes(pipe)


def _next_outcomes(pipe: Connection) -> Iterable[Outcome] | None:
    try:
        tasks: tuple[Task, ...] = pipe.recv()
    except EOFError:
        return None
    except Exception as error:  # importing a stage's module may raise any error
        cause = f"the worker cannot load the stage: {type(error).__name__}: {error}"
        return [Outcome(UNREAD, failure=Failure(cause, traceback.format_exc()))]
    return perform_group(tasks)
