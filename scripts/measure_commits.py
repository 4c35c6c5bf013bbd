"""Measure the cost of further commits of a repository, with an issue at each commit.

The repository has some packages of Python's standard library, or a folder. Each commit changes one
line in some files. A study asks one issue for each of its commits. There are four studies: the
first commit in a new store, the next commit in this store, the same commit again with nothing to
do, and all commits in a new store. The output has CPU-seconds (with the noise of the machine), the
memory of the largest process, and bytes of the store. `--program` measures other copies of
rankgrid in the same run. `execution=local execution.workers=1` runs all stages in one worker; by
default, the few stages of a further commit run in the driver.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.corpora.gitcall import output_in

ROOT = Path(__file__).resolve().parents[1]
LEAST_BYTES = 2_000
PACKAGES = ("asyncio", "email", "http", "importlib", "json", "logging", "unittest", "xml")
Issue = dict[str, str]


def main() -> None:
    """Run the studies and print their costs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--folder", type=Path, help="the first commit (default: some of Python)")
    parser.add_argument("--changed", type=int, default=1, help="files that a commit changes")
    parser.add_argument("--program", type=Path, action="append", help="root of a rankgrid")
    parser.add_argument("--top", type=int, default=12, help="kinds of stages to print")
    parser.add_argument("overrides", nargs="*", default=["retriever=bm25"], help="of all studies")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        issues = write_history(folder / "library", options)
        print(f"load {' '.join(map(str, os.getloadavg()))}")
        for program in options.program or [ROOT]:
            compare(Bench(folder, program.resolve(), options.overrides, options.top), issues)


@dataclass(frozen=True)
class Taken:
    """The cost of a study in CPU-seconds and in bytes of the store."""

    cpu_seconds: float
    in_stages: float
    stored: int
    peak_bytes: int = 0
    """Peak memory of the largest process of the study."""

    def beyond(self, other: "Taken") -> "Taken":
        """Return the difference to another cost, without memory."""
        seconds, in_stages = self.cpu_seconds - other.cpu_seconds, self.in_stages - other.in_stages
        return Taken(seconds, in_stages, self.stored - other.stored)


