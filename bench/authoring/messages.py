"""Questions from commit messages, if they are meaningful without knowledge of the change."""

import re

_NOISE = re.compile(
    r"""
    (?: merge | revert | bump | release[ds]? | wip | typos? | lint | reformat | black | isort
      | prettier | pre-commit | initial\ commit | v?\d+(?:\.\d+)+ )\b
    | (?: fixup | squash | amend )!
    | (?: update | upgrade )\ (?:the\ )?
      (?: change-?log | dependenc | requirements | lock | copyright | submodule )
    | (?: run | apply )\ (?: black | ruff | prettier | isort | pre-commit | gofmt | suggestions )
    | (?: prepare | version )\b .{0,20} \d+\.\d+
    | fix\ (?: a\ | some\ )? (?: typo | lint | whitespace | formatting | indentation )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CHORES = re.compile(r"(?:chore|style|ci|build|release|deps)(?:\([^)]*\))?!?:", re.IGNORECASE)
_PREFIX = re.compile(r"^(?:[a-z]+(?:\([^)]*\))?!?:|\[[^\]]{1,40}\]|:[a-z_]+:)\s*", re.IGNORECASE)
_NUMBER = re.compile(
    r"\s*\(?(?:(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|see|issue|gh)[\s:-]*)?#\d+\)?",
    re.IGNORECASE,
)
_TRAILER = re.compile(r"^[A-Z][A-Za-z]+(?:-[A-Za-z]+)+: .*$", re.MULTILINE)
_REFERENCE = re.compile(r"(?:#|/(?:issues|pull)/)(\d{1,9})\b")
_WORD = re.compile(r"[^\W\d_]{2,}")


def subject_of(message: str) -> str:
    """Return the first line of a message without prefixes and issue numbers."""
    first = message.strip().split("\n", 1)[0].strip()
    return _NUMBER.sub("", _PREFIX.sub("", first)).strip(" .:-")


def whole_of(message: str) -> str:
    """Return the subject and the text below it, without trailers."""
    _, _, body = message.strip().partition("\n")
    told = _NUMBER.sub("", _TRAILER.sub("", body)).strip()
    return f"{subject_of(message)}\n\n{told}" if told else subject_of(message)


def says_nothing(message: str, *, fewest_words: int) -> bool:
    """Return whether a message is too vague to search for the change."""
    subject = subject_of(message)
    if _CHORES.match(message.lstrip()):
        return True
    return bool(_NOISE.match(subject)) or len(_WORD.findall(subject)) < fewest_words


def references(message: str) -> tuple[str, ...]:
    """Return the issue numbers in a message, in its order."""
    return tuple(dict.fromkeys(_REFERENCE.findall(message)))
