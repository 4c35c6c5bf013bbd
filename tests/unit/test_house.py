"""The house stays in order: names that would shadow others, imports that would be slow."""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ("torch", "ray", "mlflow", "sentence_transformers", "transformers", "pyarrow", "rich")


def test_no_child_of_bench_shadows_a_module() -> None:
    """`python bench/run.py` puts bench/ first on the path."""
    children = {path.stem for path in (ROOT / "bench").iterdir() if not path.name.startswith("_")}

    shadowed = [
        name
        for name in children
        if name in sys.stdlib_module_names or importlib.util.find_spec(name) is not None
    ]

    assert shadowed == []


@pytest.mark.parametrize(
    "module",
    [
        "bench.run",
        "bench.cli",
        "bench.launcher.points",
        "bench.launcher.help_page",
        "bench.settings",
        "bench.stages",
    ],
)
def test_importing_a_door_loads_nothing_heavy(module: str) -> None:
    """--help and --cfg job answer within a second only if models and servers are not loaded."""
    code = f"import sys, {module}; print([m for m in {HEAVY} if m in sys.modules])"

    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )

    assert found.stdout.strip() == "[]"


def test_git_is_called_in_one_place_only() -> None:
    """That place carries the protections against what a repository configures."""
    folders = ("bench", "retrievers", "scripts")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]

    callers = [path.relative_to(ROOT).as_posix() for path in files if calls_git(path.read_text())]

    assert callers == ["bench/corpora/gitcall.py"]


@pytest.mark.parametrize(
    "code",
    [
        'subprocess.run(["git", "log"])',
        'command = ["git", "log"]',
        'command = ("/usr/bin/git", *arguments)',
        'os.system("git log")',
        'shutil.which("git")',
        "import git",
        "from git import Repo",
    ],
)
def test_each_way_to_call_git_is_recognised(code: str) -> None:
    assert calls_git(code)


def calls_git(code: str) -> bool:
    """Say whether code starts git: as a list, a tuple or a line of a command, or by a library."""
    return any(_names_git(node) for node in ast.walk(ast.parse(code)))


def _names_git(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(name.name.partition(".")[0] == "git" for name in node.names)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] == "git" and not node.level
    if isinstance(node, ast.List | ast.Tuple):
        return bool(node.elts) and _is_git(node.elts[0])
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return any(map(_is_git, node.args))
    return False


def _is_git(node: ast.AST) -> bool:
    text = node.value if isinstance(node, ast.Constant) else None
    words = text.split() if isinstance(text, str) else []
    return bool(words) and words[0].rpartition("/")[2] == "git"


def test_python_programs_are_started_without_the_current_folder_on_their_path() -> None:
    """With -m and -c alone Python imports from the current folder first."""
    folders = ("bench", "retrievers", "scripts")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]

    unsafe = [path.relative_to(ROOT).as_posix() for path in files if is_unsafe(path.read_text())]

    assert unsafe == []


@pytest.mark.parametrize("option", ["-m", "-c"])
def test_an_unsafe_start_of_python_is_recognised(option: str) -> None:
    assert is_unsafe(f"run([sys.executable, '{option}', 'x'])")
    assert not is_unsafe(f"run([sys.executable, '-P', '{option}', 'x'])")


def test_no_page_tells_people_to_start_python_with_the_current_folder_on_its_path() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), ROOT / "docker-compose.yml"]

    unsafe = [page.name for page in pages if "python -m bench" in page.read_text("utf-8")]

    assert unsafe == []


def is_unsafe(code: str) -> bool:
    """Say whether code starts Python so that it imports from the current folder."""
    return any(
        isinstance(node, ast.List | ast.Tuple)
        and [ast.unparse(element) for element in node.elts[:1]] == ["sys.executable"]
        and any(ast.unparse(element) in ("'-m'", "'-c'") for element in node.elts[1:2])
        for node in ast.walk(ast.parse(code))
    )
