"""Pool on Ray: a private instance on this machine, or an existing cluster.

The nodes of a cluster run the same installed rankgrid. They do not need a shared disk, only a
store that all can reach (or they compute again the inputs that they cannot read). The address is
printed by `ray start --head`. The driver runs on one of the nodes.
"""

import logging
import math
import os
import pickle
import secrets
import socket
import subprocess
import sys
from collections.abc import MutableMapping
from dataclasses import replace
from typing import Any

from bench.engine.parent_death import end_with
from bench.engine.pool import MOST_RETRIES, Group, Pool
from bench.engine.task import ONE_THREAD, Failure, Outcome, Task, perform_group
from bench.errors import ExecutionError
from retrievers.import_path import safe_path_variables

LOCAL = "local"
_PROBE_SECONDS = 5.0
_STATUS_SECONDS = 15.0
_OBJECT_STORE_BYTES = 256 * 1024 * 1024
"""Ray transfers only small results; large ones go through the store."""


class RayPool(Pool):
    """One Ray task per group of stages, on one CPU of the cluster.

    An exclusive stage takes all CPUs of the driver's node. If this process already uses Ray, the
    pool uses that instance and does not shut it down.
    """

    def __init__(self, address: str = LOCAL, workers: int | None = None) -> None:
        """Start Ray on this machine with `workers` CPUs, or join the cluster at `address`."""
        _prepare(os.environ, address)
        if address != LOCAL:
            _check_answers(address)
        import ray

        self._ray: Any = ray
        self._groups: dict[Any, Group] = {}
        self._is_ours = not ray.is_initialized()
        if self._is_ours:
            self._join(address, workers)
        cpus = int(self._ray.cluster_resources().get("CPU", 0))
        self.workers = min(workers or cpus, cpus)
        self.slots = 2 * self.workers
        self.is_here = address == LOCAL
        self.description = f"Ray ({address}), {self.workers} CPUs, one thread a stage"
        self._gcs = ray.get_runtime_context().gcs_address
        perform = self._ray.remote(num_cpus=1, retry_exceptions=False, enable_task_events=False)(
            _perform_until_orphaned
        )
        self._perform = {
            retries: perform.options(max_retries=retries) for retries in range(MOST_RETRIES + 1)
        }
        self._perform_alone = self._bound_to_this_node(perform)

    def start(self, *tasks: Task) -> str:
        """Submit tasks; their worker is known only when they are done."""
        self._submit(Group(tasks))
        return ""

    def finished(self, timeout: float) -> list[Outcome]:
        """Return the outcomes of the next group that is done."""
        if not self._groups:
            return []
        done, _ = self._ray.wait(list(self._groups), timeout=timeout)
        if not done:
            self._check_is_there()
        return [outcome for reference in done for outcome in self._outcomes_of(reference)]

    def cancel(self) -> None:
        """Cancel the running tasks, unless the cluster no longer answers."""
        if _is_reachable(self._gcs):
            for reference in self._groups:
                self._ray.cancel(reference, force=True)
        self._groups.clear()

    def close(self) -> None:
        """Stop the Ray that this pool started, or leave the cluster that it joined."""
        if self._is_ours:
            self._ray.shutdown()

    def _join(self, address: str, workers: int | None) -> None:
        settings: dict[str, Any] = {
            "log_to_driver": False,
            "logging_level": logging.ERROR,
            "runtime_env": {"env_vars": {**ONE_THREAD, **safe_path_variables()}},
            # Ray lets its workers import from the driver's current folder first, which may be
            # untrusted. Ray cannot be told otherwise, but does not do it for jobs of its clients.
            "job_config": self._ray.job_config.JobConfig(_client_job=True),
        }
        if address == LOCAL:
            settings |= {"num_cpus": workers, "object_store_memory": _OBJECT_STORE_BYTES}
            settings |= {"include_dashboard": False}
        try:
            self._ray.init(address=address, **settings)
        except (OSError, RuntimeError, ValueError, SystemExit) as error:
            reason = str(error).strip().partition("\n")[0]
            raise _no_ray(address, reason) from error

    def _bound_to_this_node(self, perform: Any) -> Any:
        """Return a remote function that takes every CPU of the driver's node."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        here = self._ray.get_runtime_context().get_node_id()
        node = next(node for node in self._ray.nodes() if node["NodeID"] == here)
        return perform.options(
            max_retries=MOST_RETRIES,
            num_cpus=math.floor(node["Resources"].get("CPU", 0)),
            scheduling_strategy=NodeAffinitySchedulingStrategy(here, soft=False),
        )

    def _submit(self, group: Group) -> None:
        if not group.tasks:
            return
        if group.tasks[0].stage.exclusive:
            perform_them = self._perform_alone
        else:  # a lost group is retried in parts
            retries = 0 if len(group.given) > 1 else MOST_RETRIES - group.lost
            perform_them = self._perform[retries]
        # Ray's own pickler, which also takes functions, needs five times as long.
        self._groups[perform_them.remote(pickle.dumps(group.given))] = group

    def _outcomes_of(self, reference: Any) -> list[Outcome]:
        group = self._groups.pop(reference)
        try:
            outcomes: list[Outcome] = pickle.loads(self._ray.get(reference))  # noqa: S301 - ours
        except self._ray.exceptions.LocalRayletDiedError as error:
            raise self._lost() from error
        except self._ray.exceptions.RayError as error:
            if len(group.given) > 1:  # one task caused the loss; one by one, they show which
                self._submit(replace(group, lost=1, is_divided=True))
                return []
            fingerprint = group.tasks[0].stage.fingerprint
            outcomes = [Outcome(fingerprint, failure=_failure_of(error))]
        if group.is_divided:
            (outcome,) = outcomes
            self._submit(group.after(outcome))
        return outcomes

    def _check_is_there(self) -> None:
        if not _is_reachable(self._gcs):
            raise self._lost()

    def _lost(self) -> ExecutionError:
        return ExecutionError(
            f"{self.description}: Ray at {self._gcs} no longer answers; run the same command "
            "again, what is finished is kept"
        )


def _perform_until_orphaned(tasks: bytes) -> bytes:
    """Run tasks in a process that ends with Ray's agent on its node."""
    end_with(int(os.environ["RAY_RAYLET_PID"]))
    group: tuple[Task, ...] = pickle.loads(tasks)  # noqa: S301 - the driver sent it
    return pickle.dumps(list(perform_group(group)))


