"""The nesting of definitions in one document: qualified names, parents and visibility."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from retrievers.source.parsing import Definition, Found, Mark
from retrievers.source.registry import Language
from retrievers.source.rules import LOCAL_TO
from retrievers.source.texts import doc, signature

TYPE_KINDS = ("class", "interface", "struct", "enum", "trait")
"""Kinds whose functions are methods."""

VALUE_KINDS = ("variable", "constant", "declaration")
"""Kinds that are not symbols if they are local to a function."""

_DEEPEST = 100
_LONGEST_NAME = 500
_LETTERS = 20
"""Maximum letters of names and texts per byte of a document. Copies of a comment or of a long
name at many definitions would otherwise fill the memory."""
_SMALL = 100_000


@dataclass(frozen=True, slots=True)
class Row:
    """A definition of a document."""

    name: str
    kind: str
    start: int
    end: int
    parent: int
    """The row of the definition around it, or -1."""
    signature: str
    doc: str
    visibility: str
    occurrence: int
    told: "Told"


@dataclass(frozen=True, slots=True)
class Told:
    """The byte offsets of a definition's name, signature and doc, and the origin of the parts of
    its name: the first come from the path, the last from its declaration, the rest from the
    definitions around it."""

    declared: int
    named: int
    signature_end: int
    doc_start: int
    doc_end: int
    path_parts: int
    own_parts: int


@dataclass(slots=True)
class _Around:
    """A scope around a definition: another definition, a scope such as a block, or the file."""

    start: int
    end: int
    prefix: str
    kind: str
    row: int
    depth: int
    section: str = ""
    named: dict[str, str] = field(default_factory=dict)
    last: int = -1
    """The row of the last definition directly in this scope, or -1."""


@dataclass(slots=True)
class _Placed:
    """A definition with its scope."""

    one: Definition
    name: str
    kind: str
    simple: str
    around: _Around
    section: str
    own_parts: int


class Nesting:
    """Builds the rows of one document, in the order of their offsets."""

    def __init__(self, language: Language, module: str, source: bytes) -> None:
        self._language = language
        self._source = source
        self._path_parts = len(module.split(".")) if module else 0
        self._around = [_Around(-1, len(source) + 1, module, "", -1, 0)]
        self._placed: list[_Placed] = []
        self._namespaces: set[str] = set()
        self._docs: dict[tuple[tuple[int, int], ...], str] = {}
        self._letters = _SMALL + _LETTERS * len(source)

    def rows(self, found: Found) -> Iterator[Row]:
        """Yield the rows of the definitions. Parents are row numbers from 0."""
        events: list[Definition | Mark] = [*found.marks, *found.definitions]
        for event in sorted(events, key=_order):
            self._leave(event.end_byte)
            if isinstance(event, Mark):
                self._mark(event)
            else:
                self._place(event)
        levels: list[str] = []
        seen: dict[str, int] = {}
        for placed in self._placed:
            levels.append(self._visibility(placed, levels))
            occurrence = seen[placed.name] = seen.get(placed.name, -1) + 1
            yield Row(
                name=placed.name,
                kind=placed.kind,
                start=placed.one.start_byte,
                end=placed.one.end_byte,
                parent=placed.around.row,
                signature=self._signature(placed.one),
                doc=self._doc(placed.one),
                visibility=levels[-1],
                occurrence=occurrence,
                told=self._told(placed),
            )

    def _leave(self, end: int) -> None:
        while self._around[-1].end < end:
            self._around.pop()

    def _mark(self, mark: Mark) -> None:
        around = self._around[-1]
        what, _, level = mark.label.partition(".")
        if what == "section":
            around.section = level
        elif what == "named":
            around.named[mark.name.strip(self._language.names.strip)] = level
        elif around.depth < _DEEPEST:
            prefix = self._prefixed(around, self._language.names.parts(mark.name))
            depth = around.depth + 1
            self._around.append(
                _Around(mark.start_byte, mark.end_byte, prefix, "scope", around.row, depth)
            )

    def _place(self, one: Definition) -> None:
        names = self._language.names
        around = self._around_of(one)
        parts = [*names.parts(one.qualifier), *names.parts(one.name)]
        name = self._prefixed(around, parts)
        # Real code is never nested so deeply, and such names would fill the memory.
        if not parts or len(name) > _LONGEST_NAME or around.depth >= _DEEPEST:
            return
        self._letters -= len(name)
        is_local_value = one.kind in VALUE_KINDS and around.kind in LOCAL_TO
        if self._letters < 0 or is_local_value:
            return
        kind = self._kind(one, name, around, len(parts))
        if self._continues(one, name, kind, around):
            return
        row = len(self._placed)
        # A method with the type in its name may be outside the type, so sections do not apply.
        section = "" if kind == "method" and len(parts) > 1 else around.section
        self._placed.append(_Placed(one, name, kind, parts[-1], around, section, len(parts)))
        if kind in ("namespace", "module"):
            self._namespaces.add(name)
        if kind not in names.nameless:
            inside = _Around(one.start_byte, one.end_byte, name, kind, row, around.depth + 1)
            self._enter(inside)

    def _continues(self, one: Definition, name: str, kind: str, around: _Around) -> bool:
        """Return whether a definition is a further clause of the previous one, and extend it."""
        row = around.last
        around.last = len(self._placed)
        if kind not in self._language.names.clauses or row < 0:
            return False
        before = self._placed[row]
        if (before.name, before.kind) != (name, kind):
            return False
        around.last = row
        before.one = before.one._replace(end_byte=max(before.one.end_byte, one.end_byte))
        depth = around.depth + 1
        self._enter(_Around(one.start_byte, one.end_byte, name, kind, row, depth))
        return True

    def _kind(self, one: Definition, name: str, around: _Around, parts: int) -> str:
        """Return the kind of a definition. A function of a type is a `method`."""
        belongs = parts > 1 and name.rpartition(".")[0] not in self._namespaces
        is_method = belongs or around.kind in TYPE_KINDS
        return "method" if is_method and one.kind == "function" else one.kind

    def _around_of(self, one: Definition) -> _Around:
        """Return the innermost scope around a definition with another span."""
        place = (one.start_byte, one.end_byte)
        return next(last for last in reversed(self._around) if (last.start, last.end) != place)

    def _enter(self, inside: _Around) -> None:
        last = self._around[-1]
        if (last.start, last.end) == (inside.start, inside.end):
            self._around.pop()
        self._around.append(inside)

    def _prefixed(self, around: _Around, parts: list[str]) -> str:
        return ".".join(part for part in (around.prefix, *parts) if part)

    def _visibility(self, placed: _Placed, levels: list[str]) -> str:
        rules, around = self._language.visibility, placed.around
        parent = levels[around.row] if around.row >= 0 else ""
        said = (
            (_is_local(placed) and "private")
            or around.named.get(placed.simple, "")
            or placed.one.visibility
            or rules.of_words(placed.one.modifiers)
            or rules.of_name(placed.simple)
            or (placed.kind == "variant" and parent)
            or placed.section
            or rules.of_place(around.kind)
        )
        return parent or "public" if said == "inherit" else said

    def _told(self, placed: _Placed) -> Told:
        start, end = placed.one.signature
        simple = placed.simple.encode("utf-8", "surrogatepass")
        found = self._source.find(simple, start, end)
        docs = placed.one.docs or [(start, start)]
        return Told(
            declared=start,
            named=end if found < 0 else found + len(simple),
            signature_end=end,
            doc_start=docs[0][0],
            doc_end=docs[-1][1],
            path_parts=self._path_parts,
            own_parts=placed.own_parts,
        )

    def _signature(self, one: Definition) -> str:
        return self._spend(signature(self._source, *one.signature)) if self._letters > 0 else ""

    def _doc(self, one: Definition) -> str:
        if self._letters <= 0:
            return ""
        ranges = tuple((start, end) for start, end in one.docs)
        if ranges not in self._docs:
            self._docs[ranges] = doc(self._source, ranges, self._language.doc_noise)
        return self._spend(self._docs[ranges])

    def _spend(self, text: str) -> str:
        self._letters -= len(text)
        return text


def _is_local(placed: _Placed) -> bool:
    """Return whether a definition is local to a function, so that other code cannot reach it."""
    in_value = placed.kind == "function" and placed.around.kind in VALUE_KINDS
    return in_value or placed.around.kind in LOCAL_TO


def _order(one: Definition | Mark) -> tuple[int, bool, int]:
    """Return the key for events: by start, then sections first, then outer before inner."""
    is_section = isinstance(one, Mark) and one.label != "scope"
    return one.start_byte, not is_section, -one.end_byte
