"""A wrong command line is answered in one line."""

import pytest

from bench.cli.program import main


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ([], "COMMAND"),
        (["comprae"], "invalid choice: 'comprae'"),
        (["compare"], "required"),
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
