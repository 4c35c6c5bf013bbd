"""Drafts are mined from the history of real git repositories, and judged at the right commits."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.cli import main
from bench.queries import Entry, Target, read_entries
from tests.integration.git_repositories import Repository

PROJECT = Path(__file__).parents[2]
CART = """\
import os


class Cart:
    def total(self):
        return sum(self.goods)

    def add(self, good):
        self.goods.append(good)


def checkout(cart):
    return cart.total()
"""


def mine(repository: str | Path, output: Path, *arguments: object) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["fixtures", "mine", str(repository), "--output", str(output), *map(str, arguments)])
    return int(caught.value.code or 0)


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python as somebody would who stands in a folder."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def shop(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "shop")
    repository.commit("Begin", shop__cart_dot_py=CART)
    return repository


def only(path: Path) -> Entry:
    (entry,) = read_entries(path)
    return entry


def test_a_change_asks_with_its_message_and_is_answered_at_its_parent(
    shop: Repository, tmp_path: Path
) -> None:
    parent = shop.git("rev-parse", "HEAD")
    changed = CART.replace("sum(self.goods)", "round(sum(self.goods), 2)")
    commit = shop.commit(
        "fix(cart): Round what the goods cost together (#12)", shop__cart_dot_py=changed
    )

    code = mine(shop.folder, tmp_path / "mined.yaml")

    found = only(tmp_path / "mined.yaml")
    assert code == 0
    assert found.query.text == "Round what the goods cost together"
    assert found.query.targets == (Target("symbol", symbol="shop/cart.py::Cart.total"),)
    assert (found.commit, found.draft) == (parent, True)
    assert commit in found.query.notes


def test_what_is_put_in_changes_what_holds_it(shop: Repository, tmp_path: Path) -> None:
    inside = CART.replace(
        "        self.goods.append", "        check(good)\n        self.goods.append"
    )
    between = inside.replace(
        "    def add", "    def empty(self):\n        return 1\n\n    def add"
    )
    after = between + "\n\ndef pay(cart):\n    return cart\n"
    shop.commit("Look at every good before it goes in", shop__cart_dot_py=inside)
    shop.commit("Tell whether anything is being bought", shop__cart_dot_py=between)
    shop.commit("Let somebody pay for what was chosen", shop__cart_dot_py=after)

    mine(shop.folder, tmp_path / "mined.yaml")

    found = {one.query.text: one.query.targets for one in read_entries(tmp_path / "mined.yaml")}
    assert found == {
        "Tell whether anything is being bought": (Target("symbol", symbol="shop/cart.py::Cart"),),
        "Look at every good before it goes in": (
            Target("symbol", symbol="shop/cart.py::Cart.add"),
        ),
    }


def test_lines_outside_every_definition_are_answers_only_alone(
    shop: Repository, tmp_path: Path
) -> None:
    limited = CART.replace("import os\n", "import os\n\nLIMIT = 5\n")
    shop.commit("Begin again with a limit", shop__cart_dot_py=limited)
    ten = limited.replace("5", "10")
    shop.commit("Allow ten goods in place of five", shop__cart_dot_py=ten)
    other = ten.replace("import os", "import io")
    shop.commit("Take another module for all of it", shop__cart_dot_py=other)

    mine(shop.folder, tmp_path / "mined.yaml")

    found = only(tmp_path / "mined.yaml")
    assert found.query.text == "Allow ten goods in place of five"
    assert found.query.targets == (Target("span", path="shop/cart.py", start=3, end=3),)


def test_what_would_be_no_good_query_is_left_out_and_counted(
    shop: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many = {f"m{number}_dot_py": "x = 1\n" for number in range(7)}
    shop.commit("Add modules that many will change", **many)
    shop.commit("Change the value in every module", **dict.fromkeys(many, "x = 2\n"))
    shop.commit("chore: tidy the way the cart sums", shop__cart_dot_py=CART.replace("sum", "max"))
    shop.commit("typo", shop__cart_dot_py=CART)
    quoted = CART + '\nNAMES = ["a", "b"]\n'
    shop.commit("Give the goods of the shop names", shop__cart_dot_py=quoted)
    laid_out = quoted.replace('["a", "b"]', "[\n    'a',\n    'b',\n]")
    shop.commit("Set the names one below the other", shop__cart_dot_py=laid_out)
    shop.commit("Test the cart when it is empty", tests__test_cart_dot_py="def test(): ...\n")
    shop.commit("Test the cart when it is full", tests__test_cart_dot_py="def test(): pass\n")
    shop.commit("Write down how to buy things", README_dot_md="Buy.\n")
    shop.commit("Take in a library of others", vendor__a_dot_py="def a(): ...\n")
    shop.commit("Take the library anew from there", vendor__a_dot_py="def a(): pass\n")
    generated = "# Code generated by a tool. DO NOT EDIT.\ndef a(): ...\n"
    shop.commit("Generate something from a schema", made_dot_py=generated)
    shop.commit("Generate it from the new schema", made_dot_py=generated.replace("...", "pass"))
    shop.git("checkout", "--quiet", "-b", "other", "HEAD~1")
    shop.commit("Say in the readme what is sold", README_dot_md="Buy hats.\n")
    shop.git("checkout", "--quiet", "main")
    shop.git("merge", "--quiet", "--no-edit", "other")

    code = mine(shop.folder, tmp_path / "mined.yaml")

    said = capsys.readouterr().out
    counts = {
        found["reason"]: int(found["count"])
        for found in re.finditer(
            r"^  left out +(?P<count>\d+): (?P<reason>.+)$", said, re.MULTILINE
        )
    }
    assert code == 1
    assert "nothing was written" in said
    assert not (tmp_path / "mined.yaml").exists()
    assert counts == {
        "first commit": 1,
        "merge": 1,
        "bulk": 1,
        "says nothing": 2,
        "formatting only": 1,
        "test only": 2,
        "no code": 2,
        "generated or vendored": 3,
        "only new code": 3,
    }


def test_a_message_is_drafted_once(shop: Repository, tmp_path: Path) -> None:
    for value in ("min", "max"):
        text = CART.replace("sum", value)
        shop.commit("Count the goods in another way", shop__cart_dot_py=text)

    mine(shop.folder, tmp_path / "mined.yaml")

    assert only(tmp_path / "mined.yaml").query.id == shop.git("rev-parse", "HEAD")[:12]


def test_the_text_of_a_linked_issue_is_asked_in_place_of_the_message(
    shop: Repository, tmp_path: Path
) -> None:
    shop.commit("Fix #7", shop__cart_dot_py=CART.replace("sum", "max"))
    linked = tmp_path / "issues.jsonl"
    linked.write_text(
        json.dumps({"id": 7, "text": "The price shown is far too low"}) + "\n", encoding="utf-8"
    )

    mine(shop.folder, tmp_path / "mined.yaml", "--linked", linked)

    assert only(tmp_path / "mined.yaml").query.text == "The price shown is far too low"


def test_a_file_that_was_renamed_is_looked_for_by_its_old_name(
    shop: Repository, tmp_path: Path
) -> None:
    changed = CART.replace("sum(self.goods)", "round(sum(self.goods))")
    shop.commit(
        "Round what is paid and call it basket",
        shop__cart_dot_py=None,
        shop__basket_dot_py=changed,
    )

    mine(shop.folder, tmp_path / "mined.yaml")

    assert only(tmp_path / "mined.yaml").query.targets[0].symbol == "shop/cart.py::Cart.total"


def test_nothing_of_a_repository_is_executed(shop: Repository, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n", encoding="utf-8")
    trap.chmod(0o755)
    for hook in ("post-checkout", "reference-transaction", "pre-auto-gc"):
        (shop.folder / ".git" / "hooks").mkdir(exist_ok=True)
        (shop.folder / ".git" / "hooks" / hook).symlink_to(trap)
    for key in ("diff.external", "diff.trap.textconv", "diff.trap.command", "core.fsmonitor"):
        shop.git("config", key, str(trap))
    shop.git("config", "uploadpack.packObjectsHook", str(trap))
    attributes = "*.py diff=trap filter=trap\n"
    environment = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")
    (shop.folder / ".gitattributes").write_text(attributes, encoding="utf-8")
    (shop.folder / "shop" / "cart.py").write_text(CART.replace("sum", "max"), encoding="utf-8")
    shop.git(*environment, "add", "--all")
    shop.git(*environment, "commit", "--quiet", "--message=Charge for the dearest good alone")
    marker.unlink(missing_ok=True)

    code = mine(shop.folder, tmp_path / "mined.yaml")

    assert code == 0
    assert not marker.exists()


WRONG = {
    "no repository": ("absent", "HEAD", 2, "there is no such folder"),
    "no such branch": ("shop", "gone", 1, "could not be fetched"),
    "an option for a branch": ("shop", "--upload-pack=x", 2, "is not the name"),
    "two branches": ("shop", "main..other", 2, "is not the name"),
    "a transport that runs commands": ("ext::sh -c x", "HEAD", 2, "may run commands"),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_what_cannot_be_mined_is_one_line(
    wrong: tuple[str, str, int, str],
    shop: Repository,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    where, revision, code, words = wrong
    place = where if ":" in where else str(shop.folder.parent / where)

    found = mine(place, tmp_path / "mined.yaml", f"--revision={revision}")

    said = capsys.readouterr().err
    assert (found, said.count("\n")) == (code, 1)
    assert words in said
    assert not (tmp_path / "mined.yaml").exists()


def test_a_history_that_is_too_short_says_how_to_get_the_rest(
    shop: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """More --commits cannot help there."""
    code = mine(shop.folder, tmp_path / "drafts.yaml")

    shown = capsys.readouterr().out
    assert code == 1
    assert shown.startswith("1 commit looked at, 0 drafts\n")
    assert "in a shallow clone run git fetch --unshallow" in shown


def test_a_folder_without_git_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = mine(tmp_path, tmp_path / "drafts.yaml")

    assert code == 2
    assert f"{tmp_path}: is not a git repository; give" in capsys.readouterr().err


def test_mined_drafts_verify_and_are_scored_each_at_its_commit(
    shop: Repository, tmp_path: Path
) -> None:
    first = CART.replace("sum(self.goods)", "round(sum(self.goods), 2)")
    shop.commit("Round what all of the goods cost", shop__cart_dot_py=first)
    second = first.replace("return cart.total()", "return pay(cart.total())")
    shop.commit("Let the buyer pay for the cart", shop__cart_dot_py=second)
    shop.commit("Rename every single thing now", shop__cart_dot_py="def other(): ...\n")
    mined = tmp_path / "mined.yaml"
    mine(shop.folder, mined, "--most-targets", 2)
    where = (f"repository={shop.folder}", f"queries={mined}", "tracking=none")
    run = (str(PROJECT / "bench" / "run.py"), "suite=own", "retriever=bm25", *where)
    check = ("-c", "from bench.cli import main; main()", "fixtures", "verify", str(mined))

    verified = python(tmp_path, *check, "--repository", str(shop.folder))
    refused = python(tmp_path, *run, "execution=local")
    scored = python(tmp_path, *run, "execution=local", "include_drafts=true")

    assert verified.returncode == 0
    assert "2 queries, 0 errors" in verified.stdout
    assert verified.stdout.count("[unreviewed-draft]") == 2
    assert refused.returncode == 2
    assert "all of its 2 queries are drafts" in refused.stderr
    assert scored.returncode == 0, scored.stderr
    results = json.loads((tmp_path / "outputs" / "latest" / "results.json").read_text("utf-8"))
    (report,) = results["reports"]
    assert report["summary"]["total_queries"] == 2
    assert report["summary"]["avg_recall_at_10"] == 1
    assert list(report["repository_metrics"]) == ["shop"]
    assert report["latency"]["samples"] == 2
