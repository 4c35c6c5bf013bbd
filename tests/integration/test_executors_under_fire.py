"""What is left standing when stages, workers, the driver or the cluster die."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from bench.engine import (
    ArtifactStore,
    NoObserver,
    Outcome,
    Plan,
    Pool,
    ProcessPool,
    Task,
    carry_out,
    local_pool,
)
from bench.engine.cluster import RayPool
from bench.errors import ExecutionError
from bench.settings import StudySettings
from bench.settings.study import ExecutionSettings
from bench.wiring import executor, store_in_use
from tests.contract.stages_for_executors import Died, Drawn, Powered, Slept, Unreadable
from tests.processes import running

PATIENCE_SECONDS = 60.0
RAY_AGENTS = {"ray::RuntimeEnvAgent", "ray::DashboardAgent"}
DRIVER = """
import sys
from bench.errors import ExecutionError
from bench.engine import NoObserver, carry_out, local_pool
from bench.engine.cluster import RayPool
from bench.engine import Plan
from tests.contract.stages_for_executors import Slept

kind, folder = sys.argv[1:]
if __name__ == "__main__":
    pool = RayPool("local", workers=2) if kind == "ray" else local_pool(int(kind))
    plan = Plan.reaching([Slept(300.0, name, folder) for name in "abcd"])
    try:
        carry_out(plan, folder + "/store", pool, NoObserver())
    except KeyboardInterrupt:
        sys.exit(130)
    except ExecutionError as error:
        sys.exit(error.message)
"""
JOINER = """
import sys
from bench.errors import ExecutionError
from bench.engine import NoObserver, carry_out
from bench.engine.cluster import RayPool
from bench.engine import Plan
from tests.contract.stages_for_executors import Drawn, Powered, ThreadsAlone

address, folder = sys.argv[1:]
try:
    pool = RayPool(address)
except ExecutionError as error:
    sys.exit(error.message)
