"""Records of other tools are imported with their fields under our names."""

import json
from pathlib import Path

import pytest

from bench.cli import main
from bench.queries import Target, read_entries

RECORD = {
    "id": 7,
    "ask": "where is it",
    "gold": [{"file": "a.py", "from": 2, "to": 3, "score": 0.5}],
    "split": "dev",
}
FLAGS = (
    *("--map", "ask=query", "--map", "gold=expected_spans", "--map", "split=-"),
    *("--map", "expected_spans.file=path", "--map", "expected_spans.from=start"),
    *("--map", "expected_spans.to=end", "--map", "expected_spans.score=-"),
)


def imported(
    folder: Path, capsys: pytest.CaptureFixture[str], *flags: str, text: str = ""
) -> tuple[int, str]:
    source = folder / "foreign.jsonl"
    source.write_text(text or json.dumps(RECORD) + "\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["fixtures", "import", str(source), "--output", str(folder / "q.yaml"), *flags])
    return int(ended.value.code or 0), capsys.readouterr().err


def test_fields_are_renamed_and_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, error = imported(tmp_path, capsys, *FLAGS)

    assert (code, error) == (0, "")
    (found,) = read_entries(tmp_path / "q.yaml")
    assert (found.query.id, found.query.text) == ("7", "where is it")
    assert found.query.targets == (Target("span", path="a.py", start=2, end=3),)


def test_the_format_is_recognised_by_our_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = json.dumps({"id": 1, "ask": "q", "docs": ["a.md"]}) + "\n"
    flags = ("--map", "ask=question", "--map", "docs=expected_doc_ids")

    assert imported(tmp_path, capsys, *flags, text=text) == (0, "")

    (found,) = read_entries(tmp_path / "q.yaml")
    assert found.query.targets == (Target("file", path="a.md"),)


def test_fields_of_a_query_set_are_those_of_its_queries(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "queries:\n- {id: a, query: q, negative: true, owner: me}\n"
    source = tmp_path / "foreign.yaml"
    source.write_text(text, encoding="utf-8")
    output = str(tmp_path / "q.yaml")

    with pytest.raises(SystemExit) as ended:
        main(["fixtures", "import", str(source), "--output", output, "--map", "queries.owner=-"])

    assert ended.value.code == 0, capsys.readouterr().err
    assert [one.query.id for one in read_entries(tmp_path / "q.yaml")] == ["a"]


HINTED = {
    "of a record": (FLAGS[:4], "--map split=OURS, or split=- to leave it out"),
    "of a span": (FLAGS[:-2], "--map expected_spans.score=OURS, or expected_spans.score=-"),
}


@pytest.mark.parametrize("hinted", HINTED.values(), ids=HINTED.keys())
def test_an_unknown_field_names_the_flag_that_maps_it(
    hinted: tuple[tuple[str, ...], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags, words = hinted

    code, error = imported(tmp_path, capsys, *flags)

    assert code == 1
    assert words in error
    assert not (tmp_path / "q.yaml").exists()


WRONG = {
    "no equals sign": (("--map", "ask"), 2, "--map ask: must be FIELD=OURS"),
    "twice": (("--map", "ask=query", "--map", "ask=-"), 2, "is mapped to query already"),
    "of no record": ((*FLAGS, "--map", "asks=-"), 2, "--map asks=-: no record has this field"),
    "two for one": ((*FLAGS, "--map", "id=query"), 1, "has two fields that mean 'query'"),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_map_is_told_and_nothing_is_written(
    wrong: tuple[tuple[str, ...], int, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags, code, words = wrong

    assert imported(tmp_path, capsys, *flags)[0] == code
    assert words in imported(tmp_path, capsys, *flags)[1]
    assert not (tmp_path / "q.yaml").exists()
