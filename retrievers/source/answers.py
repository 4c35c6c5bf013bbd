"""A cache of the parser's answers, which depend on the content and the language of a file.

The digest of an answer covers everything that it depends on: the file, the grammar and its
version, the query, and the parser's program. Answers are therefore valid across commits, branches
and repositories.
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
"""The kinds of answers."""

_FORM = 1
"""Version of the stored format."""
_DIGEST_BYTES = 16
_BATCH_BYTES = 16_000_000
_PROGRAM = Path(__file__).parents[1] / "parsers"


class Answers(Protocol):
    """A store of answers: bytes under digests of 16 bytes."""

    def find(self, digests: Sequence[bytes], /) -> Mapping[bytes, bytes]:
        """Return the answers that are stored."""
        ...

    def add(self, blobs: Mapping[bytes, bytes], /) -> None:
        """Store new answers."""
        ...


class Asked(NamedTuple):
    """A question to the parser."""

    wanted: Wanted
    most: int
    """Maximum number of definitions or facts."""
    language: Language
    source: bytes


class KnownAnswers:
    """The stored answers to expected questions, and the new answers until they are stored.

    Without a store, there are no known answers.
    """

    def __init__(self, answers: Answers | None) -> None:
        self._answers = answers
        self._found: dict[bytes, bytes] = {}
        self._new: dict[bytes, bytes] = {}
        self._new_bytes = 0

    def look_up(self, asked: Iterable[Asked]) -> None:
        """Load all stored answers to these questions at once."""
        if self._answers:
            digests = dict.fromkeys(_digest(one) for one in asked)
            self._found.update(self._answers.find([one for one in digests if one]))

    def get(self, asked: Asked) -> bytes | None:
        """Return a known answer, or None."""
        if not self._answers:
            return None
        digest = _digest(asked)
        kept = self._found.get(digest) or self._new.get(digest)
        return zlib.decompress(kept) if kept else None

    def add(self, asked: Asked, answer: bytes) -> None:
        """Add a new answer. It is stored in batches."""
        digest = _digest(asked) if self._answers else b""
        if not digest:
            return
        blob = self._new[digest] = zlib.compress(answer, level=1)
        self._new_bytes += len(blob)
        if self._new_bytes > _BATCH_BYTES:
            self.keep()

    def keep(self) -> None:
        """Write the new answers to the store."""
        if self._answers and self._new:
            self._answers.add(self._new)
        self._new, self._new_bytes = {}, 0


@cache
def grammar_versions(folder: Path = LANGUAGES) -> tuple[str, ...]:
    """Return the packages of the grammars in a folder, with their versions."""
    packages = {"tree_sitter", *(one.grammar for one in languages(folder))}
    return tuple(f"{package} {_version(package) or '?'}" for package in sorted(packages))


def _digest(asked: Asked) -> bytes:
    """Return the digest of a question; empty if the version of the grammar is unknown."""
    around = _around(asked.wanted, asked.most, asked.language)
    return around and hashlib.sha256(around + asked.source).digest()[:_DIGEST_BYTES]


@cache
def _around(wanted: Wanted, most: int, language: Language) -> bytes:
    """Return the digest of everything but the file, or empty bytes for an unknown version."""
    version = _version(language.grammar)
    if not version:
        return b""
    query = language.definitions if wanted == "definitions" else language.edges
    parser = [_version("tree_sitter"), language.grammar, version, language.entry]
    said = [_FORM, _program(), *parser, wanted, most, query, language.unread]
    return hashlib.sha256(json.dumps(said).encode()).digest()


@cache
def _program() -> str:
    """Return the digest of the parser's program, so that any change of it invalidates answers."""
    files = sorted(_PROGRAM.glob("*.py"))
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


@cache
def _version(package: str) -> str:
    """Return the version of a package, or an empty text for an unknown one."""
    from importlib import metadata  # imported here, since only indexing needs versions

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
