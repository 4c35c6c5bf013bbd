"""Judged places that no longer say what was judged."""

from collections.abc import Sequence

from bench.queries.judged import digest_of
from bench.queries.query import JudgedPlace, Query
from bench.queries.resolution import Problem, Tree, find_target


def text_judged(place: JudgedPlace, query: Query, tree: Tree) -> str | None:
    """Return what a judged place says in a tree; None if it is not there."""
    found = find_target(tree, query, place.target)
    return None if isinstance(found, Problem) else tree.text(found[0])


def stale_places(query: Query, judged: Sequence[JudgedPlace], tree: Tree) -> list[JudgedPlace]:
    """Return the places that are gone, or whose text is another than the one that was judged.

    A place without a digest says nothing of its text: it is stale only if it is gone.
    """
    stale = []
    for place in judged:
        text = text_judged(place, query, tree)
        if text is None or (place.text and digest_of(text) != place.text):
            stale.append(place)
    return stale
