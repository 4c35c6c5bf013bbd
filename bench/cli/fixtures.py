"""`rankgrid fixtures`: whether questions and answers can be trusted."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bench.corpora import Source
    from bench.judgements.resolution import Tree
    from bench.judgements.verification import Finding, SetReport
    from bench.settings import RepositorySettings, SuiteSettings
    from retrievers.interface import Documents

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - it has no public name

_DESCRIPTION = (
    "Check questions and answers against the pinned source. Exit code 0: nothing wrong (warnings "
    "aside), 1: errors, or warnings with --strict, 2: wrong usage."
)
_LARGEST_SUITE = 1_000_000


def add_commands(commands: "Commands") -> None:
    """Add `fixtures` and what it can do to the command line."""
    fixtures = commands.add_parser("fixtures", help="check questions and their answers")
    actions = fixtures.add_subparsers(required=True, metavar="ACTION")
    verify = actions.add_parser("verify", help="check them", description=_DESCRIPTION)
    verify.add_argument(
        "paths", nargs="+", metavar="PATH", help="a suite, a corpus folder, or queries"
    )
    verify.add_argument("--repository", default="", help="the tree that queries are asked of")
    verify.add_argument("--strict", action="store_true", help="exit 1 on warnings, too")
    verify.add_argument("--json", action="store_true", help="print JSON for machines")
    verify.add_argument("--queries", action="store_true", help="print a line for each query")
    verify.add_argument(
        "--most-matches", type=_positive, default=1, help="definitions a name may mean (1)"
    )
    verify.set_defaults(command=_verify)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        message = f"{text} is not 1 or more"
        raise argparse.ArgumentTypeError(message)
    return number


def _verify(found: argparse.Namespace) -> int:
    reports: list[SetReport] = []
    for path in found.paths:
        for report in _reports(Path(path).expanduser(), found):
            reports.append(report)
            if not found.json:
                _show(report, queries=found.queries)
    errors = sum(report.count("error") for report in reports)
    warnings = sum(report.count("warning") for report in reports)
    if found.json:
        print(json.dumps(_as_json(reports, errors, warnings), indent=1))
    else:
        print(f"{len(reports)} sets, {errors} errors, {warnings} warnings")
    return 1 if errors or (found.strict and warnings) else 0


def _reports(path: Path, found: argparse.Namespace) -> Iterator["SetReport"]:
    """Verify what lies at a path: a suite, a corpus with its own documents, or queries."""
    from bench.errors import UsageError
    from bench.judgements import corpus_format

    if not path.exists():
        message = f"{path}: there is no such file or folder; check the path"
        raise UsageError(message)
    suite = _suite(path)
    if suite is not None:
        several = len(suite.repositories) > 1
        for repository in suite.repositories:
            name = repository.name if several else ""
            yield _of_repository(repository, asked_as=name, most_matches=found.most_matches)
    elif corpus_format(path):
        yield _of_corpus(path, most_matches=found.most_matches)
    else:
        repository = _asked(path, found.repository)
        yield _of_repository(repository, most_matches=found.most_matches)


def _suite(path: Path) -> "SuiteSettings | None":
    """Return the suite in a file, or None if it holds something else."""
    import yaml

    from bench.settings.suite import parse_suite

    if path.suffix not in (".yaml", ".yml") or not path.is_file():
        return None
    if path.stat().st_size > _LARGEST_SUITE:
        return None
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    if not isinstance(content, Mapping) or "repositories" not in content:
        return None
    shipped = content.get("kind") == "repositories"
    suite = content if shipped else {"kind": "file", "path": str(path)}
    return parse_suite({"suite": suite})


def _asked(path: Path, repository: str) -> "RepositorySettings":
    from bench.errors import UsageError
    from bench.settings.suite import parse_suite

    if not repository:
        message = f"{path}: needs the tree that it asks about; add --repository FOLDER"
        raise UsageError(message)
    suite = {"name": "own", "kind": "own"}
    config = {"suite": suite, "repository": repository, "queries": str(path)}
    return parse_suite(config).repositories[0]


def _of_corpus(path: Path, *, most_matches: int) -> "SetReport":
    from bench.judgements import Fault, read_corpus, read_entries
    from bench.judgements.verification import FixtureSet, verify

    faults: list[Fault] = []
    entries = read_entries(path, faults=faults)
    tree = _tree(read_corpus(path), most_matches)
    return verify(FixtureSet(path.name, entries, faults), tree)


def _of_repository(
    repository: "RepositorySettings", *, asked_as: str = "", most_matches: int
) -> "SetReport":
    """Verify the queries of one repository, of those that name one only its own."""
    from bench.corpora import LocalSource, read_source
    from bench.judgements import CorpusFolder, Fault, asked_of, read_entries
    from bench.judgements.verification import FixtureSet, verify

    source, path = repository.source, repository.queries
    if isinstance(source, CorpusFolder):
        return _of_corpus(path, most_matches=most_matches)
    documents = read_source(source).documents
    inside: tuple[str, ...] = ()
    if isinstance(source, LocalSource):
        pattern, inside = _files_inside(Path(source.path), path, documents)
        documents = read_source(source, exclude=(pattern,)).documents if inside else documents
    faults: list[Fault] = []
    entries = read_entries(path, faults=faults)
    entries = asked_of(entries, asked_as) if asked_as else entries
    return verify(
        FixtureSet(repository.name, entries, faults, inside),
        _tree(documents, most_matches),
        left_out=_rule_of(source, documents),
    )


def _files_inside(
    root: Path, queries: Path, documents: "Documents"
) -> tuple[str, tuple[str, ...]]:
    """Return the pattern that keeps queries out of the tree, and those that it keeps out."""
    root = root.resolve()
    if root not in queries.resolve().parents:
        return "", ()
    name = queries.resolve().relative_to(root).as_posix()
    held = [path for path in documents.paths if path == name or path.startswith(f"{name}/")]
    return f"/{name}", tuple(str(root / path) for path in held)


def _tree(documents: "Documents", most_matches: int) -> "Tree":
    from bench.judgements.resolution import Tree
    from retrievers.source import find_symbols

    return Tree.of(documents, find_symbols(documents), most_matches)


def _rule_of(source: "Source", documents: "Documents") -> Callable[[str], str]:
    """Return what names the rule that leaves a path out of the tree, as far as it shows."""
    from bench.corpora import LocalSource
    from bench.corpora.rules import BY_NAME

    root = Path(source.path) if isinstance(source, LocalSource) else None

    def rule(path: str) -> str:
        if path in documents.places or not path:
            return ""
        file = root / path if root and ".." not in path.split("/") else None
        exists = file is not None and file.is_file()
        if root and not exists:
            return ""
        size = file.stat().st_size if file and exists else 0
        named = next((name for name, holds in BY_NAME if holds(path, size)), "")
        return named or ("ignored, generated, binary or a link" if exists else "")

    return rule


def _show(report: "SetReport", *, queries: bool) -> None:
    mean = report.lexical_overlap
    overlap = "unknown" if mean is None else f"{mean:.2f}"
    print(
        f"{report.name}: {len(report.queries)} queries, {report.count('error')} errors, "
        f"{report.count('warning')} warnings, mean lexical overlap {overlap}"
    )
    for finding in report.findings:
        print("  " + _line(finding))
    for one in report.queries if queries else ():
        score = "-" if one.lexical_overlap is None else f"{one.lexical_overlap:.2f}"
        print(f"  {one.id}: overlap {score}, packages {one.packages}, {one.tier or 'no tier'}")
    sys.stdout.flush()


def _line(finding: "Finding") -> str:
    query = f"query {finding.query!r}: " if finding.query else ""
    place = f"{finding.file}:{finding.line}"
    said = f"{query}{finding.what}; {finding.remedy}"
    # Terminals obey control characters, and fixtures come from anywhere.
    clean = "".join(letter if letter.isprintable() else "?" for letter in said)
    return f"{finding.severity} [{finding.rule}] {place}: {clean}"


def _as_json(reports: Sequence["SetReport"], errors: int, warnings: int) -> dict[str, Any]:
    return {
        "errors": errors,
        "warnings": warnings,
        "sets": [
            {**asdict(report), "lexical_overlap": report.lexical_overlap} for report in reports
        ],
    }
