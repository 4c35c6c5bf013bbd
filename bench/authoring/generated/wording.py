"""Which texts a stranger could type: whole sentences that need nothing beside them."""

import re

from bench.authoring.generated.plain import HOLE
from retrievers.rules.words import stems

_FEWEST_WORDS = 4
_FEWEST_STEMS = 3
"""Words that say something: a sentence of fewer fits many definitions."""
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
"""What a name leaves behind that was taken out of a sentence."""
_BESIDE = re.compile(
    r"^(?:this|these|that|those|they|it|here)\b|\b(?:above|below|following|previous)\b",
    re.IGNORECASE,
)
"""What a paragraph says of the text around it, which nobody who asks has read."""
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
"""How remarks, change logs, and texts about how something is done begin."""
_MAINTAINERS = re.compile(
    r"\b(?:I|I'm|we|we're|we'll|we've|us|our|ours|let's|my|me|internal(?:ly|s)?|deprecated|hack"
    r"|backwards?[ -]compat\w*|(?:variant|implementation) of|so far|for now|yet)\b"
    r"|\bprivate (?:API|method)\b",
    re.IGNORECASE,
)
"""Words of those who work on the code, about the work or about other versions of it."""
_CODE = re.compile(
    r"[=<>{}|\\^~@#$*\u2026_`]|::|--\w|\(\)|\b[a-z]+[A-Z]|\b\w+\[|\w\]\w|\b[a-z]+\.[A-Z]"
    r"|\b[a-z]\w*\.[a-z]\w*|\b(?:cls|obj|fn|func|args|kwargs|cb|str|val|inst|elem|idx|ptr|qs)\b"
    r"|(?<!['\u2019.])\b[b-zB-HJ-Z]\b(?!['\u2019.])"
)
"""Signs and names that are read in code and not said in a sentence."""
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e)\b\.?")
_PAIRS = ("()", "[]", "\u201c\u201d")
_WORD = re.compile(r"[^\W\d_]{2,}")


def is_whole(text: str) -> bool:
    """Whether it consists of words, and nothing was taken out of it."""
    return len(_WORD.findall(text)) * 2 >= len(text.split()) and not _TORN.search(text)


def is_sentence(text: str) -> bool:
    """Whether somebody could type it who has read neither the code nor what is beside it."""
    if _OPENING.search(text) or _MAINTAINERS.search(text):
        return False
    if _CODE.search(_ABBREVIATION.sub("", text)):
        return False
    return _begins_and_ends(text) and not _BESIDE.search(text)


def is_enough(text: str) -> bool:
    """Whether it has enough words to mean one thing."""
    said = [stem for stem in stems(text) if stem.isalpha() and stem not in _SAYS_LITTLE]
    return len(_WORD.findall(text)) >= _FEWEST_WORDS and len(said) >= _FEWEST_STEMS


def _begins_and_ends(text: str) -> bool:
    """Whether it begins with a capital letter, and closes what it opens."""
    first = text.lstrip("\"'\u201c(")[:1]
    pairs = all(text.count(pair[0]) == text.count(pair[1]) for pair in _PAIRS)
    return not first.islower() and pairs and text.count('"') % 2 == 0
