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
