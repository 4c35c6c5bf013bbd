"""Words of a task that may be the names of folders, packages and files."""

import re

from retrievers.graph.seeding.words import FILLERS, STOPPED

_WORD = re.compile(r"[^\W\d_]+")


def path_terms(task: str, letters: int) -> tuple[str, ...]:
    """Return the distinct words of a task with at least `letters` letters, in lower case.

    A plural `s` is removed, since the words are searched as prefixes. Stop words and fillers are
    excluded.
    """
    words = (word.lower() for word in _WORD.findall(task))
    named = [word for word in words if len(word) >= letters and word not in STOPPED | FILLERS]
    return tuple(dict.fromkeys(_singular(word, letters) for word in named))


def _singular(word: str, letters: int) -> str:
    is_plural = word.endswith("s") and not word.endswith("ss") and len(word) > letters
    return word.removesuffix("s") if is_plural else word
