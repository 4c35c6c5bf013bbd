"""What is true of every language's symbols, on samples whose definitions were checked by hand.

Each file under fixtures/samples/languages has a YAML file beside it that lists what it defines.
"""

import re
from dataclasses import fields
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.engine import Record
from retrievers.interface import Documents
from retrievers.source import (
    VISIBILITIES,
    Language,
    Symbols,
    find_symbols,
    language_of,
    languages,
    module_name,
)

SAMPLES = Path(__file__).parents[2] / "fixtures" / "samples" / "languages"
FILES = sorted(path for path in SAMPLES.glob("*/*") if path.suffix != ".yaml")
Shown = tuple[str, str, int, int, str, str]

each_file = pytest.mark.parametrize(
    "path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}"
)
each_language = pytest.mark.parametrize("language", languages(), ids=lambda one: one.name)


def raw(*contents: bytes, name: str) -> Documents:
    """Return documents with these contents; each has a folder of its own."""
    return Documents(
        paths=tuple(f"{number:03}/{name}" for number in range(len(contents))),
        content=np.frombuffer(b"".join(contents), np.uint8),
        ends=np.cumsum([len(content) for content in contents], dtype=np.int64),
    )


def symbols_of(path: Path) -> Symbols:
    return find_symbols(raw(path.read_bytes(), name=path.name))


def simple(symbols: Symbols, row: int, name: str) -> str:
    """Return a row's name without the path."""
    module = f"{int(symbols.document[row]):03}.{module_name(name)}."
    return symbols.names[row].removeprefix(module)


def shown(symbols: Symbols, name: str) -> list[Shown]:
    return [
        (
            simple(symbols, row, name),
            symbols.kinds[row],
            int(symbols.start_line[row]),
            int(symbols.end_line[row]),
            symbols.visibility[row],
            " ".join(symbols.docs[row].split()[:4]),
        )
        for row in range(len(symbols))
    ]


def expected(path: Path) -> list[Shown]:
    rows = yaml.safe_load(Path(f"{path}.yaml").read_text("utf-8"))
    return [
        (one["name"], one["kind"], *one["lines"], one["visibility"], one["doc"]) for one in rows
    ]


def same(left: Symbols, right: Symbols) -> bool:
    pairs = ((getattr(left, one.name), getattr(right, one.name)) for one in fields(Symbols))
    return all(np.array_equal(a, b) for a, b in pairs)


@each_file
def test_a_sample_defines_what_was_checked_by_hand(path: Path) -> None:
    symbols = symbols_of(path)

    assert shown(symbols, path.name) == expected(path)
    assert len(symbols.unparsed) == 0


@each_language
def test_the_samples_show_every_kind_that_a_language_finds(language: Language) -> None:
    captured = set(re.findall(r"@definition\.(\w+)", language.definitions))

    found = {
        one[1] for path in FILES if path.parent.name == language.name for one in expected(path)
    }

    assert captured - found - UNSEEN.get(language.name, set()) == set()


@pytest.mark.parametrize("language", ["c", "cpp", "csharp", "go", "java", "ruby", "rust"])
def test_what_no_script_compares_is_shown_by_sixty_definitions(language: str) -> None:
    files = [path for path in FILES if path.parent.name == language]

    assert sum(len(expected(path)) for path in files) >= 60


UNSEEN = {
    "tsx": {"enum", "namespace", "module", "overload", "variable", "property", "variant"}
    | {"constructor"},  # the query is TypeScript's, and its samples show them
}


@each_file
def test_a_language_is_told_by_the_file_that_shows_it(path: Path) -> None:
    language = language_of(path.name)

    assert language is not None
    assert language.name == path.parent.name


@each_file
def test_spans_lie_in_the_file_and_lines_agree_with_bytes(path: Path) -> None:
    source = path.read_bytes()

    symbols = symbols_of(path)

    for row in range(len(symbols)):
        start, end = int(symbols.start_byte[row]), int(symbols.end_byte[row])
        assert 0 <= start < end <= len(source)
        assert source[start:end].strip() == source[start:end]
        assert symbols.start_line[row] == source.count(b"\n", 0, start) + 1
        assert symbols.end_line[row] == source.count(b"\n", 0, end) + 1


@each_file
def test_parents_enclose_their_children_and_come_first(path: Path) -> None:
    symbols = symbols_of(path)

    for row, parent in enumerate(symbols.parent.tolist()):
        if parent >= 0:
            assert parent < row
            assert symbols.start_byte[parent] <= symbols.start_byte[row]
            assert symbols.end_byte[parent] >= symbols.end_byte[row]
            assert symbols.names[row].startswith(f"{symbols.names[parent]}.")


@each_file
def test_a_name_that_is_defined_again_is_told_apart(path: Path) -> None:
    symbols = symbols_of(path)

    keys = list(zip(symbols.names, symbols.occurrence.tolist(), strict=True))
    assert len(keys) == len(set(keys))
    assert all((name, number - 1) in keys for name, number in keys if number)


