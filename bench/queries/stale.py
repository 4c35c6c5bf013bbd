"""Judged places whose text has changed since."""

from collections.abc import Sequence

from bench.queries.judged import digest_of
from bench.queries.query import JudgedPlace, Query
from bench.queries.resolution import Problem, Tree, find_target


def text_judged(place: JudgedPlace, query: Query, tree: Tree) -> str | None:
    """Return the text of a judged place in a tree, or None if it does not exist."""
    found = find_target(tree, query, place.target)
    return None if isinstance(found, Problem) else tree.text(found[0])


def stale_places(query: Query, judged: Sequence[JudgedPlace], tree: Tree) -> list[JudgedPlace]:
    """Return the places that are gone or have a different text from the judged one.

    A place without a digest is stale only if it is gone.
    """
    stale = []
    for place in judged:
        text = text_judged(place, query, tree)
        if text is None or (place.text and digest_of(text) != place.text):
            stale.append(place)
    return stale
