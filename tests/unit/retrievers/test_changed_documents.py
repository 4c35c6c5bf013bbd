"""Tables of a tree are the same, whether or not they are made from those of an earlier tree."""

from dataclasses import asdict
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from retrievers.chunkers import (
    Recursive,
    text_breaks,
    token_ends,
    updated_breaks,
    updated_chunks,
    updated_tokens,
)
from retrievers.interface import Documents

texts = st.text(alphabet=" \t\n</a#", max_size=8)
"""Texts whose lines look different with other neighbours: blanks at their ends, or one sign."""
trees = st.dictionaries(st.sampled_from([f"{name}.md" for name in "abcdefgh"]), texts)


def same(found: Any, expected: Any) -> bool:
    """Compare two tables, including the types of their columns."""
    pairs = zip(asdict(found).values(), asdict(expected).values(), strict=True)
    return all(
        np.array_equal(one, other) and np.asarray(one).dtype == np.asarray(other).dtype
        for one, other in pairs
    )


@settings(max_examples=400)
@given(before=trees, changed=trees, removed=st.sets(st.sampled_from("abcdefgh")))
def test_updated_tables_are_those_of_the_whole_tree(
    before: dict[str, str], changed: dict[str, str], removed: set[str]
) -> None:
    """Documents that stay the same have other neighbours."""
    now = {path: text for path, text in (before | changed).items() if path[0] not in removed}
    documents, earlier = Documents.of([*now.items()]), Documents.of([*before.items()])
    earlier_tokens = token_ends(earlier)
    earlier_breaks = text_breaks(earlier, earlier_tokens)
    chunker = Recursive(16)
    chunks = chunker.pack(earlier, earlier_tokens, earlier_breaks)

    tokens = updated_tokens(documents, (earlier, earlier_tokens), token_ends)
    breaks = updated_breaks(documents, tokens, (earlier, earlier_breaks))
    cut = updated_chunks(
        documents,
        tokens,
        breaks,
        before=(earlier, earlier_breaks, chunks),
        pack=chunker.pack,
    )

    assert same(tokens, token_ends(documents))
    assert same(breaks, text_breaks(documents, tokens))
    assert same(cut, chunker.pack(documents, tokens, breaks))
