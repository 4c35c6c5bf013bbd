"""A worker process: takes tasks from a pipe and sends back outcomes until the pipe closes."""

import os
import signal
import traceback
from multiprocessing.connection import Connection

from bench.engine.parent_death import end_with
from bench.engine.stage import Fingerprint
from bench.engine.task import Failure, Outcome, Task, perform


def serve(pipe_number: int, driver: int) -> None:
    """Carry out the tasks that come through a pipe, one after the other."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver decides what Ctrl-C means
    end_with(driver)
    os.set_inheritable(pipe_number, False)
    with Connection(pipe_number) as pipe:
        while (outcome := _next_outcome(pipe)) is not None:
            pipe.send(outcome)


def _next_outcome(pipe: Connection) -> Outcome | None:
    try:
        task: Task = pipe.recv()
    except EOFError:
        return None
    except Exception as error:  # whatever importing a stage's module raises
        cause = f"the worker cannot load the stage: {type(error).__name__}: {error}"
        return Outcome(Fingerprint(""), failure=Failure(cause, traceback.format_exc()))
    return perform(task)
