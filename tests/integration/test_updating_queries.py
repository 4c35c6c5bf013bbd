"""When a repository moves on, answers are carried along, and what is lost is told."""

import json
from pathlib import Path

import pytest

from bench.cli import main
from bench.queries import Entry, Target, read_entries
from tests.integration.git_repositories import Repository

CART = """\
class Cart:
    def total(self):
        return sum(good.price for good in self.goods)

    def add(self, good, count):
        for number in range(count):
            self.goods.append(good)


def checkout(cart):
    return cart.total() + cart.postage
"""
NOTES = "Buy things.\n\nSend them back within a month,\nand be paid.\n\nWrite to us.\n"
QUERIES = """\
queries:
- {id: total, query: what it costs, expected_symbols: [{symbol: Cart.total, grade: 3}]}
- {id: more, query: put in several, expected_symbols: ["shop/cart.py::Cart.add"]}
- {id: back, query: return goods, expected_spans: [{path: notes.md, start: 3, end: 4}]}
- {id: file, query: the cart, expected_files: [shop/cart.py], category: usage}
- {id: none, query: fly, negative: true}
"""


@pytest.fixture
def shop(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "shop")
    repository.commit("Begin", shop__cart_dot_py=CART, notes_dot_md=NOTES)
    (tmp_path / "q.yaml").write_text(QUERIES, encoding="utf-8")
    return repository


def update(shop: Repository, before: str, after: str, *arguments: object) -> int:
    queries = shop.folder.parent / "q.yaml"
    common = ("fixtures", "update", str(queries), "--repository", str(shop.folder))
    with pytest.raises(SystemExit) as caught:
        main([*common, "--from", before, "--to", after, *map(str, arguments)])
    return int(caught.value.code or 0)


def head(shop: Repository) -> str:
    return shop.git("rev-parse", "HEAD")


def by_id(path: Path) -> dict[str, Entry]:
    return {one.query.id: one for one in read_entries(path)}


