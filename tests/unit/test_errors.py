"""Errors survive the way back from a worker."""

import pickle

import pytest

from bench import errors

KINDS = [
    value
    for value in vars(errors).values()
    if isinstance(value, type) and issubclass(value, errors.RankgridError)
]


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_survives_pickling(kind: type[errors.RankgridError]) -> None:
    """A worker's error arrives with its type and message."""
    found = pickle.loads(pickle.dumps(kind("what was wrong")))  # noqa: S301 - our own bytes

    assert type(found) is kind
    assert found.message == str(found) == "what was wrong"
