"""Patterns of .gitignore files decide as git itself does."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from bench.corpora import LocalSource, read_source
from retrievers.gitignore import IgnorePatterns, pattern_lines

_NAMES = ("a", "b", "ab", "a.b", "-", "é", "!a", "#a", "a ", "[a]")
_PATHS = (*_NAMES, *(f"x/{name}" for name in _NAMES), "x/y/a", "x/y/ab", "x/y/z/a", "xy/z/ab")
_PIECES = (
    *("a", "b", "ab", "x", "y", "z", ".", "-", "é", " ", "!", "#", "[", "]", "^", ":"),
    *("*", "?", "**", "***", "/", "**/", "/**", "/**/", "\\", "\\/", "\\*", "\\ ", "\\["),
    *("[ab]", "[!a]", "[^b]", "[a-z]", "[]-a]", "[[:alpha:]]", "[![:punct:]]", "[[:nil:]]"),
    *("[a", "[b-a]", "[\\]a]", "[--0]", "[[:a]", "[a-]", "[/]", "[!/]"),
)
_PATTERNS = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=7).map("".join)
_FILES = st.tuples(
    st.lists(st.tuples(st.sampled_from(("", "", "!")), _PATTERNS).map("".join), max_size=5),
    st.sampled_from(("\n", "\r\n")),
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with a file at each path."""
    root = tmp_path_factory.mktemp("tree")
    for path in _PATHS:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x\n", encoding="utf-8")
    run_git(root, "init", "--quiet")
    return root


def run_git(root: Path, *arguments: str, given: bytes = b"") -> bytes:
    """Run git apart from this machine's configuration."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-c", "core.ignoreCase=false", *arguments]
    done = subprocess.run(
        command, cwd=root, env=environment, input=given, capture_output=True, check=False
    )
    assert done.stderr == b""
    return done.stdout


def ignored_by_git(root: Path) -> set[str]:
    """Return the paths that git ignores."""
    paths = "\0".join(_PATHS).encode()
    found = run_git(root, "check-ignore", "--no-index", "--stdin", "-z", given=paths)
    return set(filter(None, found.decode().split("\0")))


@given(_FILES)
@settings(max_examples=300, deadline=None)
def test_random_patterns_decide_as_they_do_for_git(
    tree: Path, file: tuple[list[str], str]
) -> None:
    lines, end = file
    content = "".join(line + end for line in lines).encode()
    (tree / ".gitignore").write_bytes(content)

    patterns = IgnorePatterns(pattern_lines(content))
    documents = read_source(LocalSource(str(tree))).documents

    expected = set(_PATHS) - ignored_by_git(tree)
    assert {path for path in _PATHS if not patterns.excludes(path)} == expected
    assert set(documents.paths) - {".gitignore"} == expected


@given(st.lists(st.text("ab*x/", min_size=1, max_size=6), max_size=4))
@settings(max_examples=300, deadline=None)
def test_plain_patterns_decide_as_they_do_for_another_library(lines: list[str]) -> None:
    plain = [line for line in lines if "//" not in line and "***" not in line and line != "/"]
    # `**` beside other letters is where that library and git differ.
    plain = [line for line in plain if all(p == "**" or "**" not in p for p in line.split("/"))]
    other = GitIgnoreSpec.from_lines(plain)

    patterns = IgnorePatterns([line.encode() for line in plain])

    paths = ("a", "b", "ab", "x/a", "x/ab", "a/b", "a/x/b", "x/a/b/x")
    assert [patterns.excludes(path) for path in paths] == [
        other.match_file(path) for path in paths
    ]
