"""Definitions that a file of JavaScript or TypeScript exports are public, the rest is private."""

import pytest

from retrievers.interface import Documents
from retrievers.source import find_symbols

DEFINED = "function a() {}\nfunction b() {}\nclass C { run() {} }\nfunction own() {}\n"


def public(source: str, *, name: str = "m.js") -> set[str]:
    """Return the public names of a file, without its own."""
    symbols = find_symbols(Documents.of([(name, source)]))
    named = zip(symbols.names, symbols.visibility, strict=True)
    return {name.removeprefix("m.") for name, visibility in named if visibility == "public"}


@pytest.mark.parametrize("name", ["m.js", "m.ts", "m.tsx"])
@pytest.mark.parametrize(
    ("exports", "expected"),
    [
        ("export { a as b2, C as default };", {"a", "C"}),
        ("export default a;", {"a"}),
        ("export default (a);", {"a"}),
        ("export default new C();", {"C"}),
        ("export default wrapped(own2)(a, b);", {"a", "b"}),
        ("export default { a, 'c-d': b, e() {}, f: () => 1 };", {"a", "b", "e", "f"}),
        ("module.exports = { a, c: b, d() {}, get e() {} };", {"a", "b", "d", "e"}),
        ("module.exports = exports = a;", {"a"}),
        ("module.exports = new C(a);", {"C"}),
        ("module.exports = wrapped(a);", {"a"}),
        ("exports.x = a;", {"a"}),
        ("exports.x = exports.y = a;", {"a"}),
        ("exports.x = { a, y: b };\nexports.z = 1;", {"a", "b"}),
        ("exports['x-y'] = a;\nexports.b = b;", {"a", "b"}),
    ],
)
def test_what_an_export_names_is_public(name: str, exports: str, expected: set[str]) -> None:
    found = public(f"{DEFINED}{exports}\n", name=name)

    assert found - {"C.run"} == expected


@pytest.mark.parametrize(
    "exports",
    [
        "export default a as unknown;",
        "export default a satisfies object;",
        "export = a;",
        "module.exports = a as unknown;",
    ],
)
def test_an_export_with_a_type_is_public(exports: str) -> None:
    assert public(f"{DEFINED}{exports}\n", name="m.ts") - {"C.run"} == {"a"}


def test_members_of_a_nested_object_are_not_exports_of_the_file() -> None:
    found = public(f"{DEFINED}module.exports = {{ tools: {{ b, d() {{}} }} }};\n")

    assert found == {"C.run", "tools.d"}
