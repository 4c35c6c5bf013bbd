"""`rankgrid init` searches the current folder unless it is told another, and writes true paths."""

import shlex
from pathlib import Path

import pytest
import yaml

from bench.cli.program import main
from tests.small_study import CART

BILL = """\
/** Give a customer more time to pay for what was ordered. */
export function postpone(bill, days) { return bill.due + days; }
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of code within a repository, which is the current folder."""
    code = tmp_path / "repository" / "shop"
    code.mkdir(parents=True)
    (code.parent / ".git").mkdir()
    (code / "cart.py").write_text(CART, encoding="utf-8")
    (code.parent / "outside.py").write_text("def outside(): pass\n", encoding="utf-8")
    monkeypatch.chdir(code)
    return code


def initialised(*typed: str) -> None:
    """Run `init` and expect success."""
    with pytest.raises(SystemExit) as ended:
        main(["init", *typed])
    assert ended.value.code == 0


def searched(suite: Path) -> Path:
    """Return the folder that a suite searches, as its file says it."""
    found = yaml.safe_load(suite.read_text(encoding="utf-8"))
    return Path(suite.parent, found["repositories"][0]["source"]["path"]).resolve()


@pytest.mark.parametrize("typed", [[], ["."], ["../shop"]])
def test_the_current_folder_is_searched_and_not_its_repository(
    shop: Path, typed: list[str]
) -> None:
    initialised(*typed)

    assert searched(shop / "rankgrid" / "suite.yaml") == shop


def test_the_suite_means_the_same_folder_from_elsewhere(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    initialised("--output", "../suites/shop")
    suite = shop.parent / "suites" / "shop" / "suite.yaml"
    monkeypatch.chdir(shop.parent.parent)
    settings = ["suite=file", f"suite.path={suite}", "retriever=bm25", "latency=off"]
    capsys.readouterr()

    with pytest.raises(SystemExit) as ended:
        main(["bench", *settings, "tracking=none", "--plan"])

    assert ended.value.code == 0
    assert "shop" in capsys.readouterr().out
    assert searched(suite) == shop


def test_an_output_may_be_below_the_home_folder(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = shop.parent.parent / "home"
    monkeypatch.setenv("HOME", str(home))

    initialised("--output", "~/suites")

    assert searched(home / "suites" / "suite.yaml") == shop
    assert not (shop / "~").exists()


def test_the_command_for_a_folder_with_odd_letters_runs(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Hydra's grammar has no letters with accents, and a comma makes a grid."""
    initialised("--output", "öffne, bitte")
    words = shlex.split(capsys.readouterr().out.partition("next: ")[2])
    words = words[words.index("suite=file") :]

    with pytest.raises(SystemExit) as ended:
        main(["bench", *words, "retriever=bm25", "latency=off", "tracking=none", "--plan"])

    assert ended.value.code == 0
    assert "1 trial on shop" in capsys.readouterr().out


def test_names_and_notes_are_written_as_people_read_them(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """YAML escapes stay out, and so does the file in front of a definition."""
    code = shop.rename(shop.with_name("läden"))
    monkeypatch.chdir(code)
    Path("bill.js").write_text(BILL, encoding="utf-8")

    initialised()

    assert "name: läden" in Path("rankgrid/suite.yaml").read_text("utf-8")
    queries = yaml.safe_load(Path("rankgrid/queries.yaml").read_text("utf-8"))["queries"]
    notes = {query["expected_symbols"][0]: query["notes"] for query in queries}
    assert notes["bill.js::postpone"] == "postpone"


def test_a_workflow_that_cannot_be_written_leaves_nothing_behind(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["init", "--ci"])

    assert ended.value.code == 2
    assert "is not the top folder of a git repository" in capsys.readouterr().err
    assert [path.name for path in shop.iterdir()] == ["cart.py"]
