"""What CI systems and reviewers are given says what the verdict says, and cannot be hijacked."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

from bench.gate import Asked, GateFlags, Limit, Verdict, judge, write_outputs
from tests.unit.compare.sample_results import query, results, study, trial

HOSTILE = "<b>x</b> | ::error::gone\n::set-output name=a::b \x00"


def verdict(*, rank: int | None = None, text: str = HOSTILE) -> Verdict:
    """Return the verdict on a study that lost a query with a hostile text and id."""
    before, after = (
        [query("x/one", first, text=text), query(f"x/{text}", 1, text=text), query("x/3", 2)]
        for first in (1, rank)
    )
    old, new = (results(study([trial(asked)])) for asked in (before, after))
    return judge(new, Asked((Limit("mrr", 0.9),)), baseline=old)


def test_junit_has_a_case_for_each_check(tmp_path: Path) -> None:
    found = verdict()

    write_outputs(found, GateFlags(junit=str(tmp_path / "gate.xml")), {})

    suite = ET.parse(tmp_path / "gate.xml").getroot()  # noqa: S314 - our own file
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.get("name") for case in suite] == [check.asked for check in found.checks]
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.text is not None
    assert "one: mrr 0.00, nothing right found" in failure.text
    assert [path.name for path in tmp_path.iterdir()] == ["gate.xml"]


def test_json_holds_the_state_the_flips_and_the_comparison(tmp_path: Path) -> None:
    write_outputs(verdict(), GateFlags(json=str(tmp_path / "gate.json")), {})

    found = json.loads((tmp_path / "gate.json").read_text(encoding="utf-8"))
    assert (found["state"], found["exit_code"]) == ("fail", 3)
    assert found["checks"][1]["flipped"] == ["x/one"]
    assert found["checks"][1]["comparison"]["counts"]["regression"] == 1


def test_markdown_shows_hostile_text_as_text(tmp_path: Path) -> None:
    write_outputs(verdict(), GateFlags(markdown=str(tmp_path / "gate.md")), {})

    found = (tmp_path / "gate.md").read_text(encoding="utf-8")
    assert found.startswith("## rankgrid gate: ❌ failed")
    assert "### Regressions (1)" in found
    assert "<b>" not in found.replace("\\<b\\>", "")
    assert all(line.startswith("|") for line in found.splitlines() if "x/one" in line)


def test_the_name_of_a_trial_is_text_in_what_folds_up(tmp_path: Path) -> None:
    before, after = (
        results(study([trial([query("x/one", rank)], name="<img src=x>")])) for rank in (1, 2)
    )

    write_outputs(
        judge(after, Asked(), baseline=before), GateFlags(markdown=str(tmp_path / "gate.md")), {}
    )

    lines = (tmp_path / "gate.md").read_text(encoding="utf-8").splitlines()
    assert "\\<img src=x\\>" in lines
    assert not [line for line in lines if "<details>" in line and "img" in line]


def test_github_is_given_one_annotation_for_each_check_and_a_summary(tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", encoding="utf-8")
    environment = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}

    lines = write_outputs(verdict(), GateFlags(), environment)

    assert [line.partition(" ")[0] for line in lines] == ["::error", "::warning"]
    assert all("\n" not in line for line in lines)
    assert summary.read_text(encoding="utf-8").startswith("before\n## rankgrid gate")


def test_a_strict_gate_makes_the_warning_an_error() -> None:
    strict = replace(verdict(), strict=True)

    lines = write_outputs(strict, GateFlags(), {"GITHUB_ACTIONS": "true"})

    assert [line.partition(" ")[0] for line in lines] == ["::error", "::error"]


def test_elsewhere_nothing_is_said_or_written(tmp_path: Path) -> None:
    lines = write_outputs(verdict(), GateFlags(), {})

    assert lines == ()
    assert list(tmp_path.iterdir()) == []


def test_no_line_of_a_verdict_begins_an_annotation() -> None:
    """Ids of queries come from files that a pull request may bring."""
    found = verdict(text="x\n::error::x")

    assert not [line for line in found.lines if line.strip().startswith("::")]
