"""Files that say very much, or the same in circles: what is found, and where it ends."""

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.interface import Documents
from retrievers.source import EDGE_KINDS, find_edges, find_symbols
from retrievers.source.edges.nearest import Nearest


def shown(files: Mapping[str, str], kind: str) -> set[tuple[str, str]]:
    """Return the edges of a kind as pairs of names."""
    documents = Documents.of(sorted(files.items()))
    symbols = find_symbols(documents)
    edges = find_edges(documents, symbols)
    names = [*symbols.names, *documents.paths, *(f"<{name}>" for name in edges.external)]
    return {
        (names[edges.source[one]], names[edges.target[one]])
        for one in (edges.kind == EDGE_KINDS.index(kind)).nonzero()[0]
    }


@pytest.mark.parametrize(
    "statement",
    [
        "import {{ {} }} from './b';\n",
        "export {{ {} }} from './b';\n",
        "const {{ {} }} = require('./b');\n",
    ],
)
def test_a_list_of_25_000_names_is_not_too_much(statement: str) -> None:
    """The parser gives up what takes it more than three seconds, as time squared would."""
    listed = ", ".join(f"name{number}" for number in range(25_000))
    files = {"a.js": statement.format(listed), "b.js": "export const name24999 = 1;\n"}

    found = shown(files, "imports")

    assert ("a.js", "b.name24999") in found


def test_a_pattern_in_a_pattern_is_not_imported() -> None:
    files = {
        "a.js": "const { outer, given: { inner } } = require('./b');\n",
        "b.js": "exports.outer = () => 1;\nexports.inner = () => 1;\n",
    }

    found = shown(files, "imports")

    assert found == {("a.js", "b.js"), ("a.js", "b.outer")}


def test_names_are_found_through_files_that_take_everything_from_each_other() -> None:
    count = 40
    files = {
        f"m{number}.py": "".join(
            f"from m{other} import *\n" for other in range(count) if other != number
        )
        + f"def own{number}(): ...\ndef use{number}():\n    own{(number + 7) % count}(); gone()\n"
        for number in range(count)
    }

    found = shown(files, "calls")

    assert found == {
        (f"m{number}.use{number}", target)
        for number in range(count)
        for target in (f"m{(number + 7) % count}.own{(number + 7) % count}", "<gone>")
    }


def test_a_type_that_is_opened_gives_nothing_of_a_base_from_outside() -> None:
    files = {
        "src/lib.rs": "pub mod rule;\nmod user;\n",
        "src/rule.rs": "pub enum Rule { One }\nimpl Default for Rule {\n"
        "    fn default() -> Self { Rule::One }\n}\n",
        "src/user.rs": "use crate::rule::Rule::*;\nfn used() { Ok(1); }\nfn Ok(x: u8) {}\n",
        "src/other.rs": "use crate::rule::Rule::*;\nfn other() { Ok(1); }\n",
        "Cargo.toml": '[package]\nname = "shop"\n',
    }

    found = shown(files, "calls")

    assert ("src.user.used", "src.user.Ok") in found
    assert ("src.other.other", "<Ok>") in found


def test_a_method_that_names_its_namespace_and_type_belongs_to_that_type() -> None:
    files = {
        "shop/store.h": "namespace shop { class Store { public: void run(); }; }\n",
        "toys/store.h": "namespace toys { class Store { public: void run(); }; }\n",
        "main.cpp": "void toys::Store::run() {}\n",
    }

    found = shown(files, "member_of")

    assert ("main.toys.Store.run", "toys.store.toys.Store") in found


def test_a_type_implements_at_most_a_hundred_interfaces_by_its_methods() -> None:
    interfaces = "".join(f"type I{one} interface {{ A(); B() }}\n" for one in range(120))
    source = f"package a\n{interfaces}type T struct{{}}\nfunc (T) A() {{}}\nfunc (T) B() {{}}\n"

    found = shown({"a.go": source}, "implements")

    assert found == {("a.T", f"a.I{one}") for one in range(100)}


def test_a_type_inherits_at_most_three_hundred_methods() -> None:
    methods = "".join(f"    def m{one}(self): ...\n" for one in range(320))

    found = shown({"a.py": f"class A:\n{methods}class B(A): ...\n"}, "inherits")

    assert found == {("a.B", f"a.A.m{one}") for one in range(300)}


Path = st.lists(st.sampled_from("ab"), min_size=1, max_size=5).map("/".join)


@given(st.dictionaries(st.integers(0, 20), Path, max_size=8), Path)
def test_the_nearest_is_the_only_one_that_shares_most_folders(
    paths: dict[int, str], path: str
) -> None:
    """Against a search through all of them."""
    ranked = sorted(((shared(one, path), row) for row, one in paths.items()), reverse=True)
    is_alone = ranked and (len(ranked) == 1 or ranked[0][0] > ranked[1][0])

    found = Nearest(list(paths), paths).to(path)

    assert found == (ranked[0][1] if is_alone else -1)


def shared(left: str, right: str) -> int:
    """Return how many folders two paths share, from the root; the same file beats all."""
    if left == right:
        return 1_000
    parts = (PurePosixPath(path).parts[:-1] for path in (left, right))
    pairs = list(zip(*parts, strict=False))
    return next((at for at, (one, other) in enumerate(pairs) if one != other), len(pairs))
