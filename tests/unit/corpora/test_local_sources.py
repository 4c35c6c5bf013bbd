"""A folder of this machine as a source."""

import os
from pathlib import Path

import pytest

from bench.corpora import Checkout, LocalSource, content_digest, read_source
from bench.errors import SourceError
from retrievers.interface import Documents


def plant(root: Path, files: dict[str, str]) -> None:
    """Write files under a folder."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def read(root: Path, *exclude: str) -> Checkout:
    """Return what a folder gives."""
    return read_source(LocalSource(str(root)), exclude=exclude)


def test_files_become_documents_in_the_order_of_their_paths(tmp_path: Path) -> None:
    plant(tmp_path, {"src/b.py": "b = 2\n", "a.py": "a = 1\n", "README.md": "# Hello\n"})

    documents = read(tmp_path).documents

    assert documents.paths == ("README.md", "a.py", "src/b.py")
    assert [documents.text(n) for n in range(3)] == ["# Hello\n", "a = 1\n", "b = 2\n"]


def test_no_link_is_followed_out_of_the_folder_or_within_it(tmp_path: Path) -> None:
    plant(tmp_path, {"outside/secret.py": "secret\n", "tree/a.py": "a\n"})
    (tmp_path / "tree/file.py").symlink_to(tmp_path / "outside/secret.py")
    (tmp_path / "tree/folder").symlink_to(tmp_path / "outside")
    (tmp_path / "tree/loop").symlink_to(tmp_path / "tree")
    (tmp_path / "tree/broken").symlink_to("nowhere")

    checkout = read(tmp_path / "tree")

    assert checkout.documents.paths == ("a.py",)
    assert checkout.left_out == {"link": 4}


def test_a_pipe_is_left_out_and_not_waited_on(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "a\n"})
    os.mkfifo(tmp_path / "pipe.py")

    assert read(tmp_path).left_out == {"special": 1}


def test_what_tools_keep_beside_the_code_is_not_entered(tmp_path: Path) -> None:
    folders = (".git", ".hg", ".svn", "node_modules", "__pycache__", ".rankgrid", ".mypy_cache")
    plant(tmp_path, {f"sub/{folder}/a.py": "a\n" for folder in folders})
    plant(tmp_path, {"env/pyvenv.cfg": "", "env/lib/a.py": "a\n", "worktree/.git": "gitdir: x"})
    plant(tmp_path, {"venv/a.py": "a package called venv\n"})

    checkout = read(tmp_path)

    assert checkout.documents.paths == ("venv/a.py",)
    assert checkout.left_out == {"tool_folder": len(folders) + 2}


def test_gitignore_files_hold_for_their_folders_and_the_nearest_wins(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            ".gitignore": "*.log\n/build/\nout/*\n!out/keep.py\n",
            "sub/.gitignore": "!important.log\n/local.py\n",
            **dict.fromkeys(
                [
                    "a.log", "build/a.py", "out/a.py", "out/keep.py", "local.py",
                    "sub/important.log", "sub/other.log", "sub/local.py", "sub/build/a.py",
                ],
                "x\n",
            ),
        },
    )  # fmt: skip

    checkout = read(tmp_path)

    assert checkout.documents.paths == (
        ".gitignore",
        "local.py",
        "out/keep.py",
        "sub/.gitignore",
        "sub/build/a.py",
        "sub/important.log",
    )
    assert checkout.left_out == {"ignored": 5}


def test_a_wrong_line_in_gitignore_is_passed_over(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "!\n*.log\n", "a.log": "x\n", "a.py": "a\n"})

    assert read(tmp_path).documents.paths == (".gitignore", "a.py")


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "pattern",
    [f"{'*a' * 12}z", f"{'*a' * 300}z", f"{'?*' * 300}z", f"{'**/*a/' * 100}z", f"{'a**' * 300}z"],
)
def test_a_gitignore_with_many_stars_is_read_in_a_moment(tmp_path: Path, pattern: str) -> None:
    paths = [f"{'a' * 60}b.py", f"{'a' * 250}", f"{'a/' * 100}b.py"]
    plant(tmp_path, {".gitignore": f"{pattern}\n*.log\n", "a.log": "x\n"})
    plant(tmp_path, dict.fromkeys(paths, "x\n"))

    checkout = read(tmp_path, pattern)

    assert sorted(checkout.documents.paths) == sorted([".gitignore", *paths])
    assert checkout.left_out == {"ignored": 1}


@pytest.mark.timeout(60)
def test_a_hundred_thousand_names_are_looked_up(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "".join(f"{n}\n" for n in range(100_000))})
    plant(tmp_path, {f"{n}.py": "x\n" for n in range(300)} | {"7": "x\n"})

    assert read(tmp_path).left_out == {"ignored": 1}


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("a\n" * 500_001, "more than 1,000,000 bytes"),
        (f"{'*a' * 501}\n", "a line of more than 1,000 bytes"),
        ("*ab*\n" * 25_001, "patterns with wildcards of more than 100,000 bytes in all"),
    ],
)
def test_a_gitignore_that_would_take_hours_is_refused(
    tmp_path: Path, content: str, fault: str
) -> None:
    plant(tmp_path, {"sub/.gitignore": content, "sub/a.py": "a\n"})

    with pytest.raises(SourceError) as refused:
        read(tmp_path)

    remedy = "Shorten or remove the file."
    assert refused.value.message == f"local source: 'sub/.gitignore' has {fault}. {remedy}"


def test_comments_in_gitignore_may_be_long(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": f"# {'*' * 2000}\n*.log\n", "a.log": "x\n"})

    assert read(tmp_path).documents.paths == (".gitignore",)


def test_more_can_be_left_out_by_pattern(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "a\n", "evals/q.yaml": "q\n", "sub/evals/q.yaml": "q\n"})

    checkout = read(tmp_path, "/evals/", "!a.py")

    assert checkout.documents.paths == ("a.py", "sub/evals/q.yaml")
    assert checkout.left_out == {"excluded": 1}


def test_a_place_that_is_no_folder_is_said_to_be_none(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "a\n"})

    with pytest.raises(SourceError, match=r"does not exist; give the path of a folder"):
        read(tmp_path / "absent")
    with pytest.raises(SourceError, match=r"is a file; give the path of a folder"):
        read(tmp_path / "a.py")


def test_equal_trees_have_equal_digests_wherever_they_are(tmp_path: Path) -> None:
    plant(tmp_path / "one", {"b.py": "b\n", "sub/a.py": "a\n"})
    plant(tmp_path / "two", {"sub/a.py": "a\n", "b.py": "b\n"})

    first, second = read(tmp_path / "one").documents, read(tmp_path / "two").documents

    assert content_digest(first) == content_digest(second)
    assert first.content.tobytes() == second.content.tobytes()


@pytest.mark.parametrize(
    "files",
    [
        [],
        [("a", "x"), ("b", "z")],
        [("a", "xy"), ("b", "")],
        [("a", ""), ("b", "xy")],
        [("ax", ""), ("b", "y")],
        [("a", "x"), ("c", "y")],
    ],
)
def test_any_change_of_path_or_content_changes_the_digest(files: list[tuple[str, str]]) -> None:
    reference = content_digest(Documents.of([("a", "x"), ("b", "y")]))

    assert content_digest(Documents.of(files)) != reference
