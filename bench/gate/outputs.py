"""Files with the verdict: JUnit, JSON and markdown, and annotations for GitHub."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from bench.compare import as_json
from bench.compare.markdown_page import flip_tables, plain
from bench.files import write_whole
from bench.gate.checks import Check, State
from bench.gate.flags import GateFlags
from bench.gate.verdict import Verdict
from bench.printable import printable

_SIGNS = {
    State.PASS: "✅ passed",
    State.INCONCLUSIVE: "⚠️ inconclusive",
    State.FAIL: "❌ failed",
    State.NOT_COMPARABLE: "❓ not comparable",
}


@dataclass(frozen=True)
class _Place:
    file: str
    text: str


def write_outputs(
    verdict: Verdict, flags: GateFlags, environment: Mapping[str, str] = os.environ
) -> tuple[str, ...]:
    """Write the requested files; return the lines that GitHub turns into annotations."""
    wanted = (
        _Place(flags.junit, as_junit(verdict)),
        _Place(flags.markdown, as_markdown(verdict)),
        _Place(flags.json, json.dumps(as_plain(verdict), indent=1, ensure_ascii=False) + "\n"),
    )
    for place in wanted:
        if place.file:
            write_whole(Path(place.file).expanduser(), place.text)
    summary = environment.get("GITHUB_STEP_SUMMARY")
    if summary and verdict.checks:
        with Path(summary).open("a", encoding="utf-8") as page:
            page.write(as_markdown(verdict))
    on_github = environment.get("GITHUB_ACTIONS") == "true"
    return tuple(annotations(verdict)) if on_github else ()


def as_junit(verdict: Verdict) -> str:
    """Return the verdict as JUnit XML, with a test case for each check."""
    failed = [check for check in verdict.checks if _fails(check, verdict)]
    suite = ET.Element(
        "testsuite",
        name=f"rankgrid gate of {verdict.study}",
        tests=str(len(verdict.checks)),
        failures=str(len(failed)),
    )
    for check in verdict.checks:
        case = ET.SubElement(suite, "testcase", classname=check.trial or "study", name=check.asked)
        text = "\n".join((*check.lines, *check.details))
        if _fails(check, verdict):
            part = ET.SubElement(case, "failure", message=_first(check), type=str(check.state))
            part.text = printable(text)
        elif text:
            ET.SubElement(case, "system-out").text = printable(f"{check.state}\n{text}")
    for element in suite.iter():
        for name, value in element.attrib.items():
            element.set(name, printable(value))
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _fails(check: Check, verdict: Verdict) -> bool:
    passing = (State.PASS,) if verdict.strict else (State.PASS, State.INCONCLUSIVE)
    return check.state not in passing


def _first(check: Check) -> str:
    return check.lines[0] if check.lines else check.asked


def as_plain(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict as plain JSON, including the comparisons."""
    return {
        "study": verdict.study,
        "state": str(verdict.state),
        "exit_code": verdict.exit_code,
        "notes": list(verdict.notes),
        "checks": [
            {
                "trial": check.trial,
                "asked": check.asked,
                "state": str(check.state),
                "lines": list(check.lines),
                "details": list(check.details),
                "visible_drop": check.drop_visible,
                "flipped": _flipped(check),
                "comparison": as_json(check.report) if check.report else None,
            }
            for check in verdict.checks
        ],
    }


def _flipped(check: Check) -> list[str]:
    if check.report is None:
        return []
    return [f"{o.repository}/{o.query}" for o in check.report.matched.both if o.flipped]


def as_markdown(verdict: Verdict) -> str:
    """Return the verdict as a comment on a pull request."""
    lines = [f"## rankgrid gate: {_SIGNS[verdict.state]}", ""]
    lines += ["| trial | asked | found |", "|---|---|---|"]
    lines += [_row(check) for check in verdict.checks]
    lines += ["", *(f"- {plain(note)}" for note in verdict.notes)]
    for check in verdict.checks:
        lines += _details(check)
    return "\n".join(lines).rstrip() + "\n"


def _row(check: Check) -> str:
    found = f"{_SIGNS[check.state]}: {plain('; '.join(check.lines))}"
    return f"| {plain(check.trial)} | {plain(check.asked)} | {found} |"


def _details(check: Check) -> Iterator[str]:
    if check.report is None or not _flipped(check):
        yield from (f"- {plain(line)}" for line in check.details)
        return
    # GitHub parses markdown inside <details> only after the blank line.
    yield from ("", "<details><summary>Queries that flipped</summary>", "", plain(check.trial))
    yield from flip_tables(check.report)
    yield from ("", "</details>", "")


def annotations(verdict: Verdict) -> Iterator[str]:
    """Yield GitHub's workflow commands for checks that did not pass."""
    for check in verdict.checks:
        if check.state is not State.PASS:
            level = "error" if _fails(check, verdict) else "warning"
            text = "\n".join([f"{check.trial}: {check.asked}", *check.lines, *check.details])
            yield f"::{level} title=rankgrid gate {check.state}::{_escaped(text)}"


def _escaped(text: str) -> str:
    """Escape text so that it cannot end an annotation or begin another."""
    return printable(text).replace("%", "%25").replace("\n", "%0A")
