"""Words that English questions are made of, and that name nothing in code."""

import re

_WORD = re.compile(r"\w+")

# Lucene's, which bm25s also has.
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
"""What questions have beyond the stop words."""
