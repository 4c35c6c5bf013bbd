"""What the parser answered before: what a file says depends on its content and its language.

An answer's digest is of everything that it depends on: the file, the grammar and its version, the
query, the parser's own program. So answers outlive a commit, a branch and a repository.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, get_args

from retrievers.source.registry import LANGUAGES, Language, languages

Wanted = Literal["definitions", "facts"]
WANTED: tuple[Wanted, ...] = get_args(Wanted)
"""What can be wanted of a file."""

_FORM = 1
"""Of the answers as they are kept."""
_DIGEST_BYTES = 16
_BATCH_BYTES = 16_000_000
_PROGRAM = Path(__file__).parents[1] / "parsers"


class Answers(Protocol):
    """Keeps answers of the parser, as bytes under digests of 16 bytes."""

    def find(self, digests: Sequence[bytes], /) -> Mapping[bytes, bytes]:
        """Return those that are known."""
        ...

    def add(self, blobs: Mapping[bytes, bytes], /) -> None:
        """Keep new ones."""
        ...


class Asked(NamedTuple):
    """What is asked of the parser."""

    wanted: Wanted
    most: int
    """How much of what is wanted it may answer."""
    language: Language
    source: bytes


class KnownAnswers:
    """The answers that are known of what will be asked, and the new ones until they are kept.

    Without a place to keep them, nothing is known.
    """

    def __init__(self, answers: Answers | None) -> None:
        self._answers = answers
        self._found: dict[bytes, bytes] = {}
        self._new: dict[bytes, bytes] = {}
        self._new_bytes = 0

    def look_up(self, asked: Iterable[Asked]) -> None:
        """Find all that are known."""
        if self._answers:
            digests = dict.fromkeys(_digest(one) for one in asked)
            self._found.update(self._answers.find([one for one in digests if one]))

    def get(self, asked: Asked) -> bytes | None:
        """Return an answer, if it is known."""
        if not self._answers:
            return None
        digest = _digest(asked)
        kept = self._found.get(digest) or self._new.get(digest)
        return zlib.decompress(kept) if kept else None

    def add(self, asked: Asked, answer: bytes) -> None:
        """Remember an answer."""
        digest = _digest(asked) if self._answers else b""
        if not digest:
            return
        blob = self._new[digest] = zlib.compress(answer, level=1)
        self._new_bytes += len(blob)
        if self._new_bytes > _BATCH_BYTES:
            self.keep()

    def keep(self) -> None:
        """Put what is new to where answers are kept."""
        if self._answers and self._new:
            self._answers.add(self._new)
        self._new, self._new_bytes = {}, 0


@cache
def grammar_versions(folder: Path = LANGUAGES) -> tuple[str, ...]:
    """Return the packages that parse the languages of a folder, with their versions."""
    packages = {"tree_sitter", *(one.grammar for one in languages(folder))}
    return tuple(f"{package} {_version(package) or '?'}" for package in sorted(packages))


def _digest(asked: Asked) -> bytes:
    """Return the digest of what an answer depends on; nothing if that cannot be told."""
    around = _around(asked.wanted, asked.most, asked.language)
    return around and hashlib.sha256(around + asked.source).digest()[:_DIGEST_BYTES]


@cache
def _around(wanted: Wanted, most: int, language: Language) -> bytes:
    """Return the digest of what answers depend on besides the file, or nothing."""
    version = _version(language.grammar)
    if not version:
        return b""
    query = language.definitions if wanted == "definitions" else language.edges
    parser = [_version("tree_sitter"), language.grammar, version, language.entry]
    said = [_FORM, _program(), *parser, wanted, most, query, language.unread]
    return hashlib.sha256(json.dumps(said).encode()).digest()


@cache
def _program() -> str:
    """Return the digest of the program that parses: no change of it may be forgotten."""
    files = sorted(_PROGRAM.glob("*.py"))
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


@cache
def _version(package: str) -> str:
    """Return the version of an imported package, or nothing if it is not known by its name."""
    from importlib import metadata  # only making an index asks for versions

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
