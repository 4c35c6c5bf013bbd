"""Measure the patterns that find definitions against the grammars of languages that have one.

Run as `python scripts/measure_patterns.py [--different LANGUAGE]`. Files of languages with a
grammar are read a second time by the patterns of `measured_patterns.toml`, as if there were no
grammar. A definition is the same if both know it by the same last name and the lines of the two
overlap by half of the longer. Definitions without a body (fields, constants, variants, prototypes)
and properties are not asked for. The files are this repository's samples and packages from PyPI
and npm, fetched by their sha256. `--different` prints what only one of them finds.
"""

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from measure_source import DJANGO

from bench.corpora import NpmSource, PypiSource, Source, read_source
from retrievers.interface import Documents
from retrievers.source import LANGUAGES, Symbols, find_symbols, language_of
from retrievers.source.registry import pattern_languages

SAMPLES = Path(__file__).parents[1] / "fixtures" / "samples" / "languages"
MEASURED = Path(__file__).with_name("measured_patterns.toml")
SOURCES: tuple[Source, ...] = (
    DJANGO,
    PypiSource(
        "pygments",
        "2.18.0",
        "pygments-2.18.0.tar.gz",
        "786ff802f32e91311bff3889f6e9a86e81505fe99f2735bb6d60ae0c5004f199",
    ),
    PypiSource(
        "zstandard",
        "0.22.0",
        "zstandard-0.22.0.tar.gz",
        "8226a33c542bcb54cd6bd0a366067b610b41713b64c9abec1bc4533d69f51e70",
    ),
    NpmSource(
        "react-native",
        "0.73.0",
        "a009fd3464f95f96cfb2342e380c9987f3344689497d1d1471ccc12ac9abfd80",
    ),
    NpmSource(
        "@capacitor/ios",
        "6.0.0",
        "aa90e979436abdbbc6cf26cb0f28e0e1c629c0ea9b5bb29a3ed6684dcc2f5b69",
    ),
    NpmSource(
        "@wordpress/block-library",
        "9.0.0",
        "4b004f58d13355afc41f499b26a194c3600ae731c25b084c52ef8647c25229bb",
    ),
    NpmSource(
        "kafkajs", "2.2.4", "c814f61afbb2b42e314a5e17780475e6a15aa47bbd33b126b81123e69b02a6f6"
    ),
    NpmSource(
        "three", "0.160.0", "1ee2f935c4f555814b388e87b5ef78a44856bd2e9d0feb88643a6e193fb42856"
    ),
    NpmSource("rxjs", "7.8.1", "c532167725ab7d085123209156c93cef22f2479cb9c8527060f1cd903aa9d149"),
)
KINDS = {
    *("class", "interface", "struct", "enum", "trait", "module", "namespace", "type"),
    *("function", "method", "constructor", "macro", "overload"),
}


class Place(NamedTuple):
    """First and last line of a definition."""

    first: int
    last: int

    def is_same(self, other: "Place") -> bool:
        """Return True if both share half of the lines of the longer one."""
        shared = min(self.last, other.last) - max(self.first, other.first) + 1
        return 2 * shared >= max(self.last - self.first, other.last - other.first) + 1


@dataclass
class Counts:
    """Numbers of definitions that grammars and patterns find."""

    by_grammar: int = 0
    by_patterns: int = 0
    both: int = 0
    same_end: int = 0
    different: list[str] = field(default_factory=list)

    def row(self, name: str) -> str:
        """Return the counts as a row of a table."""
        precision, recall = self.both / self.by_patterns, self.both / self.by_grammar
        end = self.same_end / self.both
        return (
            f"| {name} | {self.by_grammar:,} | {self.by_patterns:,} | {precision:.3f}"
            f" | {recall:.3f} | {end:.3f} |"
        )


Found = dict[tuple[str, str], list[Place]]