@each_file
def test_every_symbol_has_a_signature_on_one_line_and_a_known_visibility(path: Path) -> None:
    symbols = symbols_of(path)

    assert set(symbols.visibility) <= set(VISIBILITIES)
    for name, signature in zip(symbols.names, symbols.signatures, strict=True):
        assert 0 < len(signature) <= 300, name
        assert "\n" not in signature


@each_language
def test_names_beyond_ascii_are_found(language: Language) -> None:
    files = [path for path in FILES if path.parent.name == language.name]

    names = [name for path in files for name in symbols_of(path).names]

    assert any(not name.isascii() for name in names)


@each_file
def test_line_ends_of_windows_change_nothing(path: Path) -> None:
    source = path.read_bytes().replace(b"\n", b"\r\n")

    symbols = find_symbols(raw(source, name=path.name))

    assert shown(symbols, path.name) == expected(path)
    assert symbols.signatures == symbols_of(path).signatures


@each_file
def test_tabs_change_nothing(path: Path) -> None:
    source = re.sub(rb"(?m)^(?: {4})+", lambda m: b"\t" * (len(m.group()) // 4), path.read_bytes())

    symbols = find_symbols(raw(source, name=path.name))

    assert shown(symbols, path.name) == expected(path)


@each_file
def test_a_byte_order_mark_hides_nothing(path: Path) -> None:
    source = b"\xef\xbb\xbf" + path.read_bytes()

    symbols = find_symbols(raw(source, name=path.name))

    assert [one[:2] for one in shown(symbols, path.name)] == [one[:2] for one in expected(path)]


@each_language
@pytest.mark.parametrize("content", [b"", b"\n", b" \t\r\n", b"\0", b"\xff\xfe"])
def test_a_file_that_says_nothing_defines_nothing(language: Language, content: bytes) -> None:
    symbols = find_symbols(raw(content, name=f"a{language.extensions[0]}"))

    assert len(symbols) == 0
    assert len(symbols.unparsed) == 0


@each_file
def test_a_truncated_file_gives_nearly_all_of_what_is_left(path: Path) -> None:
    source = path.read_bytes()
    cuts = [len(source) * part // 8 for part in range(1, 8)]
    whole = symbols_of(path)

    symbols = find_symbols(raw(*(source[:cut] for cut in cuts), name=path.name))

    assert len(symbols.unparsed) == 0
    left = sum(int(end) <= cut for cut in cuts for end in whole.end_byte)
    known = set(last_parts(whole))
    assert sum(one in known for one in last_parts(symbols)) >= 0.9 * left


def last_parts(symbols: Symbols) -> list[tuple[str, int]]:
    """Return the last part of each name, which does not need what was cut off, and its end."""
    lasts = (name.rpartition(".")[2] for name in symbols.names)
    return list(zip(lasts, symbols.end_byte.tolist(), strict=True))


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    changes=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 30), st.binary(max_size=8)),
        min_size=1,
        max_size=6,
    )
)
def test_a_garbled_file_never_stops_the_others(changes: list[tuple[float, int, bytes]]) -> None:
    garbled = []
    for path in FILES:
        source = path.read_bytes()
        for place, cut, added in changes:
            start = int(place * len(source))
            source = source[:start] + added + source[start + cut :]
        garbled.append((f"{path.parent.name}/{path.name}", source))
    documents = Documents(
        paths=tuple(name for name, _ in garbled),
        content=np.frombuffer(b"".join(source for _, source in garbled), np.uint8),
        ends=np.cumsum([len(source) for _, source in garbled], dtype=np.int64),
    )

    symbols = find_symbols(documents)

    assert symbols.unparsed.tolist() == []
    sizes = np.array([documents.size(int(one)) for one in symbols.document])
    assert np.all(symbols.start_byte < symbols.end_byte)
    assert np.all(symbols.end_byte <= sizes)


def test_what_a_file_defines_depends_on_that_file_alone() -> None:
    texts = [(f"{p.parent.name}/{p.name}", p.read_bytes().decode()) for p in FILES]
    documents = Documents.of(texts)

    together = find_symbols(documents)

    alone = [find_symbols(Documents.of([one])) for one in sorted(texts)]
    assert together.names == tuple(name for one in alone for name in one.names)
    assert together.docs == tuple(text for one in alone for text in one.docs)
    assert same(together, find_symbols(documents))


def test_symbols_survive_being_stored() -> None:
    symbols = find_symbols(Documents.of([(p.name, p.read_bytes().decode()) for p in FILES[:5]]))
    codec: Record[Symbols] = Record(Symbols)

    back: Any = codec.decode(codec.encode(symbols))

    assert same(back, symbols)


@each_file
def test_qualified_names_begin_with_the_path(path: Path) -> None:
    name = f"src/deep/{path.name}"

    symbols = find_symbols(Documents.of([(name, path.read_bytes().decode())]))

    start = ".".join(PurePosixPath(name).with_suffix("").parts)
    assert all(one.startswith(f"{start}.") for one in symbols.names)
