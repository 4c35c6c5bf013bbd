"""Pool of worker processes on this machine.

A worker is a fresh interpreter, neither a fork nor a spawn of `multiprocessing`. Its environment
is set before any library loads, and it does not run the driver's main module again.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Pipe, wait
from typing import IO

from bench.engine.pool import MOST_RETRIES, Alone, Group, Pool
from bench.engine.task import ONE_THREAD, Failure, Outcome, Task
from bench.engine.worker import UNREAD
from bench.errors import ExecutionError

_BOOT = (
    "import gc, json, sys; gc.disable(); path, *numbers = sys.argv[1:]; "
    "sys.path[:] = json.loads(path); "
    "from bench.engine.worker import serve; serve(*map(int, numbers))"
)
"""Program of a worker. It collects no garbage until the modules of the first tasks are loaded."""
_GOODBYE_SECONDS = 5.0
_TAIL_BYTES = 4_000


def local_pool(workers: int, idle: "IdleWorkers | None" = None) -> Pool:
    """Return a pool of `workers` processes; with 0, tasks run in this process."""
    return ProcessPool(workers, idle) if workers else Alone()


class IdleWorkers:
    """Idle workers for the next pool. A start takes half a CPU-second, more than most stages."""

    def __init__(self) -> None:
        self._idle: list[_Worker] = []

    def take(self) -> "_Worker":
        """Return an idle worker, or a new one."""
        while self._idle:
            worker = self._idle.pop()
            if not worker.is_dead:
                return worker
            worker.kill()
        return _Worker()

    def add(self, worker: "_Worker") -> None:
        """Keep a worker that has finished its task."""
        self._idle.append(worker)

    def end(self) -> None:
        """End every idle worker."""
        for worker in self._idle:
            worker.pipe.close()
        for worker in self._idle:
            worker.say_goodbye()
        self._idle.clear()


class ProcessPool(Pool):
    """Worker processes, started on demand and replaced when they die.

    Use a pool from one thread only: the kernel ends the workers when the thread that started them
    ends. Workers are taken from `idle` and returned to it; without `idle`, they end with the pool.
    """

    def __init__(self, workers: int, idle: IdleWorkers | None = None) -> None:
        if workers < 1:
            raise ExecutionError(f"{workers} worker processes cannot work: ask for 1 or more")
        self.workers = self.slots = workers
        several = f"{workers} worker processes, one thread each"
        self.description = several if workers > 1 else "1 worker process, one thread"
        self._idle = idle or IdleWorkers()
        self._are_kept = idle is not None
        self._busy: dict[_Worker, Group] = {}
        self._waiting: deque[Group] = deque()

    def start(self, *tasks: Task) -> str:
        """Send tasks to a free worker and return its name; queue them if all workers are busy."""
        if len(self._busy) >= self.workers:
            self._waiting.append(Group(tasks))
            return ""
        return self._hand_out(Group(tasks))

    def finished(self, timeout: float) -> list[Outcome]:
        """Return new outcomes; a task whose worker died is retried."""
        ready = wait([worker.pipe for worker in self._busy], timeout) if self._busy else []
        dead = {worker for worker in self._busy if worker.is_dead}
        outcomes = [
            outcome
            for worker in list(self._busy)
            if worker.pipe in ready or worker in dead
            for outcome in self._outcomes_of(worker)
        ]
        while self._waiting and len(self._busy) < self.workers:
            self._hand_out(self._waiting.popleft())
        return outcomes

    def cancel(self) -> None:
        """Kill the busy workers and drop their tasks."""
        for worker in self._busy:
            worker.kill()
        self._busy.clear()
        self._waiting.clear()

    def close(self) -> None:
        """End every worker that is not kept for the next pool."""
        self.cancel()
        if not self._are_kept:
            self._idle.end()

    def _hand_out(self, attempt: Group) -> str:
        worker = self._idle.take()
        self._busy[worker] = attempt
        worker.give(attempt.given)
        return worker.name

    def _outcomes_of(self, worker: "_Worker") -> Iterator[Outcome]:
        """Yield the outcomes that a worker has sent; it stays busy with the rest of its group."""
        attempt = self._busy.pop(worker)
        while attempt.tasks:
            try:
                outcome: Outcome = worker.pipe.recv()
            except (EOFError, OSError):
                yield from self._after_loss(worker, attempt)
                return
            # One stage cannot be loaded. Sent one by one, the tasks show which.
            if outcome.fingerprint == UNREAD and len(attempt.given) > 1:
                self._wait_with(replace(attempt, is_divided=True))
                break
            first = attempt.tasks[0].stage.fingerprint
            # The outcome of an unreadable stage does not have its fingerprint.
            yield replace(outcome, fingerprint=first)
            attempt = attempt.after(outcome)
            if attempt.is_divided:
                self._wait_with(attempt)
                break
            worker.began = time.time()
            # The worker is still busy; outcomes that have arrived meanwhile are read at once.
            if attempt.tasks and not worker.pipe.poll():
                self._busy[worker] = attempt
                return
        self._idle.add(worker)

    def _after_loss(self, worker: "_Worker", attempt: Group) -> Iterator[Outcome]:
        """Retry the task at which a worker was lost, or yield its failure after too many losses.

        The other tasks of the group are sent one by one, because they did not cause the loss.
        """
        end, words = worker.how_it_ended(), worker.last_words()
        worker.kill()
        lost = attempt.lost + 1
        if lost <= MOST_RETRIES:
            self._wait_with(replace(attempt, lost=lost, is_divided=True))
            return
        failure = Failure(f"its worker process {end}, {lost} times", words)
        name = attempt.tasks[0].stage.fingerprint
        outcome = Outcome(name, failure=failure, worker=worker.name, started=worker.began)
        self._wait_with(replace(attempt.after(outcome), is_divided=True))
        yield outcome

    def _wait_with(self, attempt: Group) -> None:
        if attempt.tasks:
            self._waiting.appendleft(attempt)


class _Worker:
    """A worker process, the pipe to it, and the output of its standard streams."""

    def __init__(self) -> None:
        self.pipe, theirs = Pipe()
        self._words: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the worker
        with theirs:
            self._process = _started(theirs.fileno(), self._words)
        self.began = time.time()
        self.name = f"{socket.gethostname()}:{self._process.pid}"

    @property
    def is_dead(self) -> bool:
        return self._process.poll() is not None

    def give(self, tasks: tuple[Task, ...]) -> None:
        """Send tasks. If the process is dead, reading their outcomes shows it."""
        self.began = time.time()
        with suppress(BrokenPipeError, ConnectionResetError):
            self.pipe.send(tasks)

    def how_it_ended(self) -> str:
        """Return a description of the end of a process whose pipe is closed."""
        try:
            code = self._process.wait(_GOODBYE_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its pipe"
        return f"was killed by {_signal_name(-code)}" if code < 0 else f"ended with code {code}"

    def last_words(self) -> str:
        """Return the last output of the process, for the details of a failure."""
        size = self._words.seek(0, os.SEEK_END)
        self._words.seek(max(0, size - _TAIL_BYTES))
        return self._words.read().decode("utf-8", "replace")

    def kill(self) -> None:
        """Kill the process and its children."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self.pipe.close()
        self._words.close()

    def say_goodbye(self) -> None:
        """Wait for a process that was told to end, and kill it after a time-out."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GOODBYE_SECONDS)
        self.kill()


def _started(pipe_number: int, words: IO[bytes]) -> "subprocess.Popen[bytes]":
    arguments = [json.dumps(_import_path()), str(pipe_number), str(os.getpid())]
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-c", _BOOT, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=words,
            stderr=words,
            env={**os.environ, **ONE_THREAD},
            pass_fds=[pipe_number],
            process_group=0,  # Ctrl-C in a terminal reaches the driver only
        )
    except OSError as error:
        message = f"a worker process cannot be started: {error}; ask for fewer workers"
        raise ExecutionError(message) from error


def _import_path() -> list[str]:
    return [entry or os.getcwd() for entry in sys.path]  # noqa: PTH109 - a string is wanted


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
