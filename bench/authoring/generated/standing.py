"""Definitions that users meet: public, used or named elsewhere, with a body of their own."""

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from pathlib import PurePosixPath

from bench.authoring.generated.candidates import Reading, Rejection
from bench.authoring.generated.plain import sentences
from retrievers.rules.words import stems
from retrievers.source import CODE_KINDS

_ASIDE = re.compile(
    r"^(?:examples?|demos?|samples?|docs?|scripts?|bench(?:mark)?s?|tutorials?|website|ci)$"
    r"|^(?:setup|conf|noxfile|fabfile|gulpfile|gruntfile)\.\w+$|\.(?:bundle|config|min)\.\w+$",
    re.IGNORECASE,
)
"""Folders and files that are not part of the product."""
_BUNDLE = re.compile(
    r"typeof exports === ['\"]object['\"] && typeof module !==|__webpack_require__"
)
"""Start of a bundle, a file that packs many others."""
_HEAD = 2000
_NOT_FOR_USERS = re.compile(
    r"@(?:internal|private|deprecated|hidden|ignore|api\s+private)\b|\.\. deprecated::"
    r"|:meta private:|^deprecated\b"
    r"|\b(?:private|internal(?:ly)?)\s+(?:helper|class|function|method|command|API|used?)"
    r"|\b(?:is|are|been) (?:deprecated|obsolete)\b|\bnot (?:intended|meant) to be\b"
    r"|\bnot (?:be used|part of the public)\b",
    re.IGNORECASE,
)
"""Marks of internal and deprecated definitions in documentation."""
_ACCESSOR = re.compile(r"^[\s:{=>(]*(?:return\b)?\s*[&*]?[\w.$'\"\[\]?!]*;?[\s})]*$")
"""A body that only returns a value."""
_CALLED = ("function", "method", "property")
_WORD = re.compile(r"\w+")
_SAME = 0.5
"""Share of a question's words from which the documentation of a namesake is a rival."""
_FITS = 0.8
"""The same share for any other definition."""


class Standing:
    """Choice of the definitions that a question may be about."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    def rejection(self, row: int, *, is_wide: bool = False) -> Rejection | None:
        """Return the reason why nobody would ask for a definition, or None."""
        reading = self._reading
        if self._is_aside(row) or _NOT_FOR_USERS.search(reading.symbols.docs[row]):
            return "internal or generated"
        if is_wide:
            return None
        is_hidden = any(not self._is_public(one) for one in self._around(row))
        if is_hidden or not self._is_known(row):
            return "internal or generated"
        return "only hands out a value" if _is_accessor(reading, row) else None

    def is_one_of_several(self, text: str, row: int) -> bool:
        """Return whether another definition answers a question equally well."""
        asked = frozenset(stems(text))
        if not asked:
            return True
        of_module, namesakes = self._is_of_module(row), self._by_name[self._reading.simple(row)]
        # What a module offers is the answer, whoever else does a part of the work.
        if not of_module and any(map(self._is_of_module, namesakes)):
            return True
        for other, described in self._described.items():
            enough = _SAME if other in namesakes else _FITS
            is_rival = other != row and (not of_module or self._is_of_module(other))
            if is_rival and len(asked & described) >= enough * len(asked):
                return True
        return False

    def _around(self, row: int) -> list[int]:
        """Return a definition and those around it, the outermost last."""
        found = [row]
        while (parent := int(self._reading.symbols.parent[found[-1]])) >= 0:
            found.append(parent)
        return found

    def _is_public(self, row: int) -> bool:
        name = self._reading.simple(row)
        is_hidden = name.startswith(("_", "#")) or name == "constructor"
        return self._reading.symbols.visibility[row] == "public" and not is_hidden

    def _is_aside(self, row: int) -> bool:
        document = int(self._reading.symbols.document[row])
        path = PurePosixPath(self._reading.documents.paths[document])
        return document in self._bundles or any(map(_ASIDE.search, path.parts))

    def _is_known(self, row: int) -> bool:
        """Return whether another file has the name, such as a caller, a test or a guide."""
        files = self._files_with.get(self._outermost(row), frozenset())
        own = int(self._reading.symbols.document[row])
        return len(self._reading.by_document) == 1 or bool(files - {own})

    def _outermost(self, row: int) -> str:
        """Return the first part of a definition's name in its file."""
        return self._reading.names[row].rpartition("::")[2].partition(".")[0]

    def _is_of_module(self, row: int) -> bool:
        parent = int(self._reading.symbols.parent[row])
        return parent < 0 or self._reading.symbols.kinds[parent] in ("module", "namespace")

    @cached_property
    def _bundles(self) -> frozenset[int]:
        documents = self._reading.documents
        return frozenset(
            one for one in self._reading.by_document if _BUNDLE.search(documents.text(one)[:_HEAD])
        )

    @cached_property
    def _files_with(self) -> Mapping[str, frozenset[int]]:
        """Numbers of the documents that contain each name."""
        documents = self._reading.documents
        names = set(map(self._outermost, self._reading.asked))
        found: dict[str, set[int]] = defaultdict(set)
        for number in range(len(documents)):
            for name in names.intersection(_WORD.findall(documents.text(number))):
                found[name].add(number)
        return {name: frozenset(files) for name, files in found.items()}

    @cached_property
    def _by_name(self) -> Mapping[str, list[int]]:
        """Definitions outside of tests by the last part of their names."""
        symbols = self._reading.symbols
        found: dict[str, list[int]] = defaultdict(list)
        for row, kind in enumerate(symbols.kinds):
            if kind in CODE_KINDS and int(symbols.document[row]) not in self._reading.tests:
                found[self._reading.simple(row)].append(row)
        return found

    @cached_property
    def _described(self) -> Mapping[int, frozenset[str]]:
        """Stems in the documentation of each definition."""
        docs = self._reading.symbols.docs
        found = {row: frozenset(stems(sentences(docs[row]))) for row in self._reading.asked}
        return {row: words for row, words in found.items() if words}


def _is_accessor(reading: Reading, row: int) -> bool:
    """Return whether a function only returns a value in one line."""
    symbols, document = reading.symbols, int(reading.symbols.document[row])
    if symbols.kinds[row] not in _CALLED:
        return False
    start, end = int(symbols.signature_end[row]), int(symbols.end_byte[row])
    first, last = int(symbols.doc_start[row]), int(symbols.doc_end[row])
    slice_of = reading.documents.slice
    if not start <= first < last <= end:
        body = slice_of(document, start, end)
    else:
        body = slice_of(document, start, first) + slice_of(document, last, end)
    return _ACCESSOR.match(body.replace('"""', "")) is not None and "return" in body
