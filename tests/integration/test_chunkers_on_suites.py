"""Every chunker keeps its promises on every file of the pinned suites."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.corpora import parse_source, read_source
from bench.errors import UnreachableError
from retrievers.chunkers import File, Lines, Recursive, Symbol, Syntax, Tokens, token_ends
from retrievers.source import find_symbols
from tests.contract.chunker_checks import Cuttable, check

SUITES = Path(__file__).parents[2] / "conf" / "suite"
CHUNKERS = [
    *(kind(*sizes) for kind in (Lines, Tokens, Recursive, Syntax) for sizes in ((512, 64), (64,))),
    Symbol(512),
    File(),
]


def repositories() -> dict[str, Mapping[str, Any]]:
    """Return the sources of all suites, each once."""
    suites = [
        yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(SUITES.glob("*.yaml"))
    ]
    pinned = [entry for suite in suites for entry in suite.get("repositories", [])]
    return {entry["name"]: entry["source"] for entry in pinned}


@pytest.fixture(scope="module", params=repositories())
def corpus(request: pytest.FixtureRequest) -> Cuttable:
    """One repository with its tokens and symbols."""
    source = parse_source(repositories()[request.param], where=request.param)
    try:
        documents = read_source(source).documents
    except UnreachableError as error:
        pytest.skip(str(error))
    return Cuttable(documents, token_ends(documents), find_symbols(documents))


@pytest.mark.parametrize("chunker", CHUNKERS, ids=repr)
def test_every_file_is_cut_as_promised(
    corpus: Cuttable, chunker: Lines | Tokens | Recursive | Syntax | Symbol | File
) -> None:
    chunks = corpus.cut(chunker)

    check(corpus, chunks, chunker)
