"""What `fixtures verify` lists: each error, and many warnings of one rule as one line."""

import json
from pathlib import Path

import pytest

from bench.cli.program import main

SHOP = Path(__file__).parents[3] / "fixtures" / "samples" / "shop"
DRAFTS = 976


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    path = tmp_path / "q.yaml"
    drafts = [
        f"- {{id: d{n}, query: thing {n}, draft: true, expected_files: [README.md]}}\n"
        for n in range(DRAFTS)
    ]
    wrong = [f"- {{id: w{n}, query: lost {n}, expected_files: [GONE.md]}}\n" for n in range(5)]
    few = [f"- {{id: c{n}, query: c {n}, category: odd, negative: true}}\n" for n in range(3)]
    path.write_text("queries:\n" + "".join(drafts + wrong + few), encoding="utf-8")
    return path


def verified(capsys: pytest.CaptureFixture[str], queries: Path, *flags: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["fixtures", "verify", str(queries), "--repository", str(SHOP), *flags])

    assert ended.value.code == 1
    return capsys.readouterr().out


def test_many_warnings_of_one_rule_are_one_line(
    capsys: pytest.CaptureFixture[str], queries: Path
) -> None:
    lines = verified(capsys, queries).splitlines()

    assert len(lines) == 1 + 5 + 1 + 3 + 1
    assert lines[1].startswith("  warning [unreviewed-draft] 976 times, first at ")
    assert lines[1].endswith("q.yaml:2 and :3: query 'd0': is a draft and not scored; review it, "
                             "then remove 'draft: true'")  # fmt: skip
    assert sum("error [missing]" in line for line in lines) == 5
    assert sum("warning [unknown-category]" in line for line in lines) == 3
    assert lines[-1] == "1 set, 5 errors, 979 warnings; --all lists each"


@pytest.mark.parametrize("flag", ["--all", "--verbose"])
def test_each_warning_can_be_listed(
    flag: str, capsys: pytest.CaptureFixture[str], queries: Path
) -> None:
    lines = verified(capsys, queries, flag).splitlines()

    assert sum("[unreviewed-draft]" in line for line in lines) == DRAFTS
    assert lines[-1] == "1 set, 5 errors, 979 warnings"


def test_json_has_every_finding(capsys: pytest.CaptureFixture[str], queries: Path) -> None:
    found = json.loads(verified(capsys, queries, "--json"))

    assert len(found["sets"][0]["findings"]) == 5 + DRAFTS + 3
