"""Which files of a source are searched: what the user includes, excludes, in which languages."""

from pathlib import Path

import pytest

from bench.corpora import EVERY_FILE, FileChoice, LocalSource, read_source
from bench.errors import SettingError

PATHS = ("README.md", "docs/de/guide.md", "docs/guide.md", "src/cart.py", "src/cart_test.go")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with these files."""
    for path in PATHS:
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{path}\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("files", "kept", "left_out"),
    [
        (FileChoice(), PATHS, {}),
        (FileChoice(exclude=("docs/de/",)), (*PATHS[:1], *PATHS[2:]), {"excluded": 1}),
        (
            FileChoice(exclude=("docs/*", "!docs/guide.md")),
            (PATHS[0], *PATHS[2:]),
            {"excluded": 1},
        ),
        (FileChoice(include=("*.md",)), PATHS[:3], {"not_included": 2}),
        (FileChoice(include=("/src/", "/README.md")), (PATHS[0], *PATHS[3:]), {"not_included": 2}),
        (FileChoice(languages=("python",)), ("src/cart.py",), {"other_language": 4}),
        (FileChoice(languages=("go", "python")), PATHS[3:], {"other_language": 3}),
        (
            FileChoice(include=("docs/", "src/"), exclude=("de/",), languages=("go",)),
            ("src/cart_test.go",),
            {"excluded": 1, "not_included": 1, "other_language": 2},
        ),
    ],
)
def test_a_file_is_searched_if_every_part_lets_it_through(
    tree: Path, files: FileChoice, kept: tuple[str, ...], left_out: dict[str, int]
) -> None:
    """What is left out is counted by the first part that says so."""
    checkout = read_source(LocalSource(str(tree)), files=files)

    assert tuple(checkout.documents.paths) == kept
    assert checkout.left_out == left_out


def test_a_pattern_of_the_user_takes_back_no_place_of_rankgrid(tree: Path) -> None:
    """Neither a file that a study writes nor one that a rule leaves out."""
    (tree / "vendor").mkdir()
    (tree / "vendor" / "a.py").write_text("a\n", encoding="utf-8")
    files = FileChoice(include=("vendor/", "*.py"), exclude=("!src/cart.py",))

    checkout = read_source(LocalSource(str(tree)), exclude=("/src/cart.py",), files=files)

    assert checkout.documents.paths == ()
    assert checkout.left_out["vendored"] == 1


def test_a_choice_reads_as_it_is_typed() -> None:
    files = FileChoice(exclude=("docs/", "*.md"), languages=("go",))

    assert str(files) == "exclude=[docs/,*.md] languages=[go]"
    assert str(EVERY_FILE) == ""


@pytest.mark.parametrize("name", ["include", "exclude"])
def test_a_pattern_that_matches_nothing_is_refused(name: str) -> None:
    with pytest.raises(SettingError, match=f"^{name}='x\\[': the pattern cannot match any path"):
        FileChoice(**{name: ("x[",)})


@pytest.mark.parametrize(
    ("exclude", "idle"),
    [
        (("docs/de/", "vendor/", "*.rs"), ("vendor/", "*.rs")),
        (("docs/", "docs/de/"), ()),
        (("docs/*", "!docs/guide.md"), ()),
        (("README", "!README.md"), ("README",)),
    ],
)
def test_patterns_that_leave_nothing_out_are_named(
    tree: Path, exclude: tuple[str, ...], idle: tuple[str, ...]
) -> None:
    """What another pattern leaves out as well is not idle, and `!` only takes files back."""
    found = read_source(LocalSource(str(tree)), files=FileChoice(exclude=exclude))

    assert found.idle == idle


def test_a_pattern_of_files_that_git_ignores_is_idle(tree: Path) -> None:
    (tree / ".gitignore").write_text("docs/\n", encoding="utf-8")

    found = read_source(LocalSource(str(tree)), files=FileChoice(exclude=("docs/", "src/")))

    assert found.idle == ("docs/",)
