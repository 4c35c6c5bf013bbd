"""Edges made of those of an earlier tree are, value for value, those of the tree alone."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from retrievers.interface import Documents
from retrievers.source import Edges, Symbols, find_edges, find_symbols

Files = dict[str, str]
State = tuple[Edges, Documents, Symbols]

SAMPLES = Path(__file__).parents[3] / "fixtures" / "samples" / "edges"
PROJECTS = sorted(path.parent for path in SAMPLES.glob("*/edges.yaml"))

SHOP = {
    "README.md": "# Shop\n\nCall `settle_all` of `Cart`.\n",
    "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["requests", "rich"]\n',
    "shop/__init__.py": "from shop.cart import *\n",
    "shop/base.py": (
        "import os\n\nclass Base:\n    def check(self):\n        self.rows = os.listdir('.')\n\n"
        "    def save(self, box=None):\n        self.check()\n        box.tell_all()\n"
        "        return self.rows.count_all()\n"
    ),
    "shop/cart.py": (
        "import requests\nfrom shop.base import Base\n\nclass Cart(Base):\n"
        "    def settle_all(self):\n        total = requests.get('/total')\n"
        "        self.save()\n        total.added_up()\n        return [requests, rest]\n\n"
        "def rest():\n    cart = Cart()\n    return cart.settle_all()\n"
    ),
    "shop/urls.py": "from shop import views\nroutes = [app.get('/total', views.total)]\n",
    "shop/notes.py": (
        "from shop import Cart\n\ndef note(box):\n    box.first_of()\n    box.tell_all()\n"
        "    Cart().rows.save()\n"
    ),
    "shop/views.py": "from shop import Cart\n\ndef total():\n    return Cart().save()\n",
    "tests/test_cart.py": (
        "from shop import Cart\nfrom shop.cart import rest\n\n"
        "def test_rest():\n    assert rest() == Cart().save()\n    rest(rest, rest())\n"
    ),
}
BODIES = {
    "shop/base.py": (
        ("self.check()", "self.save()"),
        ("import os\n", "import os\n\n# Files.\n\n"),
        ("self.rows.count_all()", "self.rows.first_of_all().count_all()"),
        ("return self.rows.count_all()", "raise KeyError"),
        ("        box.tell_all()\n", ""),
    ),
    "shop/cart.py": (
        ("total.added_up()", "pass"),
        ("self.save()", "self.check(); total.other()"),
        ("cart = Cart()", "cart, spare = Cart(), open('x')"),
    ),
    "shop/views.py": (("return Cart().save()", "return Cart().settle_all()"),),
    "tests/test_cart.py": (("rest(rest, rest())", "rest(rest,\n        Cart.check)"),),
    "README.md": (("settle_all", "rest"),),
}
MEANINGS = {
    "shop/base.py": (
        ("import os\n", "import posix as os\n"),
        ("def check", "def check_all"),
        ("os.listdir('.')", "Base()"),
    ),
    "shop/cart.py": (
        ("(Base)", ""),
        ("def rest", "def the_rest"),
        ("rest():\n", "rest():\n    " * 2),
    ),
    "shop/__init__.py": (("*", "Cart"), ("*", "Base as Cart")),
    "shop/urls.py": (("/total", "/sum"), ("views.total", "views.Cart")),
    "pyproject.toml": (("rich", "poor"),),
}


class KeptAnswers:
    """Answers of the parser, by the digest of a file."""

    def __init__(self) -> None:
        self.held: dict[bytes, bytes] = {}

    def find(self, digests: Sequence[bytes], /) -> Mapping[bytes, bytes]:
        """Return the known answers."""
        return {one: self.held[one] for one in digests if one in self.held}

    def add(self, blobs: Mapping[bytes, bytes], /) -> None:
        """Keep answers."""
        self.held.update(blobs)


ANSWERS = KeptAnswers()


def made(files: Files, before: State | None = None) -> State:
    documents = Documents.of(sorted(files.items()))
    symbols = find_symbols(documents, answers=ANSWERS)
    edges = find_edges(documents, symbols, answers=ANSWERS, before=before)
    return edges, documents, symbols


def differences(one: Edges, other: Edges) -> list[str]:
    """Return the names of the fields that differ."""
    pairs = [
        (each.name, getattr(one, each.name), getattr(other, each.name)) for each in fields(one)
    ]
    return [name for name, mine, yours in pairs if not np.array_equal(mine, yours)]


def files_read(files: Files, before: State) -> int:
    """Return how many different files are parsed for the edges."""
    answers = KeptAnswers()
    documents = Documents.of(sorted(files.items()))
    find_edges(documents, find_symbols(documents), answers=answers, before=before)
    return len(answers.held)


def edited(edits: Mapping[str, tuple[tuple[str, str], ...]]) -> dict[str, Files]:
    """Return a tree for each edit."""
    return {
        f"{path}: {text!r} to {new!r}": SHOP | {path: SHOP[path].replace(text, new, 1)}
        for path, pairs in edits.items()
        for text, new in pairs
    }


EDITS = edited(BODIES) | edited(MEANINGS)


@pytest.mark.parametrize("files", EDITS.values(), ids=EDITS)
def test_after_an_edit_the_edges_are_those_of_the_tree_alone(files: Files) -> None:
    before = made(SHOP)

    found, *_ = made(files, before)

    assert differences(found, made(files)[0]) == []


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_after_random_edits_in_each_language_the_edges_are_those_of_the_tree_alone(
    project: Path,
) -> None:
    draw = np.random.default_rng(len(project.name))
    paths = (path for path in project.rglob("*") if path.is_file() and path.name != "edges.yaml")
    files = {path.relative_to(project).as_posix(): path.read_text("utf-8") for path in paths}
    before = made(files)
    for _ in range(8):
        path = draw.choice(sorted(files))
        lines = files[path].splitlines()
        place = int(draw.integers(len(lines) + 1))
        lines[place:place] = ([""], lines[place : place + 1], ["", ""])[draw.integers(3)]
        if draw.random() < 0.5 and lines[place:]:
            lines[place] = lines[place].replace("(", "_new(", 1)
        files[path] = "\n".join(lines)

        before = made(files, before)

        assert differences(before[0], made(files)[0]) == []


@pytest.mark.parametrize("seed", range(6))
def test_after_an_edit_of_modules_in_cycles_the_edges_are_those_of_the_tree_alone(
    seed: int,
) -> None:
    draw = np.random.default_rng(seed)
    files = {f"{name}.py": cyclic_module(draw) for name in MODULES}
    before = made(files)
    path = draw.choice(sorted(files))
    changed = files | {path: f"{files[path]}    {expression(draw)}.{draw.choice(NAMES)}()\n"}

    found, *_ = made(changed, before)

    assert differences(found, made(changed)[0]) == []


def test_unchanged_files_are_not_read_again() -> None:
    files = SHOP | {f"other/part_{one}.py": f"def part_{one}(): print()\n" for one in range(9)}
    changed = files | {"shop/views.py": SHOP["shop/views.py"].replace("save", "check")}
    moved = files | {"shop/views.py": SHOP["shop/views.py"].replace("def total", "def totals")}
    before = made(files)
    every = sum(path.endswith(".py") for path in files)

    assert files_read(changed, before) < every - 9 + 1
    assert files_read(moved, before) >= every
    assert files_read(files, before) < every - 9


MODULES = ("one", "two", "six")
NAMES = ("ann", "bob", "cat", "dan")


def cyclic_module(draw: np.random.Generator) -> str:
    """Return a module whose names depend on each other and on those of the other modules."""
    names = [draw.choice(NAMES) for _ in range(9)]
    lines = [
        f"from {draw.choice(MODULES)} import {names[0]} as {names[1]}",
        f"from {draw.choice(MODULES)} import *",
        f"class {names[2]}({names[3]}):",
        f"    def {names[4]}(self):",
        *(f"        self.{draw.choice(NAMES)} = {expression(draw, 'self')}" for _ in range(2)),
        f"        self.{names[5]}.{names[6]}()",
        f"def {names[7]}():",
        *(f"    {draw.choice(NAMES)} = {expression(draw)}" for _ in range(2)),
        f"    {expression(draw)}.{names[8]}()",
    ]
    return "\n".join(lines) + "\n"


def expression(draw: np.random.Generator, *others: str) -> str:
    """Return a path of names and calls."""
    steps = [draw.choice([f".{draw.choice(NAMES)}", "()"]) for _ in range(draw.integers(3))]
    first: str = draw.choice((*NAMES, *others, *others))
    return first + "".join(steps)