def test_nothing_moves_where_nothing_changed(
    shop: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = head(shop)
    shop.commit("Add something else", other_dot_py="def other(): ...\n")

    code = update(shop, before, head(shop), "--write", tmp_path / "new.yaml")

    assert code == 0
    assert "shop: 4 answers: 4 kept, 0 moved, 0 changed, 0 lost" in capsys.readouterr().out
    assert by_id(tmp_path / "new.yaml").keys() == {"total", "more", "back", "file", "none"}
    then, now = read_entries(tmp_path / "q.yaml"), read_entries(tmp_path / "new.yaml")
    assert [one.query for one in then] == [one.query for one in now]


def test_answers_are_found_under_new_names_and_at_new_lines(
    shop: Repository, tmp_path: Path
) -> None:
    before = head(shop)
    renamed = CART.replace("def add(self, good, count)", "def put(self, good, count)")
    shop.commit(
        "Move",
        shop__cart_dot_py=None,
        shop__basket_dot_py=f"import os\n\n\n{renamed}",
        notes_dot_md=f"# Shop\n\n{NOTES}",
    )

    code = update(shop, before, head(shop), "--write", tmp_path / "new.yaml")

    found = by_id(tmp_path / "new.yaml")
    assert code == 0
    assert found["total"].query.targets == (Target("symbol", symbol="Cart.total", grade=3),)
    assert found["more"].query.targets == (Target("symbol", symbol="shop/basket.py::Cart.put"),)
    assert found["back"].query.targets == (Target("span", path="notes.md", start=5, end=6),)
    assert found["file"].query.targets == (Target("file", path="shop/basket.py"),)
    assert found["file"].query.category == "usage"
    assert not any(one.draft for one in found.values())


def test_what_is_lost_is_told_and_makes_a_draft_again(
    shop: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "q.yaml").write_text(
        "queries:\n"
        "- {id: both, query: q, notes: mine, expected_symbols: [Cart.total, checkout]}\n"
        "- {id: all, query: r, expected_symbols: [checkout]}\n",
        encoding="utf-8",
    )
    before = head(shop)
    shop.commit("Remove it", shop__cart_dot_py=CART[: CART.index("\n\ndef checkout")])

    code = update(shop, before, head(shop), "--write", tmp_path / "new.yaml")

    said = capsys.readouterr().out
    assert code == 1
    assert "shop: 3 answers: 1 kept, 0 moved, 0 changed, 2 lost" in said
    assert "lost    query 'both': checkout was not found; the nearest has" in said
    assert "gone    query 'all': none of its answers is left" in said
    (found,) = read_entries(tmp_path / "new.yaml")
    assert (found.query.id, found.draft) == ("both", True)
    assert found.query.targets == (Target("symbol", symbol="Cart.total"),)
    assert found.query.notes == "mine; lost in an update: checkout"


def test_the_same_name_over_other_code_is_told(
    shop: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    before = head(shop)
    other = CART.replace("sum(good.price for good in self.goods)", "1")
    shop.commit("Make all of it cheap", shop__cart_dot_py=other)

    code = update(shop, before, head(shop))

    said = capsys.readouterr().out
    assert code == 0
    assert "changed query 'total': Cart.total has its name, but only 0." in said


def test_the_threshold_decides_what_is_the_same(shop: Repository) -> None:
    before = head(shop)
    other = CART.replace("def add(self, good, count)", "def put(self, thing, times)")
    other = other.replace("good)\n", "thing)\n").replace("range(count)", "range(times)")
    shop.commit("Call it put", shop__cart_dot_py=other)

    assert update(shop, before, head(shop), "--threshold", 0.7) == 0
    assert update(shop, before, head(shop), "--threshold", 0.95) == 1


def test_an_alternative_that_is_lost_takes_nothing_from_the_answer(
    shop: Repository, tmp_path: Path
) -> None:
    (tmp_path / "q.yaml").write_text(
        "queries:\n- {id: a, query: q, expected_symbols: [{any_of: [Cart.total, checkout]}]}\n",
        encoding="utf-8",
    )
    before = head(shop)
    shop.commit("Remove it", shop__cart_dot_py=CART[: CART.index("\n\ndef checkout")])

    update(shop, before, head(shop), "--write", tmp_path / "new.yaml")

    (found,) = read_entries(tmp_path / "new.yaml")
    assert [target.symbol for target in found.query.targets] == ["Cart.total"]
    assert not found.draft


def test_mined_queries_come_to_one_commit(shop: Repository, tmp_path: Path) -> None:
    old = head(shop)
    shop.commit("Add something else", other_dot_py="def other(): ...\n")
    newer = head(shop)
    shop.commit("Add another thing still", another_dot_py="def another(): ...\n")
    (tmp_path / "q.yaml").write_text(
        "queries:\n"
        f"- {{id: a, query: q, commit: {old}, expected_symbols: [checkout]}}\n"
        f"- {{id: b, query: r, commit: {newer}, expected_symbols: [other]}}\n",
        encoding="utf-8",
    )

    code = update(shop, "", head(shop), "--write", tmp_path / "new.yaml")

    assert code == 0
    assert {one.commit for one in read_entries(tmp_path / "new.yaml")} == {head(shop)}


def test_nothing_is_written_unless_that_is_asked_and_never_over_a_file(
    shop: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, files = head(shop), {path.name for path in tmp_path.iterdir()}
    (tmp_path / "new.yaml").write_text("mine\n", encoding="utf-8")

    assert update(shop, before, before) == 0
    assert update(shop, before, before, "--write", tmp_path / "new.yaml") == 2

    assert "new.yaml: already exists" in capsys.readouterr().err
    assert (tmp_path / "new.yaml").read_text("utf-8") == "mine\n"
    assert (tmp_path / "q.yaml").read_text("utf-8") == QUERIES
    assert {path.name for path in tmp_path.iterdir()} == {*files, "new.yaml"}


def test_a_suite_may_hold_the_new_pin_and_machines_read_json(
    shop: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suites = {}
    for name in ("old", "new"):
        suites[name] = tmp_path / f"{name}.yaml"
        suites[name].write_text(
            f"name: mine\nrepositories:\n- name: shop\n  queries: q.yaml\n"
            f"  source: {{kind: git, url: {shop.folder}, commit: {head(shop)}}}\n",
            encoding="utf-8",
        )
        shop.commit("Rename", shop__cart_dot_py=CART.replace("checkout", "pay"))

    with pytest.raises(SystemExit) as caught:
        main(["fixtures", "update", str(suites["old"]), "--to", str(suites["new"]), "--json"])

    assert caught.value.code == 0
    (found,) = json.loads(capsys.readouterr().out)["sets"]
    assert [one["how"] for one in found["carried"]] == ["kept"] * 4


WRONG = {
    "half a commit": ("abc1234", "--from abc1234: is not a whole commit hash"),
    "no such commit": ("0" * 40, "the repository has no such commit"),
}


@pytest.mark.parametrize(("commit", "words"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_commit_is_one_line(
    commit: str, words: str, shop: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    code = update(shop, commit, head(shop))

    said = capsys.readouterr().err
    assert code in (1, 2)
    assert words in said
    assert said.count("\n") == 1
