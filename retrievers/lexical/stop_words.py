"""English stop words, and words that are typical of questions and rarely name code."""

import re

_WORD = re.compile(r"\w+")

# The list of Lucene, also used by bm25s.
STOP_WORDS = frozenset(
    _WORD.findall(
        "a an and are as at be but by for if in into is it no not of on or such that the their "
        "then there these they this to was will with"
    )
)
QUESTION_WORDS = frozenset(
    _WORD.findall(
        "about all also am any because been before being between both can could did do does doing "
        "don during each from had has have having he her here his how its just me might more most "
        "must my need only onto other our out over shall she should so some than them through too "
        "under until up upon us very via want we were what when where whether which while who "
        "whom whose why would you your"
    )
)
"""Words of questions that are not stop words."""
