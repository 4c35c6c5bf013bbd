"""A study whose targets are not in the source ends with one line, before anything long is done."""

from pathlib import Path

import pytest

from bench.launcher.door import run_bench
from tests.integration.git_repositories import Repository
from tests.small_study import CART

QUIET = ("tracking=none", "latency=off", "execution=local", "execution.workers=1")
OWN = ("suite=own", "queries=queries.yaml", "retriever=bm25", "measure_level=file")
GOOD = "- {id: good, query: how are the prices added, expected_symbols: [cart.Cart.total]}\n"
WRONG = "- {id: wrong, query: what comes to the sum, expected_symbols: [cart.Cart.totl]}\n"
MORE = "- {id: more, query: send a parcel, expected_symbols: [qqqq.zzzz, Cart.totel]}\n"
OUTSIDE = (
    "- {id: out, query: what is in it, expected_spans: [{path: cart.py, start: 2, end: 99}]}\n"
)
NEGATIVE = "- {id: none, query: send a parcel, negative: true}\n"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with code, which is the current one."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "cart.py").write_text(CART, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(shop: Path, asked: str, *arguments: str, repository: str = "code") -> int:
    """Ask queries of the code in this process."""
    (shop / "queries.yaml").write_text(f"queries:\n{asked}", encoding="utf-8")
    return run_bench([f"repository={repository}", *OWN, *QUIET, *arguments], "bench/run.py")


def test_queries_that_are_all_broken_are_one_line_with_the_remedy(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two problems are shown; the command lists all. Queries that nothing answers do not count."""
    code = run(shop, WRONG + MORE + NEGATIVE)

    printed = capsys.readouterr()
    said, remedy = printed.err.split(" Correct them: ")
    assert (code, printed.out, printed.err.count("\n")) == (2, "", 1)
    assert said == (
        "rankgrid: queries=queries.yaml: the targets of 2 of 2 queries are not in the source of "
        "code (query 'wrong': symbol 'cart.Cart.totl' is not in the source; did you mean "
        "cart.Cart.total, cart.Cart, cart.Cart.remove?; query 'more': symbol 'qqqq.zzzz' is not "
        "in the source; nothing has a name like it; check the repository and its version; and 1 "
        "more)."
    )
    assert remedy.endswith("fixtures verify queries.yaml --repository code` lists all.\n")
    assert not (shop / "outputs").exists()


def test_a_study_that_is_refused_is_not_the_latest(shop: Path) -> None:
    assert run(shop, GOOD) == 0
    before = sorted((shop / "outputs").iterdir())

    code = run(shop, WRONG)

    assert code == 2
    assert sorted((shop / "outputs").iterdir()) == before


def test_one_wrong_name_leaves_no_trial_a_number(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The remedy that the line names scores the other query."""
    refused = run(shop, GOOD + WRONG)
    line = capsys.readouterr().err
    dropped = run(shop, GOOD + WRONG, "missing=drop")

    assert (refused, dropped) == (2, 0)
    assert "the targets of 1 of 2 queries are not in the source of code (query 'wrong': " in line
    assert line.endswith(" lists all; or pass missing=drop to score the others.\n")


def test_lines_beyond_their_file_leave_out_only_their_query(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(shop, GOOD + OUTSIDE)

    printed = " ".join(capsys.readouterr().out.split())
    assert code == 0
    assert (
        "1 of 2 queries is left out, because its lines are beyond the end of the file" in printed
    )


def test_a_study_with_no_other_query_is_refused(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(shop, OUTSIDE + NEGATIVE)

    line = capsys.readouterr().err
    assert (code, line.count("\n")) == (2, 1)
    assert "(query 'out': lines 2 to 99 of 'cart.py' do not exist: the file has " in line


def test_the_line_names_a_choice_of_files_that_may_be_the_cause(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shop / "code" / "other.py").write_text("other = 1\n", encoding="utf-8")

    code = run(shop, GOOD, "exclude=[cart.py]")

    assert code == 2
    assert "in the source of code without the files that " in capsys.readouterr().err


def test_a_source_that_cannot_be_read_is_not_blamed_on_the_queries(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Repository(shop / "pinned")
    made.commit("Keep a cart", cart_dot_py=CART)

    code = run(shop, GOOD, repository=f"file://{shop}/pinned@{'a' * 40}")

    printed = capsys.readouterr()
    assert code == 1
    assert "FAILED check-out" in printed.err
    assert printed.err.count("FAILED") == 1
    assert "queries=" not in printed.err
