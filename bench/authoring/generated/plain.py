"""Conversion of documentation to plain sentences, without markup, code and signatures."""

import re

HOLE = "\ufffc"
"""Gaps left by a removed name that make a sentence incomplete."""
_TAG = re.compile(
    r"""
    \s*(?:
        @[a-z]\w*
        | [:\\](?:param|returns?|raises?|throws?|type|rtype|see|since|example|deprecated|author
          |arg)\b
        | (?:Args|Arguments|Parameters|Params|Returns?|Raises|Throws|Yields|Examples?|Notes?|Usage
          |See[ ]also|Attributes|References|Warnings?|Panics|Errors|Safety)\s*:?\s*$
        | >>> | \.\.[ ] | [-=~*^\#]{3,} | ``` | \#+[ ] | [-*+][ ] | [\d\#]+[.)][ ] | \|
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""End of a description, where its details begin."""
_SAYS = re.compile(r"^\s*[@\\](?:description|desc|summary|brief)\b:?")
"""A tag before the description itself."""
_BARE = re.compile(r"\s*@\w+\s*")
"""A tag on a line of its own, which does not describe the following text."""
_LINK = re.compile(
    r"!?\[([^\]\n]*)\]\([^)\n]*\)|\{@\w+\s+([^}\n]*)\}|:\w+:`~?([^`\n]*)`"
    r"|`([^`<\n]+?)\s*(?:<[^`>\n]*>)?`__?(?!\w)"
)
_URL = re.compile(r"\(?#\d+\)?|\bhttps?://\S+|<[^<>\s][^<>\n]{0,80}>")
_CODE = re.compile(r"`{1,2}[^`\n]*`{1,2}")
_ASIDE = re.compile(r"\([^()`\n]*`[^()\n]*\)")
_LEFT_WHOLE = re.compile(r"\b(?:an?|the|this|that|these|its|their|your|our|my)\s+$", re.IGNORECASE)
_NEXT_WORD = re.compile(
    r"\s+(?!(?:and|or|but|is|are|was|were|to|of|in|on|at|for|from|with|by|as|because|when|if|that"
    r"|which|will|can|may|must|should|has|have|does)\b)[^\W\d_]{2,}\b(?!\s*(?:[.,;:)!?]|$))"
)
"""The noun that a name is in front of. At the end of a clause the noun says nothing alone."""
_NAMED_FIRST = re.compile(rf"^(?:{HOLE}[\s,/]*)+(?=[:\u2013\u2014-])")
_MARK = re.compile(r"`+|\*{1,3}(?=\S)|(?<=\S)\*{1,3}")
_EMPHASIS = re.compile(r"(?<!\w)_([^\W_](?:[^_]*[^\W_])?)_(?!\w)")
"""Underscores around words, but not inside a name."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(])")
_IDENTIFIER = re.compile(
    r"\b\w*(?:_\w+|[a-z][A-Z])\w*(?:\(\))?|\b\w+(?:\.\w+)+(?:\(\))?|\b\w+\(\)"
)
_SORTS = "function|method|class|helper|decorator|property|type|module|struct|interface"
_DOES = (
    r"(?:(?:is|represents)\s+(?=(?:an?|the)\b)|(?!(?:is|was|has|does)\b)(?=[a-z]+s\b))"
    r"(?P<first>\w)"
)
"""Start of a predicate: the subject is something, or does something."""
_VERB = re.compile(r"^[a-z](?=[a-z]{2,}s\s)")
"""First letter of a sentence without a capital letter."""
_THIS = re.compile(
    rf"\b[Tt]his(?=\s+(?!(?:{_SORTS}|is|was|will|can|may|must|should|has|does|lets|allows|returns"
    r"|means|also)\b)[a-z]{3,})"
)
"""References to the surroundings of a definition."""
ENOUGH_WORDS = 5
MOST_WORDS = 40


def sentences(text: str, *, code: bool = True) -> str:
    """Return the first sentences of a description, enough of them to be understood.

    Without `code`, names and code spans are left out. Where the sentence needs one, a hole stays.
    """
    described = " ".join(_first_paragraph(text))
    described = _LINK.sub(lambda found: next(filter(None, found.groups()), ""), described)
    described = _URL.sub("", described)
    if not code:
        described = _NAMED_FIRST.sub("", _without_names(_ASIDE.sub("", described)))
    described = _EMPHASIS.sub(r"\1", _MARK.sub("", described))
    described = " ".join(described.split())
    kept: list[str] = []
    for sentence in _SENTENCE.split(described):
        if kept and len(" ".join([*kept, sentence]).split()) > MOST_WORDS:
            break
        kept.append(sentence)
        if len(" ".join(kept).split()) >= ENOUGH_WORDS:
            break
    return " ".join(" ".join(kept).split()[:MOST_WORDS]).strip(" .:;,-")


def standing_alone(text: str, name: str) -> str:
    """Return a sentence about a definition as somebody says it who does not see the definition.

    "This function finds …" and "name finds …" become "Finds …", "this tree" becomes "the tree".
    """
    about = rf"^(?:{re.escape(name)}|This(?:\s+(?:{_SORTS}))?)\s+{_DOES}"
    found = re.sub(about, lambda said: said["first"].upper(), text)
    found = _VERB.sub(lambda said: said[0].upper(), found)
    return _THIS.sub(lambda said: "The" if said[0] == "This" else "the", found)


def _without_names(text: str) -> str:
    """Leave out names: "the `total` method" becomes "the method", and any other name a hole."""
    for pattern in (_CODE, _IDENTIFIER):
        kept, end = [], 0
        for name in pattern.finditer(text):
            is_whole = _LEFT_WHOLE.search(text, 0, name.start()) and _NEXT_WORD.match(
                text, name.end()
            )
            kept += [text[end : name.start()], "" if is_whole else HOLE]
            end = name.end()
        text = "".join([*kept, text[end:]])
    return text


def _first_paragraph(text: str) -> list[str]:
    lines: list[str] = []
    is_detail = False
    for line in text.strip().split("\n"):
        said = _SAYS.sub("", line)
        is_tag = _TAG.match(said) is not None
        if lines and (is_tag or not said.strip()):
            break
        # The rest of an entry in a list says nothing without its beginning.
        is_detail = bool(said.strip()) and (is_detail or is_tag) and not _BARE.fullmatch(said)
        if said.strip() and not is_detail and not is_tag:
            lines.append(said.strip().removeprefix("> "))
    return lines


def name_words(name: str) -> list[str]:
    """Return the words of an identifier, in lower case."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    return [part.lower() for part in parts]
