"""Files are written whole or not at all, and what is wrong with one is said in one line."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bench.cli import main
from bench.engine import ArtifactStore
from bench.errors import FixtureError, OutputError, SettingError, UsageError
from bench.files import (
    create_ignored,
    json_value,
    read_bytes,
    read_json,
    read_text,
    read_yaml,
    write_table,
    write_whole,
)
from bench.report import record_opening


def test_a_new_folder_is_ignored_by_git_with_all_that_is_in_it(tmp_path: Path) -> None:
    create_ignored(tmp_path / "results" / "outputs")

    assert (tmp_path / "results" / "outputs" / ".gitignore").read_text("utf-8") == "*\n"
    assert not (tmp_path / "results" / ".gitignore").exists()


def test_a_folder_that_exists_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("x = 1\n", encoding="utf-8")

    create_ignored(tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]


def test_a_new_store_and_the_new_folder_around_it_are_ignored(tmp_path: Path) -> None:
    store = ArtifactStore(str(tmp_path / ".rankgrid" / "store"))
    store.write_checked("rates", b"{}")

    assert (tmp_path / ".rankgrid" / ".gitignore").read_text("utf-8") == "*\n"
    assert (tmp_path / ".rankgrid" / "store" / ".gitignore").exists()
    assert not (tmp_path / ".gitignore").exists()
    assert [name for name, _, _ in store.contents()] == ["rates"]


def test_an_output_that_the_log_of_openings_makes_is_ignored(tmp_path: Path) -> None:
    record_opening(tmp_path / "outputs", "own", {})

    assert (tmp_path / "outputs" / ".gitignore").exists()


def test_a_file_is_written_with_the_folders_above_it_and_nothing_beside_it(
    tmp_path: Path,
) -> None:
    place = tmp_path / "new" / "folder" / "file.txt"

    write_whole(place, "größer\r\n")

    assert place.read_bytes() == "größer\r\n".encode()
    assert os.listdir(place.parent) == ["file.txt"]  # noqa: PTH208 - hidden files, too


def test_a_file_that_is_there_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_bytes(b"old and longer")
    place.chmod(0o640)
    before = place.stat().st_ino

    write_whole(place, b"new")

    assert place.read_bytes() == b"new"
    assert place.stat().st_ino != before
    assert place.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere" / "file")

    write_whole(tmp_path / "link", "text")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "elsewhere" / "file").read_text("utf-8") == "text"


def test_threads_that_write_one_file_do_not_meet(tmp_path: Path) -> None:
    texts = [letter * 100_000 for letter in "abcdefgh"]

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda text: write_whole(tmp_path / "file", text), texts * 5))

    assert (tmp_path / "file").read_text("utf-8") in texts
    assert os.listdir(tmp_path) == ["file"]  # noqa: PTH208


def test_the_longest_name_that_a_file_can_have_is_written(tmp_path: Path) -> None:
    write_whole(tmp_path / ("ä" * 127), "text")

    assert (tmp_path / ("ä" * 127)).is_file()


def test_what_is_written_to_a_pipe_is_piped() -> None:
    code = (
        "from pathlib import Path; from bench.files import write_whole;"
        "write_whole(Path('/dev/stdout'), 'piped')"
    )

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert found.stdout == b"piped"
    assert Path("/dev/stdout").is_symlink()


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("file/inside", "a file is in the place of its folder"),
        ("file/deeper/inside", "Not a directory"),
        ("folder", "Is a directory"),
        ("n" * 300, "File name too long"),
    ],
)
def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path, place: str, why: str) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    (tmp_path / "folder").mkdir()

    with pytest.raises(OutputError) as refused:
        write_whole(tmp_path / place, "text")

    remedy = "choose a place in a folder that can be written to"
    assert refused.value.message == f"{tmp_path / place}: cannot be written ({why}); {remedy}"
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]  # noqa: PTH208
    assert (tmp_path / "file").read_text("utf-8") == "mine"


def test_a_command_that_cannot_write_says_so_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "cart.py").write_text('def total():\n    """Sum it."""\n', "utf-8")

    with pytest.raises(SystemExit, match="1"):
        main(["init", str(tmp_path / "code"), "--output", str(tmp_path / "code" / "cart.py")])

    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"rankgrid: {tmp_path}/code/cart.py/queries.yaml: cannot be written")


def test_a_full_disk_is_one_line() -> None:
    with pytest.raises(OutputError, match=r"No space left on device\); free some space"):
        write_whole(Path("/dev/full"), "text")


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(OutputError, match="a file is in the place of its folder"):
        create_ignored(tmp_path / "file")


def test_a_table_has_the_columns_and_types_that_arrow_gives_the_rows(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"name": "a", "score": 1, "day": "2020-01-01", "hits": [{"place": 1}], "of": None},
        {"name": "b\u2028é😀", "score": 0.1, "day": "", "hits": [], "of": None},
        {"name": "c", "score": None, "fine": True, "hits": [{"place": 2, "why": "x"}]},
    ]
    names = dict.fromkeys(name for row in rows for name in row)
    table = pa.table({name: [row.get(name) for row in rows] for name in names})

    write_table(tmp_path / "new" / "table.parquet", rows)

    assert pq.read_table(tmp_path / "new" / "table.parquet").equals(table)


def test_writing_a_table_loads_no_pandas(tmp_path: Path) -> None:
    write = (
        "import sys; from pathlib import Path; from bench.files import write_table;"
        "write_table(Path(sys.argv[1]), [{'name': 'a', 'score': 0.5}]);"
        "sys.exit('pandas' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", write, str(tmp_path / "t.parquet")], check=False)

    assert done.returncode == 0


def test_yaml_and_json_are_read_as_plain_values(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("\ufeffa: [1, no]\n", encoding="utf-8")
    (tmp_path / "a.json").write_text('{"a": [1]}', encoding="utf-8")

    assert read_yaml(tmp_path / "a.yaml", UsageError) == {"a": [1, False]}
    assert read_json(tmp_path / "a.json", UsageError) == {"a": [1]}


@pytest.mark.parametrize(
    ("name", "content", "wrong"),
    [
        ("a.yaml", b"a: 1\nb: [\n", ":3: is not valid YAML: expected the node content"),
        ("a.yaml", b"a: 1\n\nb: \x01\n", ":3: holds a character that YAML does not allow"),
        ("a.yaml", b"a: 2020-13-45\n", ": is not valid YAML: month must be in 1..12"),
        ("a.yaml", b"a: " + b"[" * 5_000, ": is not valid YAML: maximum recursion depth"),
        ("a.yaml", b"a: 1\n\xff", ":2: byte 0xff is not UTF-8; save the file as UTF-8"),
        ("a.json", b'{"a": 1,\n "b" 2}', ":2: is not valid JSON: Expecting ':' delimiter"),
        ("a.json", b"[" * 100_000, ":1: is not valid JSON: it nests or counts too far"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_with_the_place(
    tmp_path: Path, name: str, content: bytes, wrong: str
) -> None:
    place = tmp_path / name
    place.write_bytes(content)

    with pytest.raises(SettingError) as refused:
        (read_yaml if name.endswith("yaml") else read_json)(place, SettingError)

    assert refused.value.message.startswith(f"{place}{wrong}")
    assert "\n" not in refused.value.message


def test_what_cannot_be_opened_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(FixtureError, match="there is no such file; check the path"):
        read_text(tmp_path / "gone", FixtureError)
    with pytest.raises(UsageError, match="is not a regular file; give a file"):
        read_text(tmp_path, UsageError)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * 2_000_001)

    with pytest.raises(UsageError, match="large: is larger than 2 MB"):
        read_bytes(tmp_path / "large", UsageError, most=2_000_000)

    assert len(read_bytes(tmp_path / "large", UsageError)) == 2_000_001


def test_json_within_a_file_is_placed_there() -> None:
    with pytest.raises(FixtureError, match=r"^rows\.csv:8: is not valid JSON"):
        json_value('[\n"a" 1]', "rows.csv", FixtureError, line=7)
