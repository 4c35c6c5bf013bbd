"""Hydra composes our own configuration and no other."""

import pytest

from bench.errors import UsageError
from bench.run import _refuse_other_folders


@pytest.mark.parametrize(
    "typed",
    [
        ["--config-dir", "theirs"],
        ["--config-dir=theirs"],
        ["--config-d=theirs"],
        ["-cd", "theirs"],
        ["-cd=theirs"],
        ["--config-path", "theirs"],
        ["-cp", "theirs"],
        ["--config-name", "theirs"],
        ["-cn", "theirs"],
        ["--experimental-rerun", "theirs/config.pickle"],
        ["--exp", "theirs/config.pickle"],
        ["hydra.searchpath=[file://theirs]"],
        ["+hydra.searchpath=[file://theirs]"],
        [" hydra.searchpath=[file://theirs]"],
    ],
    ids=" ".join,
)
def test_configuration_from_elsewhere_is_refused(typed: list[str]) -> None:
    with pytest.raises(UsageError, match="own conf/ only") as refused:
        _refuse_other_folders(["chunk=64", "-m", *typed, "--cfg", "job"])

    assert "\n" not in str(refused.value)


def test_the_other_options_of_hydra_are_left_alone() -> None:
    _refuse_other_folders(["-m", "chunk=1,2", "--cfg", "job", "--resolve", "hydra.verbose=true"])
