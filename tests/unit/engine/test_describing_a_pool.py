"""Pools of processes say how large they are, in plain words."""

import pytest

from bench.engine.processes import ProcessPool


@pytest.mark.parametrize(
    ("workers", "description"),
    [(1, "1 worker process, one thread"), (2, "2 worker processes, one thread each")],
)
def test_one_worker_is_one_process(workers: int, description: str) -> None:
    assert ProcessPool(workers).description == description
