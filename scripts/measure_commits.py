"""Measure what a hundred commits of one repository cost against one: issues, each at its commit.

Makes a git repository of some packages of Python's own library, changes a line of one file in each
commit, asks an issue of every commit, and runs the study cold on all of them and on one. Prints
CPU-seconds (this machine's noise is in them) in all, by process and by kind of stage.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from bench.corpora.gitcall import output_in

ROOT = Path(__file__).resolve().parents[1]
LEAST_BYTES = 2_000
PACKAGES = ("asyncio", "email", "http", "importlib", "json", "logging", "unittest", "xml")


def main() -> None:
    """Run both studies and print what they took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--top", type=int, default=12, help="kinds of stages to print")
    parser.add_argument("overrides", nargs="*", default=["retriever=bm25"], help="of both studies")
    found = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        issues = write_history(folder / "library", found.commits)
        taken = [
            measure(folder, lines, found.overrides, found.top) for lines in (issues[:1], issues)
        ]
        print(f"{len(issues)} commits / 1 commit: {taken[1] / taken[0]:.2f} times the CPU-seconds")


def write_history(folder: Path, commits: int) -> list[dict[str, str]]:
    """Commit changes of one line each; return an issue about each, asked of its parent."""
    for package in PACKAGES:
        source = Path(sysconfig.get_path("stdlib")) / package
        shutil.copytree(source, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    git(folder, "init", "--quiet", "--initial-branch=main")
    files = sorted(path for path in folder.rglob("*.py") if path.stat().st_size > LEAST_BYTES)
    base, issues = committed(folder, "begin"), []
    for number in range(commits):
        path = files[number * 7 % len(files)]
        lines = path.read_text("utf-8").split("\n")
        line = next(n for n in range(len(lines) // 2, len(lines)) if lines[n].strip())
        lines[line] += f"  # settles {number}"
        path.write_text("\n".join(lines), "utf-8")
        fixed = committed(folder, f"settle {number}")
        issues.append(
            {
                "instance_id": f"library-{number}",
                "repo": "library",
                "base_commit": base,
                "problem_statement": f"{path.stem}: {lines[line].strip()[:60]} goes wrong",
                "patch": git(folder, "diff", base, fixed),
            }
        )
        base = fixed
    return issues


def committed(folder: Path, message: str) -> str:
    """Commit everything; return the commit's name."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--no-verify", f"--message={message}")
    return git(folder, "rev-parse", "HEAD").strip()


def git(folder: Path, *arguments: str) -> str:
    """Return what git says in a folder; nobody in particular is the author."""
    settings = ("user.name=x", "user.email=x@y", "commit.gpgSign=false", "core.autocrlf=false")
    options = [part for setting in settings for part in ("-c", setting)]
    return output_in(folder, *options, *arguments).decode("utf-8", "replace")


def measure(folder: Path, issues: list[dict[str, str]], overrides: list[str], top: int) -> float:
    """Run one cold study of some issues; print and return its CPU-seconds."""
    place = folder / str(len(issues))
    place.mkdir()
    (place / "issues.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in issues))
    settings = {
        "suite": "own",
        "repository": folder / "library",
        "queries": place / "issues.jsonl",
        "output": place / "out",
        "store": place / "store",
        "tracking": "none",
        "execution": "local",
        "latency": "off",
    }
    said = [f"{name}={value}" for name, value in settings.items()]
    command = [sys.executable, str(ROOT / "bench" / "run.py"), *said, *overrides]
    before = cpu_seconds()
    subprocess.run(command, cwd=place, check=True, capture_output=True)
    taken = cpu_seconds() - before
    stages = json.loads((place / "out" / "latest" / "stages.json").read_text())["stages"]
    (report,) = json.loads((place / "out" / "latest" / "results.json").read_text())["reports"]
    recall = report["summary"]["avg_recall_at_10"]
    print(
        f"{len(issues)} commits, {len(stages)} stages: {taken:.1f} CPU-s, recall@10 {recall:.3f}"
    )
    print_kinds(stages, top)
    return taken


def print_kinds(stages: list[dict[str, Any]], top: int) -> None:
    """Print which kinds of stages took most."""
    kinds: Counter[str] = Counter()
    for stage in stages:
        kinds[stage["stage"]] += stage["cpu_seconds"]
    print(f"  stages alone: {sum(kinds.values()):.1f} CPU-s")
    for kind, seconds in kinds.most_common(top):
        count = sum(stage["stage"] == kind for stage in stages)
        print(f"  {seconds:8.2f}  {kind} ({count})")


def cpu_seconds() -> float:
    """Return the CPU-seconds of all processes that this one started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
