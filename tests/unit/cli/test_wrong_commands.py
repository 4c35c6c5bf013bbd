"""A wrong command line is answered in one line."""

import shlex

import pytest

from bench.cli.examples import EXAMPLES
from bench.cli.program import arguments_of, main
from bench.launcher.arguments import parse_arguments


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ([], "COMMAND"),
        (["comprae"], "comprae: no such command; did you mean compare?"),
        (["compare"], "required"),
        (["compare", "a", "b", "--trails", "x"], "--trails: no such flag; did you mean --trial?"),
        (["baseline", "save", "--nam", "x", "y", "z"], "see rankgrid baseline save --help"),
        (["run", "retriever=bm25", "--atmost", "5"], "--atmost: no such flag; there are --at"),
        (["context", "--task", "x", "--budget", "many"], "--budget"),
        (["fixtures", "mine", "."], "--output"),
        (["fixtures", "mine", ".", "--output", "o", "--linked", "absent"], "no such file"),
        (["fixtures", "import", "absent", "--output", "o"], "no such file"),
        (["fixtures", "import", ".", "--output", "o", "--chunks", "absent"], "no such file"),
        (["context", "absent", "--task", "x"], "no such file"),
        (["explain", "absent", "--query", "x", "--symbol", "y"], "no such file"),
        (["init", "absent"], "no such file"),
        (["init", __file__], "is a file"),
    ],
)
def test_a_wrong_command_line_is_one_line_with_where_to_look(
    typed: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not the whole usage."""
    with pytest.raises(SystemExit) as stopped:
        main(typed)

    line = capsys.readouterr().err
    assert stopped.value.code == 2
    assert line.count("\n") == 1
    assert line.startswith("rankgrid: ")
    assert said in line
    assert line.rstrip().endswith("--help")


def test_settings_of_a_run_may_stand_before_and_after_its_flags(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The second is read too, and is refused for what it says."""
    with pytest.raises(SystemExit):
        main(["run", "retriever=bm25", "--at", "5", "measures=[mrr]"])

    assert (
        "measures=[mrr]: rankgrid run measures what --at says. Use --at N, or rankgrid bench."
        in capsys.readouterr().err
    )


@pytest.mark.parametrize("command", sorted(EXAMPLES))
def test_examples_of_the_help_are_read_as_they_stand(command: str) -> None:
    """A flag that is gone must not stay in them."""
    for line in EXAMPLES[command]:
        program, *words = shlex.split(line.rpartition("| ")[2], comments=True)

        if program == "rankgrid" and words[0] == "bench":  # the door to grids reads its own
            assert parse_arguments(words[1:], program).overrides
        elif program == "rankgrid":
            assert arguments_of(words).command


@pytest.mark.parametrize(
    "typed",
    [
        ["fixtures", "mine", "absent", "--output", "o"],
        ["fixtures", "export", "absent", "--format", "golden", "--output", "o"],
        ["fixtures", "verify", "absent"],
        ["fixtures", "stats", "absent"],
        ["show", "chunks", "absent"],
        ["show", "symbols", "absent"],
        ["compare", "absent", "absent"],
        ["report", "absent"],
        ["rescore", "absent"],
        ["track", "absent"],
    ],
)
def test_a_place_that_is_not_there_is_wrong_usage(
    typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(typed)

    line = capsys.readouterr().err
    assert stopped.value.code == 2
    assert line.count("\n") == 1
    assert "absent" in line