def write_history(folder: Path, options: argparse.Namespace) -> list[Issue]:
    """Commit changes of one line per file; return an issue per commit, at its parent commit."""
    if options.folder:
        shutil.copytree(options.folder, folder, symlinks=True)
    for package in () if options.folder else PACKAGES:
        source = Path(sysconfig.get_path("stdlib")) / package
        shutil.copytree(source, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    git(folder, "init", "--quiet", "--initial-branch=main")
    sizeable = (path for path in folder.rglob("*.py") if path.stat().st_size > LEAST_BYTES)
    files, issues = sorted(sizeable), list[Issue]()
    base = committed(folder, "begin")
    for number in range(options.commits):
        places = range(number * options.changed, (number + 1) * options.changed)
        changed = [files[place * 7 % len(files)] for place in places]
        lines = [change(path, number) for path in changed]
        fixed = committed(folder, f"settle {number}")
        issues.append(
            {
                "instance_id": f"library-{number}",
                "repo": "library",
                "base_commit": base,
                "problem_statement": f"{changed[0].stem}: {lines[0][:60]} goes wrong",
                "patch": git(folder, "diff", base, fixed),
            }
        )
        base = fixed
    return issues


def change(path: Path, number: int) -> str:
    """Change a line in the middle of a file and return it."""
    lines = path.read_text("utf-8").split("\n")
    line = next(n for n in range(len(lines) // 2, len(lines)) if lines[n].strip())
    lines[line] += f"  # settles {number}"
    path.write_text("\n".join(lines), "utf-8")
    return lines[line].strip()


def committed(folder: Path, message: str) -> str:
    """Commit everything and return the commit."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--no-verify", f"--message={message}")
    return git(folder, "rev-parse", "HEAD").strip()


def git(folder: Path, *arguments: str) -> str:
    """Return the output of git in a folder, with a neutral author."""
    settings = ("user.name=x", "user.email=x@y", "commit.gpgSign=false", "core.autocrlf=false")
    options = [part for setting in settings for part in ("-c", setting)]
    return output_in(folder, *options, *arguments).decode("utf-8", "replace")


@dataclass(frozen=True)
class Bench:
    """The folder of the studies, the copy of rankgrid and its settings."""

    folder: Path
    program: Path
    overrides: list[str]
    top: int


def compare(bench: Bench, issues: list[Issue]) -> None:
    """Run the studies with one copy of rankgrid and print the cost of a further commit."""
    print(f"\n{bench.program}: {' '.join(bench.overrides)}")
    places = [Path(tempfile.mkdtemp(dir=bench.folder)) for _ in range(2)]
    first = measure(bench, places[0], issues[:1], "first commit, new store")
    further = measure(bench, places[0], issues[1:2], "next commit, store of the first")
    again = measure(bench, places[0], issues[1:2], "the same again, nothing to do")
    every = measure(bench, places[1], issues, f"{len(issues)} commits, new store")
    others = max(len(issues) - 1, 1)
    print("a further commit:")
    row("  study of its own", further)
    row("  without the start of a study", further.beyond(again))
    row(
        "  in a study of all",
        Taken(
            (every.cpu_seconds - first.cpu_seconds) / others,
            (every.in_stages - first.in_stages) / others,
            (every.stored - first.stored) // others,
        ),
    )


def measure(bench: Bench, place: Path, issues: list[Issue], name: str) -> Taken:
    """Run a study of some issues; print and return its cost."""
    (place / "issues.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in issues))
    settings = {
        "suite": "own",
        "repository": bench.folder / "library",
        "queries": place / "issues.jsonl",
        "output": place / "out",
        "store": place / "store",
        "tracking": "none",
        "latency": "off",
    }
    arguments = [f"{name}={value}" for name, value in settings.items()]
    command = [sys.executable, str(bench.program / "bench" / "run.py"), *arguments]
    sizes = stored(place / "store")
    environment = {**os.environ, "PYTHONPATH": str(bench.program)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    used = usage([*command, *bench.overrides], place, environment)
    added = stored(place / "store") - sizes
    stages = json.loads((place / "out" / "latest" / "stages.json").read_text())["stages"]
    reports = json.loads((place / "out" / "latest" / "results.json").read_text())["reports"]
    recall = ", ".join(f"{one['summary']['avg_recall_at_10']:.3f}" for one in reports)
    in_stages = sum(stage["cpu_seconds"] for stage in stages)
    seconds, peak_bytes = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
    taken = Taken(seconds, in_stages, sum(added.values()), peak_bytes)
    row(name, taken)
    print(f"    {len(stages)} stages, recall@10 {recall}, {peak_bytes / 1e6:.0f} MB of memory")
    for line in by_kind(stages, added, bench.top):
        print(line)
    return taken


def row(name: str, taken: Taken) -> None:
    """Print the cost of a study."""
    print(
        f"{name:32} {taken.cpu_seconds:7.2f} CPU-s, {taken.in_stages:7.2f} in stages,"
        f" {taken.stored / 1e6:7.2f} MB"
    )


def stored(store: Path) -> Counter[str]:
    """Return the bytes of a store by kind of content."""
    sizes: Counter[str] = Counter()
    for file in store.glob("*/**/*") if store.exists() else ():
        if file.is_file():
            sizes[file.relative_to(store).parts[1]] += file.stat().st_size
    return sizes


def by_kind(stages: list[dict[str, Any]], added: Counter[str], top: int) -> Iterator[str]:
    """Yield the most expensive kinds of stages, with the bytes that they stored."""
    seconds: Counter[str] = Counter()
    for stage in stages:
        seconds[stage["stage"]] += stage["cpu_seconds"]
    kinds = {*seconds, *added}
    for kind in sorted(kinds, key=lambda one: (-seconds[one], -added[one], one))[:top]:
        count = sum(stage["stage"] == kind for stage in stages)
        yield f"    {seconds[kind]:8.2f} CPU-s {added[kind] / 1e6:8.2f} MB  {kind} ({count})"


def usage(command: list[str], place: Path, environment: dict[str, str]) -> resource.struct_rusage:
    """Run a program and return the resources that it and its ended children used.

    Exit with its output if it fails.
    """
    with (place / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=place, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit((place / "log").read_text("utf-8", "replace"))
    return used


if __name__ == "__main__":
    main()
