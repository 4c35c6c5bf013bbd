"""Grids that are not a rectangle: impossible points are skipped, and a file lists points."""

import json
from pathlib import Path

import pytest
import yaml

from bench.errors import SettingError, UsageError
from bench.launcher.grid import Grid, read_grid
from bench.launcher.points import read_points

CONF = Path(__file__).parents[3] / "conf"
POINTS = [
    {"chunk": 64, "chunker.overlap": 32},
    {"chunk": 128, "chunker.overlap": "50%"},
    {"chunk": 256},
]
OVERLAPS = ("chunker=tokens", "retriever=bm25", "chunk=64,128", "chunker.overlap=32,100")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, so that files have short names."""
    monkeypatch.chdir(tmp_path)


def grid(*typed: str, trusted: tuple[Path, ...] = ()) -> Grid:
    """Return the grid of a command line."""
    return read_grid(read_points(typed, CONF, multirun=True, trusted=trusted))


def listed(text: str, *typed: str, file: str = "p.yaml", trust: bool = False) -> Grid:
    """Return the grid of a list of points with typed settings beside it."""
    Path(file).write_text(text, encoding="utf-8")
    trusted = (Path(file).resolve(),) if trust else ()
    return grid(f"points={file}", "chunker=tokens", *typed, trusted=trusted)


def names(found: Grid) -> list[str]:
    """Return the names of the trials."""
    return [name for name, _ in found.trials]


def test_impossible_points_are_skipped_with_one_note() -> None:
    found = grid(*OVERLAPS)

    assert names(found) == [
        "chunk=64 chunker.overlap=32",
        "chunk=128 chunker.overlap=32",
        "chunk=128 chunker.overlap=100",
    ]
    (note,) = found.notes
    assert note == (
        "1 of 4 points is impossible and was skipped (grid.strict=true refuses them):"
        " chunker.overlap=100: choose 0 to 63, less than the size"
    )


def test_a_strict_grid_has_no_impossible_point() -> None:
    with pytest.raises(SettingError, match="overlap=100: choose 0 to 63"):
        grid(*OVERLAPS, "grid.strict=true")


def test_a_value_that_goes_with_no_other_is_an_error() -> None:
    with pytest.raises(SettingError, match="chunk=99999: must be from"):
        grid("chunk=64,99999", "retriever=bm25")
    with pytest.raises(SettingError, match="overlap=300: choose"):
        grid(*OVERLAPS[:-1], "chunker.overlap=32,300")


@pytest.mark.parametrize("value", ["1", "[]"])
def test_grid_has_parts(value: str) -> None:
    with pytest.raises(SettingError, match=r"grid=.*: has parts; write grid\.strict=true"):
        grid("retriever=bm25", f"grid={value}")


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("p.csv", "chunk, chunker.overlap\n64,32\n\n128,50%\n256,\n"),
        ("p.yaml", yaml.safe_dump(POINTS)),
        ("p.json", json.dumps(POINTS)),
    ],
)
def test_a_file_lists_points(file: str, text: str) -> None:
    found = listed(text, "retriever=bm25", file=file)

    overlaps = [trial.chunker.overlap for _, trial in found.trials]  # type: ignore[union-attr]
    assert overlaps == [32, 64, 0]
    assert names(found) == [
        "chunk=64 chunker.overlap=32",
        "chunk=128 chunker.overlap=50%",
        "chunk=256",
    ]


def test_each_point_is_made_with_every_typed_value() -> None:
    found = listed("- {chunk: 64}\n- {chunk: 128, limit: 5}\n", "retriever=bm25,lexical")

    assert names(found) == [
        "retriever=bm25 chunk=64",
        "retriever=bm25 chunk=128 limit=5",
        "retriever=lexical chunk=64",
        "retriever=lexical chunk=128 limit=5",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- {chunk: 64}\n- {chunker.overlap: 999}", "point 2: chunker.overlap=999: choose 0 to"),
        ("- {chunk: 64}\n- {chunks: 9}", "point 2: chunks=9: no such setting; did you mean chunk"),
        ("- {chunker.overlp: 9}", "point 1: .*did you mean chunker.overlap?"),
        ("- {chunk: '64,128'}", "point 1: chunk=64,128 has several values. Write a point"),
        ("- {chunk: 'range(64,128)'}", "point 1: .* has several values"),
        ("- {suite: own}", "point 1: suite belongs to the study as a whole"),
        ("- {points: p.yaml}", "point 1: points belongs to the study as a whole"),
        ("- {name: '${output}'}", r"\$\{output\} is an interpolation"),
        ("- {name: \"$\\\\{output}\"}", "cannot be read|is an interpolation"),
        ("- &a {chunk: 64}\n- *a", "has YAML aliases"),
        ("- {~chunk: 64}", "is not the name of a setting"),
        ("[]", "has no points"),
        ("", "must be a list of mappings"),
        ("chunk: 64", "must be a list of mappings"),
        ("- {}", "must be a list of mappings"),
        ("- {a: [}", "not valid YAML"),
        ("- {reranker: server}", "point 1: reranker=server contacts a server. Read the"),
        ("- {retriever.target: 'a:B'}", "runs Python code. .* add --trust p.yaml"),
    ],
)  # fmt: skip
def test_a_faulty_list_is_refused(text: str, said: str) -> None:
    with pytest.raises(SettingError, match=said) as refused:
        listed(text)

    assert str(refused.value).startswith(("points=p.yaml: ", "p.yaml:"))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("chunk,limit\n64,5,7\n", "point 1 has 3 cells, and the first line 2. Quote values"),
        ("chunk,chunk\n64,5\n", "a setting is named twice in the first line"),
        ('chunk\n"64\n', "is not valid CSV"),
        ("chunk\n", "has no points"),
        ("", "has no points"),
        ("name\n${output}\n", "is an interpolation"),
    ],
)
def test_a_faulty_table_is_refused(text: str, said: str) -> None:
    with pytest.raises(SettingError, match=said):
        listed(text, file="p.csv")


def test_a_setting_is_typed_or_listed() -> None:
    with pytest.raises(UsageError, match="point 1: chunk is also typed"):
        listed("- {chunk: 64}", "chunk=128")


def test_a_list_that_is_trusted_may_name_servers() -> None:
    text = "- {embedder: server, embedder.url: 'http://127.0.0.1:9/v1', embedder.model: m}"

    with pytest.raises(SettingError, match="add --trust"):
        listed(text, "retriever=dense")

    assert len(listed(text, "retriever=dense", trust=True).trials) == 1


@pytest.mark.parametrize("name", ["p.txt", "p"])
def test_a_list_has_a_known_form(name: str) -> None:
    with pytest.raises(SettingError, match=r"must be a file of \.yaml, \.yml, \.json, \.csv"):
        listed("- {chunk: 64}", file=name)


def test_a_list_that_is_not_there_is_named() -> None:
    with pytest.raises(SettingError, match=r"nowhere\.yaml"):
        grid("points=nowhere.yaml")