def main() -> None:
    """Print a row for each language, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--different", metavar="LANGUAGE,...", default="")
    given = parser.parse_args()
    counts: dict[str, Counts] = defaultdict(Counts)
    with tempfile.TemporaryDirectory() as folder:
        shared = (LANGUAGES / "patterns.toml").read_text("utf-8").partition("\n[ada]\n")[0]
        text = f"{shared}\n{MEASURED.read_text('utf-8')}"
        (Path(folder) / "patterns.toml").write_text(text, "utf-8")
        for documents in corpora():
            compare(documents, Path(folder), counts)
    print("| language | by grammar | by patterns | precision | recall | same last line |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, one in sorted(counts.items()):
        print(one.row(name))
    print(total(counts.values()).row("all"))
    print(total(one for name, one in counts.items() if name != "python").row("all but Python"))
    for name in filter(None, given.different.split(",")):
        print(f"{name}:", *counts[name].different, sep="\n")


def total(counts: Iterable[Counts]) -> Counts:
    """Return the sums of counts."""
    every = Counts()
    for one in counts:
        every.by_grammar += one.by_grammar
        every.by_patterns += one.by_patterns
        every.both += one.both
        every.same_end += one.same_end
    return every


def corpora() -> Iterator[Documents]:
    """Yield the samples, followed by the packages."""
    paths = sorted(path for path in SAMPLES.glob("*/*") if path.suffix != ".yaml")
    yield Documents.of([(f"{p.parent.name}/{p.name}", p.read_text("utf-8")) for p in paths])
    for source in SOURCES:
        documents = read_source(source).documents
        numbered = enumerate(documents.paths)
        kept = [(path, documents.text(n)) for n, path in numbered if is_measured(source, path)]
        yield Documents.of(kept)


def is_measured(source: Source, path: str) -> bool:
    """Return True for a file that counts.

    The JavaScript of React Native is excluded because it is Flow, which the grammar cannot read.
    Compiled code is excluded because it has many definitions per line.
    """
    is_flow = isinstance(source, NpmSource) and source.package == "react-native"
    return not (is_flow and path.endswith(".js")) and "/libs/" not in path


def compare(documents: Documents, folder: Path, counts: dict[str, Counts]) -> None:
    """Count the definitions that grammars and patterns find in the measured languages."""
    measured = {extension for one in pattern_languages(folder) for extension in one.extensions}
    paths = {path for path in documents.paths if Path(path).suffix in measured}
    expected = definitions(documents, find_symbols(documents), paths)
    found = definitions(documents, find_symbols(documents, folder=folder), paths)
    for path, name in sorted({*expected, *found}):
        language = language_of(path)
        if language:
            key = (path, name)
            count(counts[language.name], key, expected.get(key, []), found.get(key, []))


def definitions(documents: Documents, symbols: Symbols, paths: set[str]) -> Found:
    """Return the definitions by path and last part of the name."""
    found: Found = defaultdict(list)
    for row, name in enumerate(symbols.names):
        path = documents.paths[int(symbols.document[row])]
        if path in paths and symbols.kinds[row] in KINDS:
            place = Place(int(symbols.start_line[row]), int(symbols.end_line[row]))
            found[path, name.rpartition(".")[2]].append(place)
    return found


def count(counts: Counts, key: tuple[str, str], expected: list[Place], found: list[Place]) -> None:
    """Count the definitions of one name in one file."""
    counts.by_grammar += len(expected)
    counts.by_patterns += len(found)
    left = list(found)
    for place in expected:
        same = next((one for one in left if one.is_same(place)), None)
        if same is None:
            counts.different.append(f"- {key[0]}:{place.first}-{place.last} {key[1]}")
            continue
        left.remove(same)
        counts.both += 1
        counts.same_end += same.last == place.last
    counts.different += [f"+ {key[0]}:{one.first}-{one.last} {key[1]}" for one in left]


if __name__ == "__main__":
    main()
