"""The trust in generated questions: the line under the advice, the page and the stored numbers."""

from pathlib import Path

from bench.advice import ending_lines
from bench.advice.generated_trust import MEASURED
from tests.unit.advice.test_prior_advice import generated, study


def test_the_trust_in_generated_questions_is_what_was_measured() -> None:
    """The numbers of the line are those of the page, which a script has printed."""
    pages = (Path(__file__).parents[3] / "docs" / "generated.md").read_text("utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in pages.split("\n")]
    told = {row[0]: row for row in rows if row and row[1:2] == ["none"]}
    (alone,) = (row for row in rows if row and row[0] == "the usual sources")

    measured = MEASURED.values()

    assert [row[2].split(" ")[0] for row in told.values()] == [
        _short(one.floor) for one in measured
    ]
    assert [row[3].split(" ")[0] for row in told.values()] == [
        _short(one.advised) for one in measured
    ]
    assert [alone[2].split(" ")[0], alone[4].split(" ")[0]] == [
        _short(one.alone) for one in measured
    ]
    said = generated(study({"low": 0.2, "high": 0.0}, 120), level="symbol")
    (trust,) = [line for line in ending_lines(said, None) if line.label == "Trust"]
    own = MEASURED[said.settings.measure]
    assert f"{own.advised:.3f} below the best, and {own.floor:.3f} without" in trust.text


def _short(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")
