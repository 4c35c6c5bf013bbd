"""Which definitions a generated question may be about, and which words give one away."""

import pytest

from bench.authoring.generated import Generated, Generating, generate
from retrievers.interface import Documents
from tests.small_shop import made, texts

SAID = "Carries heavy boxes down to the cellar"
BODY = "    boxes = sorted(load())\n    return boxes[:2]\n"


def python(definition: str, **files: str) -> Generated:
    """Return what is made of a definition that a second file uses."""
    use = "from code import zig, zag, Zag, _zig, Zig, _Zig\n"
    return made("documentation", **{"code.py": definition, "use.py": use, **files})


def asked(found: Generated) -> bool:
    return SAID in texts(found)


def test_a_public_definition_that_another_file_uses_is_asked_for() -> None:
    assert asked(python(f"def zig():\n    {DOC}\n{BODY}"))


DOC = f'"""{SAID}."""'
METHOD = f"    def zag(self):\n        {DOC}\n        go(sorted(self))\n"
HIDDEN = [
    f"def _zig():\n    {DOC}\n{BODY}",
    f"class _Zig:\n{METHOD}",
    f"class Zig:\n{METHOD.replace('zag', '__len__')}",
    f"def zig():\n{METHOD}    return zag\n",
    f"def zig():\n    {DOC[:-3]}\n\n    .. deprecated:: 2.0\n    {DOC[-3:]}\n{BODY}",
    f"def zig():\n    {DOC[:-3]}\n\n    Internal helper of the shop.\n    {DOC[-3:]}\n{BODY}",
    f"def unused():\n    {DOC}\n{BODY}",
]
"""Definitions that strangers do not meet."""


@pytest.mark.parametrize("definition", HIDDEN)
def test_what_strangers_do_not_meet_is_not_asked_for(definition: str) -> None:
    found = python(definition)

    assert not asked(found)
    assert found.rejected["internal or generated"] == 1


@pytest.mark.parametrize("path", ["examples/code.py", "docs/code.py", "scripts/code.py"])
def test_what_is_beside_the_product_is_not_asked_for(path: str) -> None:
    found = made(
        "documentation",
        **{path: f"def zig():\n    {DOC}\n{BODY}", "use.py": "from code import zig\n"},
    )

    assert found.rejected["internal or generated"] == 1


def test_a_bundle_of_other_files_is_not_asked_for() -> None:
    head = "(function (a) { typeof exports === 'object' && typeof module !== 'undefined' })();\n"
    code = f"/** {SAID} */\nfunction zig (a) {{\n  return go(a, 1)\n}}\n"

    plain, bundle = (
        made("documentation", **{"lib/zig.js": text, "use.js": "zig()\n"})
        for text in (code, head + code)
    )

    assert asked(plain)
    assert bundle.rejected["internal or generated"] == 1


def test_a_function_that_hands_out_what_is_there_is_not_asked_for() -> None:
    found = python(
        f'class Zig:\n    def zag(self):\n        """{SAID}."""\n        return self.a\n'
    )

    assert found.rejected["only hands out a value"] == 1


def test_of_two_with_one_name_that_of_the_module_is_asked_for() -> None:
    """What a module offers may be done by a method of the same name."""
    method = "class Zag:\n    def zig(self):\n        go(sorted(self))\n"
    function = f"def zig():\n    {DOC}\n{BODY}"
    other = f"class Zag:\n{METHOD.replace('zag', 'zig')}"

    assert asked(python(function, **{"zag.py": method}))
    found = python(f"def zig():\n{BODY}", **{"zag.py": other})
    assert not asked(found)
    assert found.rejected["several answers fit"] == 1


def test_a_remark_in_front_of_a_definition_is_no_documentation() -> None:
    body = "function zig (a) {\n  return go(a, 1)\n}\n"
    of = {
        mark: generate(
            Documents.of([("lib/zig.js", text + body)]), Generating(sources=("documentation",))
        )
        for mark, text in (("remark", f"// {SAID}\n"), ("doc", f"/** {SAID} */\n"))
    }

    assert asked(of["doc"])
    assert of["remark"].rejected["not its documentation"] == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("isHeavyBox", "Tells whether a heavy box has to go down to the cellar"),
        ("heavybox_of", "Looks for the heavy box of somebody who lives upstairs"),
        ("HeavyBoxError", "Raised where a box that must go downstairs is heavy"),
        ("get_cellar", "Looks for whatever cellar belongs to somebody upstairs"),
    ],
)
def test_a_name_is_given_away_without_its_first_word_and_in_pieces(name: str, said: str) -> None:
    found = made(
        "documentation",
        **{"code.py": f'def {name}():\n    """{said}."""\n{BODY}', "use.py": f"import {name}\n"},
    )

    assert said not in texts(found)
    assert found.rejected["names its answer"] == 2


def test_a_member_is_given_away_with_the_name_of_its_class() -> None:
    said = "Whether what the vault holds is still ok after the night"
    code = f'class Vault:\n    def ok(self):\n        """{said}."""\n        go(sorted(self))\n'

    found = made("documentation", **{"code.py": code, "use.py": "from code import Vault\n"})

    assert said not in texts(found)
    assert found.rejected["names its answer"] == 2