def _prepare(environment: MutableMapping[str, str], address: str) -> None:
    """Set the variables that Ray reads at import: no usage reports, and access by token."""
    environment.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    environment.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    if address != LOCAL:  # the operator of the cluster hands out its token
        return
    environment.setdefault("RAY_AUTH_MODE", "token")
    if environment["RAY_AUTH_MODE"] == "token" and "RAY_AUTH_TOKEN_PATH" not in environment:
        environment.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))


def _check_answers(address: str) -> None:
    """Refuse a cluster that does not answer; Ray itself would wait for minutes."""
    if address.startswith("ray://"):
        raise ExecutionError(
            f"Ray address {address!r}: a Ray client has no node to measure latency on; run on a "
            "node of the cluster and give 'auto' or host:port"
        )
    if address != "auto" and not _is_reachable(address):
        raise _no_ray(address, "nothing answers there")
    place = [] if address == "auto" else ["--address", address]
    command = [sys.executable, "-P", "-m", "ray.scripts.scripts", "status", *place]
    try:
        subprocess.run(command, capture_output=True, timeout=_STATUS_SECONDS, check=True)
    except subprocess.TimeoutExpired as error:
        raise _no_ray(address, f"no answer in {_STATUS_SECONDS:.0f} seconds") from error
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise _no_ray(address, said.partition(". ")[0] or "`ray status` failed") from error


def _is_reachable(address: str) -> bool:
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        return False
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PROBE_SECONDS).close()
    except OSError:
        return False
    return True


def _no_ray(address: str, reason: str) -> ExecutionError:
    return ExecutionError(
        f"Ray address {address!r} cannot be used: {reason}; start a cluster with "
        "`ray start --head`, give its host:port and its RAY_AUTH_TOKEN, or use execution=local"
    )


def _failure_of(error: Exception) -> Failure:
    """Return the failure of a task without an outcome, with Ray's reason in one line."""
    cause = getattr(error, "cause", None) or error
    line = str(cause).strip().partition("\n")[0]
    return Failure(f"Ray did not carry it out: {type(cause).__name__}: {line}", str(error))