plan = Plan.reaching([Powered(Drawn(1), 2), ThreadsAlone()])
outcomes = carry_out(plan, folder, pool, NoObserver())
pool.close()
sys.exit(next((one.failure.details for one in outcomes.values() if one.failure), 0))
"""


@pytest.fixture(scope="module", params=["processes", "ray"])
def pool(request: pytest.FixtureRequest) -> Iterator[Pool]:
    """A pool of each kind that has workers, started once."""
    started: Pool = RayPool("local", workers=2) if request.param == "ray" else ProcessPool(2)
    with closing(started):
        yield started


def test_a_stage_whose_worker_dies_once_is_tried_again(pool: Pool, tmp_path: Path) -> None:
    """The out-of-memory killer takes a worker; the study goes on."""
    goal, other = Died(str(tmp_path), times=1), Drawn(1)

    outcomes = carry_out(Plan.reaching([goal, other]), str(tmp_path), pool, NoObserver())

    assert [outcome.failure for outcome in outcomes.values()] == [None, None]
    payload = outcomes[goal.fingerprint].payload
    assert payload is not None
    assert goal.codec.decode(payload).values.tolist() == [1.0]


def test_a_stage_that_always_kills_its_worker_fails_alone(pool: Pool, tmp_path: Path) -> None:
    """After the third worker the stage is given up, and nothing else."""
    goal, other = Died(str(tmp_path), times=99), Drawn(2)
    behind = Slept(0.0, after=(goal,))

    outcomes = carry_out(Plan.reaching([behind, other]), str(tmp_path), pool, NoObserver())

    failure = outcomes[goal.fingerprint].failure
    assert failure is not None
    assert len(list(tmp_path.glob("*.dead"))) == 3
    skipped = outcomes[behind.fingerprint].failure
    assert skipped is not None
    assert skipped.cause == f"not run: test_died failed: {failure.cause}"
    assert outcomes[other.fingerprint].failure is None


@pytest.mark.parametrize("culprit", ["dies", "unreadable"])
def test_of_a_group_only_the_stage_at_fault_fails(
    culprit: str, pool: Pool, tmp_path: Path
) -> None:
    """Short stages travel together and are judged one by one."""
    goal = Died(str(tmp_path), times=99) if culprit == "dies" else Unreadable()
    others = [Drawn(seed) for seed in range(50, 62)]
    short = {stage.kind: 0.001 for stage in (goal, *others)}
    plan = Plan.reaching([*others[:2], goal, *others[2:]])

    outcomes = carry_out(plan, str(tmp_path), pool, NoObserver(), expected_seconds=short)

    assert [name for name, one in outcomes.items() if one.failure] == [goal.fingerprint]
    assert len(outcomes) == 1 + len(others)


@pytest.mark.parametrize("times", [1, 99])
def test_a_group_whose_input_kills_its_worker_keeps_its_order(
    times: int, pool: Pool, tmp_path: Path
) -> None:
    """What is behind it waits for it, and is given up with it; what is beside it is done."""
    goal, beside = Died(str(tmp_path), times=times), Drawn(70)
    behind = Slept(0.0, "behind", str(tmp_path), after=(goal,))
    far = Slept(0.0, "far", str(tmp_path), after=(behind, beside))
    short = {stage.kind: 0.001 for stage in (goal, beside, behind)}

    outcomes = carry_out(
        Plan.reaching([far, beside]), str(tmp_path), pool, NoObserver(), expected_seconds=short
    )

    failed = [goal.fingerprint, behind.fingerprint, far.fingerprint] if times > 1 else []
    assert {name for name, one in outcomes.items() if one.failure} == set(failed)
    assert len(outcomes) == 4
    assert len(list(tmp_path.glob("*.dead"))) == min(times, 3)


def test_a_failure_names_the_signal_and_keeps_the_last_words(tmp_path: Path) -> None:
    """What a dying process wrote is all that there is to go by."""
    goal = Died(str(tmp_path), times=99)

    with closing(ProcessPool(1)) as pool:
        outcomes = carry_out(Plan.reaching([goal]), str(tmp_path), pool, NoObserver())

    failure = outcomes[goal.fingerprint].failure
    assert failure is not None
    assert failure.cause == "its worker process was killed by SIGKILL, 3 times"
    assert failure.details == "last words\n"


def test_a_task_is_done_although_its_worker_is_killed(pool: Pool, tmp_path: Path) -> None:
    """A kill from outside is not a failure of the stage."""
    goal = Slept(2.0, "killed", str(tmp_path))
    pool.start(Task(goal, str(tmp_path / "store")))
    (first,) = _workers_seen(tmp_path, 1)

    os.kill(first, signal.SIGKILL)
    (outcome,) = _awaited(pool)

    assert outcome.failure is None
    assert outcome.fingerprint == goal.fingerprint
    assert {str(first), outcome.worker.rpartition(":")[2]} == set(_names(tmp_path))
    assert len(_names(tmp_path)) == 2


def test_an_idle_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    """The next task finds out."""
    with closing(ProcessPool(1)) as pool:
        first = pool.start(Task(Drawn(3), str(tmp_path)))
        _awaited(pool)
        os.kill(int(first.rpartition(":")[2]), signal.SIGKILL)

        second = pool.start(Task(Powered(Drawn(3), 2), str(tmp_path)))
        (outcome,) = _awaited(pool)

    assert outcome.failure is None
    assert first != second or outcome.worker != first


def test_closing_a_pool_ends_its_workers(tmp_path: Path) -> None:
    """The busy and the idle alike."""
    pool = ProcessPool(2)
    pool.start(Task(Slept(300.0, "busy", str(tmp_path)), str(tmp_path / "store")))
    pool.start(Task(Slept(0.0, "idle", str(tmp_path)), str(tmp_path / "store")))
    workers = _workers_seen(tmp_path, 2)
    _awaited(pool)

    pool.close()

    assert _alive(workers) == set()
    assert _descendants(os.getpid()) & workers == set()


def test_the_plans_of_a_study_share_workers_that_end_with_it(tmp_path: Path) -> None:
    """Starting a worker takes longer than most stages."""
    settings = StudySettings(store=str(tmp_path / "store"))
    store = ArtifactStore(settings.store)
    run = executor(ExecutionSettings("local", workers=1), store, say=_unheard)

    with store_in_use(settings, say=_unheard):
        plans = [Plan.reaching([Drawn(seed)]) for seed in (1, 2)]
        shared = {outcome.worker for plan in plans for outcome in run(plan).values()}
        during = _alive({int(one.rpartition(":")[2]) for one in shared})
    (alone,) = run(Plan.reaching([Drawn(3)])).values()

    (worker,) = during
    assert {one.rpartition(":")[2] for one in shared} == {str(worker)}
    assert alone.worker.rpartition(":")[2] != str(worker)
    assert _descendants(os.getpid()) & {worker, int(alone.worker.rpartition(":")[2])} == set()


def _unheard(_text: str) -> None:
    pass


@pytest.mark.parametrize("kind", ["2", "ray"])
def test_a_killed_driver_takes_its_workers_along(kind: str, tmp_path: Path) -> None:
    """A killed study must not compete with the next one."""
    with _driver(kind, tmp_path) as driver:
        workers = _workers_seen(tmp_path, 2)
        everything = _descendants(driver.pid)
        assert workers <= everything

        driver.kill()
        driver.communicate()

        assert _alive_after(5.0, workers) == set()
        _end_agents(everything)


def test_a_cluster_that_dies_ends_the_run_in_one_line(tmp_path: Path) -> None:
    """Ray itself would go on looking for it."""
    with _driver("ray", tmp_path) as driver:
        workers = _workers_seen(tmp_path, 2)
        everything = _descendants(driver.pid)
        (head,) = (one for one in everything if "gcs_server" in _command(one))

        os.kill(head, signal.SIGKILL)
        _, said = driver.communicate(timeout=PATIENCE_SECONDS)

        assert driver.returncode == 1
        assert "no longer answers; run the same command again" in said
        assert "Traceback" not in said
        assert _alive_after(5.0, workers) == set()
        _end_agents(everything)


@pytest.mark.parametrize("kind", ["0", "2", "ray"])
def test_an_interrupt_ends_everything_with_130(kind: str, tmp_path: Path) -> None:
    """A terminal sends it to every process of the foreground, and so do we."""
    with _driver(kind, tmp_path) as driver:
        _workers_seen(tmp_path, 1 if kind == "0" else 2)
        everything = _descendants(driver.pid)

        os.killpg(driver.pid, signal.SIGINT)
        _, said = driver.communicate(timeout=PATIENCE_SECONDS)

        assert driver.returncode == 130
        assert _alive_after(5.0, everything) == set()
        assert said == ""


def test_an_address_where_nothing_answers_is_refused_in_one_line() -> None:
    """Ray itself would wait for two minutes, then end the process."""
    with closing(socket.socket()) as observer:
        observer.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{observer.getsockname()[1]}"

        with pytest.raises(
            ExecutionError, match="nothing answers there; start a cluster"
        ) as caught:
            RayPool(address)

    assert address in caught.value.message
    assert "\n" not in caught.value.message


def test_a_cluster_that_was_there_before_is_there_after(tmp_path: Path) -> None:
    """Whoever joins it needs its token, and may only leave it."""
    port, token = _free_port(), "0123456789abcdef" * 2
    address = f"127.0.0.1:{port}"
    with _ray_head(port, _ray_environment(token)) as head:
        first = _joined(address, tmp_path, token)
        stranger = _joined(address, tmp_path, "f" * 32)
        second = _joined(address, tmp_path, token)
        head.terminate()
        head.communicate()

    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert stranger.returncode == 1
    assert "token is missing or incorrect; start a cluster" in stranger.stderr


def test_a_pool_of_no_workers_is_refused() -> None:
    """It would wait for ever."""
    with pytest.raises(ExecutionError, match="ask for 1 or more"):
        ProcessPool(0)


def test_zero_workers_mean_this_very_process(tmp_path: Path) -> None:
    """Tiny plans need nobody else."""
    goal = Slept(0.0, "here", str(tmp_path))

    carry_out(Plan.reaching([goal]), str(tmp_path / "store"), local_pool(0), NoObserver())

    assert _names(tmp_path) == [str(os.getpid())]


@contextmanager
def _driver(kind: str, folder: Path) -> "Iterator[subprocess.Popen[str]]":
    """Run a driver; at the end nothing of it is left, not even the processes that Ray detaches."""
    command = [sys.executable, "-c", DRIVER, kind, str(folder)]
    with running(command, stderr=subprocess.PIPE) as driver:
        try:
            yield driver
        finally:
            _kill(_descendants(driver.pid))


def _ray_environment(token: str) -> dict[str, str]:
    closed = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": token, "RAY_USAGE_STATS_ENABLED": "0"}
    return {**os.environ, **closed}


@contextmanager
def _ray_head(port: int, environment: dict[str, str]) -> "Iterator[subprocess.Popen[str]]":
    settings = ["--num-cpus=2", "--include-dashboard=false", "--object-store-memory=100000000"]
    where = [f"--port={port}", "--node-ip-address=127.0.0.1", "--block"]
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", *where, *settings]
    status = [*command[:3], "status", "--address", f"127.0.0.1:{port}"]
    with running(command, environment=environment, stdout=subprocess.DEVNULL) as head:
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            with closing(socket.socket()) as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.2)
        subprocess.run(status, env=environment, check=True, capture_output=True, timeout=60)
        yield head


def _joined(address: str, folder: Path, token: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", JOINER, address, str(folder)],
        env=_ray_environment(token),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def _free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _names(folder: Path) -> list[str]:
    return [file.stem for file in folder.glob("*.pid")]


def _workers_seen(folder: Path, count: int) -> set[int]:
    """Wait until as many processes have left their ids."""
    until = time.monotonic() + PATIENCE_SECONDS
    while len(names := _names(folder)) < count and time.monotonic() < until:
        time.sleep(0.05)
    assert len(names) == count
    return set(map(int, names))


def _awaited(pool: Pool) -> list[Outcome]:
    while not (outcomes := pool.finished(1.0)):
        pass
    return outcomes


def _parents() -> dict[int, int]:
    """Return the parent of each process that lives (a zombie does not)."""
    found = {}
    for folder in Path("/proc").iterdir():
        with suppress(ValueError, OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if fields[0] not in "ZX":
                found[int(folder.name)] = int(fields[1])
    return found


def _descendants(process: int) -> set[int]:
    parents = _parents()
    found, young = set[int](), {process}
    while young:
        young = {child for child, parent in parents.items() if parent in young} - found
        found |= young
    return found


def _command(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text().partition("\0")[0].strip()
    except OSError:
        return ""


def _end_agents(processes: set[int]) -> None:
    """Check that only Ray's agents are left, who idle for a minute more, and end them."""
    until = time.monotonic() + 20.0
    while not _are_agents(left := _alive(processes)) and time.monotonic() < until:
        time.sleep(0.1)
    assert _are_agents(left), {_command(one) for one in left}
    _kill(left)


def _kill(processes: set[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def _are_agents(processes: set[int]) -> bool:
    return {_command(one) for one in processes} <= {*RAY_AGENTS, ""}


def _alive(processes: set[int]) -> set[int]:
    return processes & _parents().keys()


def _alive_after(seconds: float, processes: set[int]) -> set[int]:
    """Return who of some processes is alive when so much time has passed, or sooner nobody."""
    until = time.monotonic() + seconds
    while (left := _alive(processes)) and time.monotonic() < until:
        time.sleep(0.1)
    return left
