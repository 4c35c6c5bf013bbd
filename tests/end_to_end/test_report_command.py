"""`rankgrid report` as people type it."""

import json
import subprocess
import sys
from pathlib import Path

from tests.unit.report.sample_results import a_grid


def report(folder: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder and expect an exit code."""
    program = "from bench.cli import main; import sys; main(sys.argv[1:])"
    command = [sys.executable, "-c", program, "report", *arguments]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert found.returncode == code, found.stderr + found.stdout
    return found


def test_a_report_is_made_again_beside_its_results_or_elsewhere(tmp_path: Path) -> None:
    """From a results file that somebody sent, with other targets."""
    (tmp_path / "sent.json").write_text(json.dumps(a_grid()), encoding="utf-8")

    said = report(tmp_path, "sent.json", "--to", "made", "--target", "easy=0.01").stdout

    assert said.strip() == "Report: made/report.html"
    assert "> 1.0 % | yes" in (tmp_path / "made" / "FINDINGS.md").read_text("utf-8")
    report(tmp_path, "sent.json")
    assert (tmp_path / "report.html").exists()


def test_one_report_is_made_over_several_studies(tmp_path: Path) -> None:
    """Their trials are in one table; the joined study is a study for the other commands."""
    first, second = a_grid(), a_grid()
    second["study"] = "later"
    second["reports"] = [
        {**one, "config": {**one["config"], "name": f"other {number}"}}
        for number, one in enumerate(second["reports"])
    ]
    (tmp_path / "first.json").write_text(json.dumps(first), encoding="utf-8")
    (tmp_path / "second.json").write_text(json.dumps(second), encoding="utf-8")

    said = report(tmp_path, "first.json", "second.json").stdout

    (folder,) = (tmp_path / "outputs").glob("joined-*")
    assert f"outputs/{folder.name}/report.html" in said
    assert "chunk=64 rerank=on" in said
    assert "other 3" in said
    found = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert found["num_configs"] == 8
    assert found["recommendation"]["tested"]
    again = json.loads(report(tmp_path, str(folder), "--to", "again", "--json").stdout)
    assert again["study"] == folder.name


def test_what_is_no_study_is_refused_with_a_remedy(tmp_path: Path) -> None:
    """One line, exit code 2, and no file."""
    (tmp_path / "other.json").write_text('{"schema": 99}', encoding="utf-8")

    missing = report(tmp_path, "nowhere", code=2).stderr
    other = report(tmp_path, "other.json", code=2).stderr
    target = report(tmp_path, "other.json", "--target", "easy=60", code=2).stderr

    assert "give a results.json, its folder, latest" in missing
    assert "a results file of version 99, and this rankgrid reads versions 1 to 2" in other
    assert "write TIER=SHARE with a share from 0 to 1" in target
    assert {path.name for path in tmp_path.iterdir()} == {"other.json"}
