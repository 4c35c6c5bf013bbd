"""Measure calls that are found against calls that were labelled by hand.

Run as `python scripts/measure_calls.py [--wrong]`. The labels are in fixtures/samples/calls: a
file for a repository of conf/suite/polyglot.yaml. Precision is the share of the edges at labelled
calls that lead to the right definition, recall the share of the labelled calls into the
repository that have such an edge. `--wrong` prints what is wrong or missing.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from bench.corpora import parse_source, read_source
from retrievers.interface import Documents
from retrievers.source import EDGE_KINDS, PROVENANCES, Edges, Symbols, find_edges, find_symbols

LABELS = Path(__file__).parents[1] / "fixtures" / "samples" / "calls"
SUITE = Path(__file__).parents[1] / "conf" / "suite" / "polyglot.yaml"


@dataclass(frozen=True)
class Label:
    """A labelled call and the line of its definition, or None if it is outside the repository."""

    path: str
    line: int
    name: str
    definition: tuple[str, int] | None


@dataclass(frozen=True)
class Repository:
    """Symbols and edges of a repository."""

    documents: Documents
    symbols: Symbols
    edges: Edges

    def calls(self, label: Label) -> Iterator[tuple[int, str]]:
        """Yield the definitions that edges of a labelled call lead to, with their provenances."""
        document, calls = self.documents.places[label.path], EDGE_KINDS.index("calls")
        at = (self.edges.kind == calls) & (self.edges.line == label.line)
        for one in at.nonzero()[0].tolist():
            source, target = int(self.edges.source[one]), int(self.edges.target[one])
            inside = len(self.symbols)
            here = self.symbols.document[source] if source < inside else source - inside
            if here == document and target < inside:
                is_named = self.symbols.names[target].rpartition(".")[2] == label.name
                if is_named or self.is_right(target, label):
                    yield target, PROVENANCES[self.edges.provenance[one]]

    def is_right(self, target: int, label: Label) -> bool:
        """Return True for the labelled definition, or another one of the same name in its file."""
        if label.definition is None:
            return False
        path, line = label.definition
        document, name = self.symbols.document[target], self.symbols.names[target]
        return self.documents.paths[document] == path and any(
            self.symbols.start_line[row] <= line <= self.symbols.end_line[row]
            for row in (self.symbols.document == document).nonzero()[0].tolist()
            if self.symbols.names[row] == name
        )


def main() -> None:
    """Print precision and recall by repository and overall."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", action="store_true")
    shows_wrong = parser.parse_args().wrong
    total: Counter[str] = Counter()
    for file in sorted(LABELS.glob("*.yaml")):
        counts = judged(found(file.stem), labels(file), shows_wrong=shows_wrong)
        print(shown(file.stem, counts))
        total += counts
    print(shown("all", total))


def found(name: str) -> Repository:
    """Return the symbols and edges of a repository in the suite."""
    repositories = yaml.safe_load(SUITE.read_text("utf-8"))["repositories"]
    declared = next(one["source"] for one in repositories if one["name"] == name)
    documents = read_source(parse_source(declared, name)).documents
    symbols = find_symbols(documents)
    return Repository(documents, symbols, find_edges(documents, symbols))


def labels(file: Path) -> list[Label]:
    """Return the labels of a file."""
    return [
        Label(*place(at), str(name), place(definition[0]) if definition else None)
        for at, name, *definition in yaml.safe_load(file.read_text("utf-8"))
    ]


def place(text: str) -> tuple[str, int]:
    """Return the path and the line in `path:line`."""
    path, _, line = text.rpartition(":")
    return path, int(line)


def judged(repository: Repository, wanted: Sequence[Label], *, shows_wrong: bool) -> Counter[str]:
    """Return the number of labelled calls, and of right and wrong edges."""
    counts: Counter[str] = Counter()
    for label in wanted:
        edges = list(repository.calls(label))
        rights = [repository.is_right(target, label) for target, _ in edges]
        counts.update(calls=1, inside=label.definition is not None, found=any(rights))
        for (target, provenance), is_right in zip(edges, rights, strict=True):
            counts[f"{provenance} {'right' if is_right else 'wrong'}"] += 1
            if shows_wrong and not is_right:
                print(f"  wrong: {label} -> {repository.symbols.names[target]}")
        if shows_wrong and label.definition and not any(rights):
            print(f"  missing: {label}")
    return counts


def shown(name: str, counts: Counter[str]) -> str:
    """Return the figures of a repository as one line."""
    right, wrong = (sum(counts[f"{p} {how}"] for p in PROVENANCES) for how in ("right", "wrong"))
    resolved = counts["resolved right"], counts["resolved right"] + counts["resolved wrong"]
    return (
        f"{name:12} {counts['calls']:4} calls, {counts['inside']:4} into the repository:"
        f" precision {right}/{right + wrong} = {right / max(1, right + wrong):.3f}"
        f" (resolved {resolved[0]}/{resolved[1]}),"
        f" recall {counts['found']}/{counts['inside']}"
        f" = {counts['found'] / max(1, counts['inside']):.3f}"
    )


if __name__ == "__main__":
    main()
