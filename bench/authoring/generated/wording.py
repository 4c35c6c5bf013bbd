"""Checks that a stranger could type a text: a whole sentence without references."""

import re

from bench.authoring.generated.plain import HOLE
from retrievers.rules.words import stems

_FEWEST_WORDS = 4
_FEWEST_STEMS = 3
"""Minimum number of content words. Shorter sentences match many definitions."""
_SAYS_LITTLE = frozenset(
    stems(
        "return get given represent object instance class method function value current specified"
    )
)
_TORN = re.compile(
    r"(?:\b(?:the|an?|of|from|to|with|for|by|in|or|and|as|is|be|that|which)\s*(?:[,.;:)]|$))"
    r"|\b(?:from|with|for|by|of|to|the|an?)\s+(?:from|with|for|by|of|and|or|is|are)\b"
    r"|\b(?:when|if|unless|until|after|before|because)\s+(?:is|are|was)\b"
    r"|\bthis\b(?!\s+(?:is|was|will|can|may|must|should|has|does|lets|allows|returns)\b)|\bself\."
    r"|\s=\s|^(?:if|when|unless|until|because|while)\b[^,]*$|\bsee$"
    rf"|{HOLE}|\s[,.;!?](?:\s|$)|^[,)]|\(\s*\)|^(?:and|or|(?:is|are|was)\b(?!.*\?$)|to|of)\b",
    re.IGNORECASE,
)
"""Traces of a name that was removed from a sentence."""
_BESIDE = re.compile(
    r"^(?:this|these|that|those|they|it|here)\b|\b(?:above|below|following|previous)\b",
    re.IGNORECASE,
)
"""References to the surrounding text, which a stranger has not read."""
_OPENING = re.compile(
    r"""^\W*(?:
    notes? | so | but | however | also | otherwise | then | thus | therefore | hence | instead
    | additionally | furthermore | moreover | again | similarly | currently | obviously
    | for\ (?:example|instance|now|historical|backwards?) | in\ (?:case|such|addition|that|these)
    | as\ (?:of|such|mentioned|noted|a\ result) | speaking | by\ default | usually | sometimes
    | internal | private | deprecated | obsolete | legacy | helpers? | shared | utility | virtual
    | alias | wrapper | shortcut | shorthand | convenience | same | like | similar | equivalent
    | see | used | uses | called | invoked | runs | callback | listener | handler
    | the\ (?:callback|listener|handler|hook|class|method|function|option)\b
    | overrides? | implements? | implementation | placeholder | dummy | stub | hack | workaround
    | (?:(?:an?|the)\ )?[\w-]+\ version\ of | tests? | todo | please | warning | important
    | add(?:ed|s)\ (?:support|the) | added | fix(?:ed|es)? | bug | removed | changed | renamed
    | moved | dropped | improved | updated | new\ in | support\ for
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Openings of remarks, change logs and implementation notes."""
_MAINTAINERS = re.compile(
    r"\b(?:I|I'm|we|we're|we'll|we've|us|our|ours|let's|my|me|internal(?:ly|s)?|deprecated|hack"
    r"|backwards?[ -]compat\w*|(?:variant|implementation) of|so far|for now|yet)\b"
    r"|\bprivate (?:API|method)\b",
    re.IGNORECASE,
)
"""Words of maintainers about their work or other versions."""
_CODE = re.compile(
    r"[=<>{}|\\^~@#$*\u2026_`]|::|--\w|\(\)|\b[a-z]+[A-Z]|\b\w+\[|\w\]\w|\b[a-z]+\.[A-Z]"
    r"|\b[a-z]\w*\.[a-z]\w*|\b(?:cls|obj|fn|func|args|kwargs|cb|str|val|inst|elem|idx|ptr|qs)\b"
    r"|(?<!['\u2019.])\b[b-zB-HJ-Z]\b(?!['\u2019.])"
)
"""Signs and names that occur in code but not in sentences."""
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e)\b\.?")
_PAIRS = ("()", "[]", "\u201c\u201d")
_WORD = re.compile(r"[^\W\d_]{2,}")


def is_whole(text: str) -> bool:
    """Return whether a text is made of words and nothing was removed from it."""
    return len(_WORD.findall(text)) * 2 >= len(text.split()) and not _TORN.search(text)


def is_sentence(text: str) -> bool:
    """Return whether a stranger could type a text."""
    if _OPENING.search(text) or _MAINTAINERS.search(text):
        return False
    if _CODE.search(_ABBREVIATION.sub("", text)):
        return False
    return _begins_and_ends(text) and not _BESIDE.search(text)


def is_enough(text: str) -> bool:
    """Return whether a text has enough content words."""
    said = [stem for stem in stems(text) if stem.isalpha() and stem not in _SAYS_LITTLE]
    return len(_WORD.findall(text)) >= _FEWEST_WORDS and len(said) >= _FEWEST_STEMS


def _begins_and_ends(text: str) -> bool:
    """Return whether a text begins with a capital letter and closes its brackets and quotes."""
    first = text.lstrip("\"'\u201c(")[:1]
    pairs = all(text.count(pair[0]) == text.count(pair[1]) for pair in _PAIRS)
    return not first.islower() and pairs and text.count('"') % 2 == 0
