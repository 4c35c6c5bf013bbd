"""`rankgrid show` says what a chunker does to a real file."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.cli.program import main

SHOP = '''\
import os


class Cart:
    """What is bought."""

    def add(self, good):
        self.goods.append(good)


def main():
    return Cart()
'''


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one module, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "shop.py").write_text(SHOP, encoding="utf-8")
    return tmp_path


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return what a command prints that ends well."""
    with pytest.raises(SystemExit) as ended:
        main(["show", *arguments])
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_the_chunks_of_a_file_are_listed(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = shown(capsys, "chunks", "src/shop.py", "--chunker", "symbol", "--chunk", "64")

    lines = [line.split() for line in found.splitlines()]
    assert [line[1] for line in lines[:3]] == [
        "src/shop.py:1-6",
        "src/shop.py:7-10",
        "src/shop.py:11-12",
    ]
    assert lines[1][4:] == ["def", "add(self,", "good):"]
    assert lines[3][2:4] == ["12", "lines,"]


def test_chunks_may_be_counted_in_characters(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of 32 characters each, 16 of them shown again: 140 are 1 + ⌈(140 - 32) / 16⌉ chunks."""
    flags = ["--chunker", "tokens", "--chunk", "32", "--encoding", "characters"]
    found = shown(capsys, "chunks", "src/shop.py", *flags, "--overlap", "50%")

    assert len(SHOP) == 140
    assert [line.split()[0] for line in found.splitlines() if " tokens  " in line][-1] == "8"


def test_the_facts_of_a_folder_are_summed_up(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = shown(capsys, "chunks", ".", "--chunker", "lines", "--chunk", "16")

    facts = {line.split()[0]: line.split()[1] for line in found.splitlines()[1:]}
    assert facts["covered_line_share"] == "100.0%"
    assert int(facts["tokens_max"]) <= 16
    assert "shop.py:1" not in found


def test_the_whole_text_stands_between_boundaries(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = shown(capsys, "chunks", "src/shop.py", "--chunk", "32", "--overlap", "0", "--text")

    text = [line for line in found.splitlines() if not line.startswith(("──", " "))]
    assert "class Cart:" in text
    assert found.count("self.goods.append(good)") == 1


def test_headers_stand_above_the_text(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--chunker", "symbol", "--header", "scope", "--text"]

    found = shown(capsys, "chunks", "src/shop.py", *flags).splitlines()

    (place,) = [n for n, line in enumerate(found) if line.startswith("── 2: src/shop.py:7-10")]
    assert found[place + 1 : place + 3] == ["src/shop.py", "class Cart:"]


def test_symbols_are_named_with_their_lines(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = shown(capsys, "symbols", "src/shop.py")

    assert "src/shop.py:7-8  public method         src.shop.Cart.add" in found.splitlines()
    assert found.splitlines()[-1] == "3 symbols, 1 files"


def test_what_a_terminal_would_obey_is_not_printed(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shop / "evil.txt").write_text("a\x1b[2Jb\n", encoding="utf-8")

    found = shown(capsys, "chunks", "evil.txt", "--text")

    assert "\x1b" not in found
    assert "a\ufffd[2Jb" in found


def test_chunks_that_a_model_decides_about_are_those_of_a_study(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["show", "chunks", "src/shop.py", "--chunker", "semantic"])

    assert "--chunker semantic: a model decides where these chunks end. Use" in (
        capsys.readouterr().err
    )


def test_a_reader_that_stops_reading_is_no_error(shop: Path) -> None:
    (shop / "long.txt").write_text("a b c d e f\n" * 100_000, encoding="utf-8")
    program = [sys.executable, "-c", "from bench.cli import main; main()"]
    command = [*program, "show", "chunks", "long.txt", "--text"]

    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        said = running.stderr.read()

    assert said == ""


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["--chunker", "syntacs"], "chunker=syntacs: no such chunker; did you mean syntax"),
        (["--header", "scop"], "chunker.header=scop: not one of its values; did you mean scope"),
        (["--chunk", "5"], "size=5: a chunk has 16 to 8192 tokens"),
        (["--chunker", "file", "--overlap", "5"], "chunker.overlap: no such setting"),
        (["--overlap", "half"], "--overlap 'half': give whole tokens, or a share"),
        (
            ["--encoding", "words"],
            "--encoding words: not one of its values",
        ),
    ],
)
def test_what_cannot_be_done_is_said(
    shop: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], remedy: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["show", "chunks", "src/shop.py", *arguments])

    assert ended.value.code == 2
    assert remedy in capsys.readouterr().err


def test_a_file_that_is_no_text_is_refused(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shop / "image.png").write_bytes(b"\x89PNG\0\0")

    with pytest.raises(SystemExit) as ended:
        main(["show", "chunks", "image.png"])

    assert ended.value.code == 2
    assert "image.png: is not a text file" in capsys.readouterr().err


@pytest.fixture
def suite(shop: Path) -> str:
    """A suite of the folder, in a file beside it."""
    (shop / "queries.yaml").write_text("queries: []\n", encoding="utf-8")
    (shop / "suite.yaml").write_text(
        "name: mine\nrepositories:\n"
        "  - {name: code, source: {kind: local, path: src}, queries: queries.yaml}\n"
        "  - {name: all, source: {kind: local, path: .}, queries: queries.yaml}\n",
        encoding="utf-8",
    )
    return "suite.yaml"


def test_a_file_is_taken_from_what_a_suite_searches(
    shop: Path, suite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--suite", suite, "--repository", "code", "--chunker", "symbol"]

    found = shown(capsys, "chunks", "shop.py", *flags)

    places = [line.split()[1] for line in found.splitlines()[:3]]
    assert places == ["shop.py:1-6", "shop.py:7-10", "shop.py:11-12"]


def test_a_folder_of_a_suite_has_only_its_files(
    shop: Path, suite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = shown(capsys, "symbols", "src/", "--suite", suite, "--repository", "all")

    assert "src/shop.py:7-8" in found
    assert found.splitlines()[-1] == "3 symbols, 1 files"


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["shop.py", "--suite", "suite.yaml"], "--repository (none): the suite has code, all"),
        (["shop.py", "--suite", "quik"], "--suite quik: no such suite; give quick"),
        (["shop.py", "--repository", "code"], "add --suite NAME"),
        (
            ["shp.py", "--suite", "suite.yaml", "--repository", "code"],
            "shp.py: not in code of suite.yaml; did you mean shop.py",
        ),
    ],
)
def test_what_a_suite_does_not_have_is_said(
    suite: str, capsys: pytest.CaptureFixture[str], arguments: list[str], remedy: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["show", "chunks", *arguments])

    assert ended.value.code == 2
    assert remedy in capsys.readouterr().err
