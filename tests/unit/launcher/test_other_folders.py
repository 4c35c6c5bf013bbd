"""Configuration is composed from rankgrid's own conf/ and from no other folder."""

import pytest

from bench.launcher.door import run_bench


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
def test_configuration_from_elsewhere_is_refused(
    typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = run_bench(["chunk=64", *typed, "--cfg", "job"], "bench/run.py")

    printed = capsys.readouterr()
    assert (code, printed.out) == (2, "")
    assert printed.err.startswith("rankgrid: ")
    assert printed.err.count("\n") == 1
