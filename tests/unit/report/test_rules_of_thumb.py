"""Rules of thumb stand beside the numbers of the trial that is advised."""

from pathlib import Path

from bench.advice import rules_of_thumb
from bench.report import write_report
from bench.results.document import from_json
from tests.unit.report.sample_results import a_grid


def test_each_mean_with_a_rule_has_its_word() -> None:
    means = {"mrr": 0.81, "recall_at_5": 0.69, "ndcg_at_10": 0.2, "hit_at_1": 0.5}

    said = rules_of_thumb(means.get)

    assert said == (
        "By rule of thumb (docs/measures.md): MRR 0.81 excellent, recall@5 0.69 fair, "
        "NDCG@10 0.20 poor."
    )


def test_without_means_nothing_is_said() -> None:
    assert rules_of_thumb({"hit_at_1": 0.5}.get) == ""


def test_both_reports_say_it_of_the_trial_that_is_advised(tmp_path: Path) -> None:
    write_report(from_json(a_grid(), "r.json"), tmp_path)

    for name in ("report.md", "report.html"):
        said = (tmp_path / name).read_text("utf-8")
        assert said.count("By rule of thumb") == 1
        assert "chunk=64 rerank=on: By rule of thumb" in said
