"""What is true of every language's edges, on small projects whose edges were checked by hand.

Each folder under fixtures/samples/edges is a project with `edges.yaml`, which lists the edges of
each kind; `calls inferred` are those that only the names lead to. Membership and the edges that
mirror others are left out.
"""

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrievers.interface import Documents
from retrievers.source import EDGE_KINDS, Edges, Symbols, find_edges, find_symbols, languages

SAMPLES = Path(__file__).parents[2] / "fixtures" / "samples" / "edges"
PROJECTS = sorted(path.parent for path in SAMPLES.glob("*/edges.yaml"))
MIRRORED = ("member_of", "tested_by")
UNLISTED = ("contains", *MIRRORED)

each_project = pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)


def read(project: Path) -> dict[str, bytes]:
    files = (path for path in project.rglob("*") if path.is_file() and path.name != "edges.yaml")
    return {path.relative_to(project).as_posix(): path.read_bytes() for path in files}


def documents_of(files: dict[str, bytes]) -> Documents:
    ordered = sorted(files.items())
    return Documents(
        paths=tuple(path for path, _ in ordered),
        content=np.frombuffer(b"".join(source for _, source in ordered), np.uint8),
        ends=np.cumsum([len(source) for _, source in ordered], dtype=np.int64),
    )


def parsed(files: dict[str, bytes]) -> tuple[Documents, Symbols, Edges]:
    documents = documents_of(files)
    symbols = find_symbols(documents)
    return documents, symbols, find_edges(documents, symbols)


def shown(files: dict[str, bytes]) -> dict[str, set[str]]:
    """Return edges as `source -> target`, by kind."""
    documents, symbols, edges = parsed(files)
    names = [*symbols.names, *documents.paths, *(f"<{name}>" for name in edges.external)]
    found: dict[str, set[str]] = defaultdict(set)
    for one in range(len(edges)):
        kind = EDGE_KINDS[edges.kind[one]]
        inferred = " inferred" if kind == "calls" and edges.provenance[one] else ""
        edge = f"{names[edges.source[one]]} -> {names[edges.target[one]]}"
        found[kind + inferred].add(edge)
    return found


@each_project
def test_a_project_has_the_edges_that_were_checked_by_hand(project: Path) -> None:
    expected = yaml.safe_load((project / "edges.yaml").read_text("utf-8"))

    found = shown(read(project))

    listed = {kind: sorted(edges) for kind, edges in found.items() if kind not in UNLISTED}
    assert listed == {kind: sorted(edges) for kind, edges in expected.items()}


def test_every_language_whose_uses_are_found_has_a_project() -> None:
    assert {project.name for project in PROJECTS} == {one.name for one in languages() if one.edges}


def test_a_language_whose_uses_are_not_found_has_edges_of_membership() -> None:
    languages_without = [one for one in languages() if not one.edges]
    samples = {
        path.parent.name: path
        for path in sorted(SAMPLES.with_name("languages").glob("*/*"))
        if path.suffix != ".yaml"
    }

    for language in languages_without:
        path = samples[language.name]
        found = shown({path.name: path.read_bytes()})
        assert set(found) == {"contains", "member_of"}
        assert len(found["contains"]) > 15


@each_project
def test_what_holds_something_is_what_it_is_a_member_of(project: Path) -> None:
    found = shown(read(project))

    held = {" -> ".join(reversed(edge.split(" -> "))) for edge in found["contains"]}
    assert held == found["member_of"]
    tested = {" -> ".join(reversed(edge.split(" -> "))) for edge in found["tests"]}
    assert tested == found["tested_by"]


@each_project
def test_line_ends_of_windows_and_a_byte_order_mark_change_nothing(project: Path) -> None:
    files = read(project)
    changed = {
        path: b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n") for path, text in files.items()
    }

    assert shown(changed) == shown(files)


@each_project
def test_a_project_in_a_folder_has_the_same_edges(project: Path) -> None:
    files = {f"deep/down/{path}": source for path, source in read(project).items()}

    found = shown(files)

    expected = yaml.safe_load((project / "edges.yaml").read_text("utf-8"))
    assert {kind: len(edges) for kind, edges in found.items() if kind not in UNLISTED} == {
        kind: len(edges) for kind, edges in expected.items()
    }


@each_project
def test_nodes_and_lines_exist(project: Path) -> None:
    documents, symbols, edges = parsed(read(project))

    inside = len(symbols) + len(documents)
    assert np.all((edges.source >= 0) & (edges.source < inside))
    assert np.all((edges.target >= 0) & (edges.target < inside + len(edges.external)))
    document = np.concatenate([symbols.document, np.arange(len(documents))])[edges.source]
    lengths = np.array([len(documents.line_starts(one)) for one in range(len(documents))])
    assert np.all((edges.line >= 1) & (edges.line <= lengths[document]))


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    changes=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 30), st.binary(max_size=8)),
        min_size=1,
        max_size=6,
    )
)
def test_garbled_projects_still_have_edges(changes: list[tuple[float, int, bytes]]) -> None:
    files = {}
    for project in PROJECTS:
        for path, source in read(project).items():
            garbled = source
            for place, cut, added in changes:
                start = int(place * len(garbled))
                garbled = garbled[:start] + added + garbled[start + cut :]
            files[f"{project.name}/{path}"] = garbled

    _, symbols, edges = parsed(files)

    assert len(symbols.unparsed) == 0
    assert len(edges) >= 2 * len(symbols)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("deep.py", "f(" * 50_000),
        ("chain.py", "x" + ".f()" * 50_000),
        (
            "bases.py",
            "".join(f"class C{n}(C{n + 1}): pass\n" for n in range(2_000)) + "C0().f()\n",
        ),
        ("values.py", "".join(f"v{n} = v{n + 1}\n" for n in range(2_000)) + "v0.f()\n"),
        ("cycle.py", "class A(B): pass\nclass B(A): pass\nA().f()\nx = y\ny = x\nx.f()\n"),
        ("deep.ts", "a?.b(" * 20_000),
        ("belongs.cpp", "class A::B { int f(); };\nclass B::A { int g() { return h(); } };\n"),
        ("belongs.rb", "class A::B\n  def f; g; end\nend\nclass B::A\n  def g; f; end\nend\n"),
        ("chain.cpp", "".join(f"class C{n}::C{n + 1} {{ }};\n" for n in range(3_000))),
        ("nested.cpp", "namespace n {" * 3_000 + "int f() { return g(); }"),
        ("many.go", "func f() { " + "x = g(x); " * 20_000 + "}"),
        ("tree.rs", "use " + "a::{b, " * 3_000 + "c" + "}" * 3_000 + ";"),
        ("tree2.rs", "use " + "a::{b, " * 900 + "c" + "}" * 900 + ";"),
        ("nul.js", "f(\0)\0.g()\0" * 1_000),
    ],
)
def test_hostile_files_end(name: str, text: str) -> None:
    _, symbols, edges = parsed({name: text.encode(), "good.py": b"def f(): g()\ndef g(): ...\n"})

    good = symbols.names.index("good.f"), symbols.names.index("good.g")
    assert good in set(zip(edges.source.tolist(), edges.target.tolist(), strict=True))


def test_modules_that_import_each_other_in_a_ring_end() -> None:
    ring = {f"m{n}.py": f"from m{(n + 1) % 300} import *\n".encode() for n in range(300)}

    _, _, edges = parsed(ring | {"use.py": b"from m0 import missing\nmissing()\n"})

    assert len(edges) >= len(ring)
