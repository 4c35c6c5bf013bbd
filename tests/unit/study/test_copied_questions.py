"""Documents with the questions word for word are refused, or allowed and named."""

from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
from rich.console import Console

from bench.advice import advise
from bench.engine import Alone, Cost, Fingerprint, NoObserver, Outcome, Plan, carry_out
from bench.errors import RankgridError, SettingError, UsageError
from bench.launcher.planning import planned
from bench.report import Extras, show_result
from bench.results import StudyResult, rounded
from bench.results.collect import collect
from bench.results.document import as_json
from bench.study import Study, first_queries, refuse_copies
from tests.composed_grids import composed_grid
from tests.integration.git_repositories import Repository

QUERIES = """\
queries:
  - {id: q1, query: how are the prices added up, expected_symbols: [cart.total]}
  - {id: q2, query: take an item out of it again, expected_files: [cart.py]}
  - {id: q3, query: send a parcel by small drone, negative: true}
  - id: q4
    query: where is a thing kept for later
    expected_spans: [{any_of: [{path: a.py, start: 1, end: 1}, {path: b.py, start: 1, end: 1}]}]
  - {id: q5, query: short question, expected_files: [a.py]}
"""
ASKED = (
    "How are the prices added up?",
    "Take an item out of it again.",
    "Send a parcel by small drone!",
    "Where is a thing kept for later?",
    "Short question",
)
CART = "def total(prices):\n    return sum(prices)\n"
SHARED = ["retriever=bm25", "latency=off", "tracking=none"]


class Shop:
    """A folder with a small repository and its queries."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.code = folder, folder / "code"
        self.code.mkdir()
        for name, text in {"cart.py": CART, "a.py": "a = 1\n", "b.py": "b = 2\n"}.items():
            self.write(name, text)
        self.ask(QUERIES)
        self.plans: list[list[str]] = []

    @property
    def carried_out(self) -> list[str]:
        """The kinds of the stages that the last study carried out."""
        return [kind for plan in self.plans for kind in plan]

    def write(self, name: str, *texts: str) -> None:
        """Write a document of the repository."""
        place = self.code / name
        place.parent.mkdir(exist_ok=True)
        place.write_text("\n".join(texts), encoding="utf-8")

    def ask(self, queries: str) -> None:
        """Write the file of queries."""
        (self.folder / "queries.yaml").write_text(queries, encoding="utf-8")

    def study(self, *overrides: str, repository: str = "") -> Study:
        """Plan two trials on the repository."""
        suite = ["suite=own", f"repository={repository or self.code}"]
        queries = f"queries={self.folder}/queries.yaml"
        store = f"store={self.folder}/store"
        shared = [*suite, queries, store, *SHARED, *overrides]
        return planned(composed_grid(shared, ["chunk=16"], ["chunk=64"]))

    def run(self, study: Study) -> StudyResult:
        """Carry a study out as the command does; note the kinds of the stages of each plan."""
        self.plans = []

        def executor(plan: Plan) -> Mapping[Fingerprint, Outcome]:
            self.plans.append([stage.kind for stage in plan.stages])
            return carry_out(plan, study.store.url, Alone(), NoObserver())

        checked = refuse_copies(study, executor)
        return collect(study, checked | study.carry_out(executor), ())

    def refusal(self, *overrides: str, repository: str = "") -> str:
        """Return why a study is refused."""
        with pytest.raises(UsageError) as error:
            self.run(self.study(*overrides, repository=repository))
        return error.value.message


def page_of(result: StudyResult, *, is_verbose: bool = False) -> str:
    """Return what the terminal shows."""
    page = StringIO()
    console = Console(file=page, width=400)
    show_result(result, advise(result, seed=0), console=console, extras=Extras(words=is_verbose))
    return page.getvalue()


def results_of(result: StudyResult) -> dict[str, Any]:
    """Return the content of the results file, which is read again without loss."""
    assert rounded(result).copies == result.copies
    return as_json(result)


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """The shop, without any copy of a question."""
    return Shop(tmp_path)


def test_a_document_with_three_questions_is_refused(shop: Shop) -> None:
    """A negative query counts as well. The short question does not."""
    shop.write("notes/list.md", *ASKED[1:3], *ASKED[3:])

    assert shop.refusal() == (
        "question_copies=refuse: notes/list.md of code holds 3 of the 5 questions word for word"
        " and is not their answer. It would rank above the answers."
        " Remove it, add it to .gitignore, or pass question_copies=allow."
    )


def test_the_remedies_of_the_refusal_work(shop: Shop) -> None:
    shop.write("notes/list.md", *ASKED)
    shop.refusal()

    assert not shop.run(shop.study("question_copies=allow")).trials[0].failed
    shop.write(".gitignore", "/notes/")
    assert not shop.run(shop.study()).trials[0].failed


def test_the_document_with_most_questions_is_named_and_the_others_are_counted(shop: Shop) -> None:
    shop.write("few.md", *ASKED[:3])
    shop.write("many.md", *ASKED)
    shop.write("more.md", *ASKED[:3])

    message = shop.refusal()

    assert message.startswith("question_copies=refuse: many.md of code holds 4 of the 5 ")
    assert message.endswith(" The same goes for 2 more documents.")


def test_nothing_long_is_done_before_the_refusal(shop: Shop) -> None:
    """Parsing shows where the answers are, and is done for a suspect only."""
    shop.write("list.md", *ASKED)

    shop.refusal()

    assert shop.carried_out == ["ask", "find-copies", "parse", "resolve-targets"]


def test_a_study_without_copies_carries_out_every_stage_once(shop: Shop) -> None:
    study = shop.study()

    result = shop.run(study)

    assert (len(shop.plans), shop.plans[0]) == (2, ["ask", "find-copies"])
    assert len(shop.carried_out) == len(study.remaining.stages) == result.plan.executed
    assert results_of(result)["question_copies"] == {"in_answers": [], "in_others": []}


def test_two_questions_are_no_copy(shop: Shop) -> None:
    """One document may hold two of them, another the third."""
    shop.write("list.md", *ASKED[:2])
    shop.write("other.md", ASKED[2])

    result = shop.run(shop.study())

    assert result.copies.in_others == ()


def test_a_question_that_is_asked_twice_counts_once(shop: Shop) -> None:
    again = "  - {id: q6, query: Take an item out of it AGAIN, expected_files: [cart.py]}\n"
    shop.ask(QUERIES + again)
    shop.write("list.md", *ASKED[:2])

    assert shop.run(shop.study()).copies.in_others == ()


def test_an_answer_is_not_refused_for_its_own_questions(shop: Shop) -> None:
    """Two of the questions are about cart.py, by a symbol and as a file."""
    shop.write("cart.py", CART, *(f"# {text}" for text in ASKED[:3]))

    result = shop.run(shop.study())

    leaks = [(one.repository, one.query, one.path) for one in result.copies.in_answers]
    assert leaks == [("code", "q1", "cart.py"), ("code", "q2", "cart.py")]
    assert result.copies.in_others == ()


def test_an_answer_is_refused_for_three_questions_of_others(shop: Shop) -> None:
    shop.write("a.py", "a = 1", *(f"# {text}" for text in ASKED))

    assert shop.refusal().startswith("question_copies=refuse: a.py of code holds 3 of the 5 ")


@pytest.mark.parametrize("name", ["a.py", "b.py"])
def test_each_alternative_is_an_answer(shop: Shop, name: str) -> None:
    shop.write(name, "a = 1", f"# {ASKED[3]}")

    (leak,) = shop.run(shop.study()).copies.in_answers

    assert (leak.query, leak.path) == ("q4", name)


def test_a_question_labelled_exact_is_no_leak(shop: Shop) -> None:
    """It gives the words of its answer on purpose, such as an error message."""
    shop.ask(QUERIES.replace("id: q2", "id: q2, category: exact"))
    shop.write("cart.py", CART, *(f"# {text}" for text in ASKED[:2]))

    assert [one.query for one in shop.run(shop.study()).copies.in_answers] == ["q1"]


def test_leaks_are_named_under_the_table_and_in_the_results(shop: Shop) -> None:
    shop.write("cart.py", CART, *(f"# {text}" for text in ASKED[:2]))

    result = shop.run(shop.study())
    results = results_of(result)

    note = (
        "2 of 5 questions are word for word in their own answers (q1, q2);"
        " they are easier to find than a question in other words"
    )
    assert page_of(result, is_verbose=True).count(f"\nnote: {note}\n") == 1
    assert "\nNote:      " + note[:40] in page_of(result)
    assert results["notes"] == [note]
    assert results["question_copies"] == {
        "in_answers": [
            {"repository": "code", "query": "q1", "path": "cart.py"},
            {"repository": "code", "query": "q2", "path": "cart.py"},
        ],
        "in_others": [],
    }


def test_an_allowed_document_is_named_under_the_table_and_in_the_results(shop: Shop) -> None:
    shop.write("list.md", *ASKED)

    result = shop.run(shop.study("question_copies=allow"))
    results = results_of(result)

    note = (
        "question_copies=allow: list.md of code holds 4 questions word for word and is not their"
        " answer; it may rank above the answers"
    )
    assert page_of(result, is_verbose=True).count(f"\nnote: {note}\n") == 1
    assert "\nNote:      " + note[:40] in page_of(result)
    assert results["notes"] == [note]
    assert results["question_copies"]["in_others"] == [
        {"repository": "code", "path": "list.md", "queries": ["q1", "q2", "q3", "q4"]}
    ]


def test_a_refusal_comes_again_from_the_store(shop: Shop) -> None:
    shop.write("list.md", *ASKED)
    message = shop.refusal()

    again = shop.refusal()

    assert (again, shop.carried_out) == (message, [])


@pytest.mark.parametrize("setting", ["refuse", "allow"])
def test_a_lost_result_of_the_check_is_made_again(shop: Shop, setting: str) -> None:
    shop.write("cart.py", CART, f"# {ASKED[0]}")
    before = shop.run(shop.study(f"question_copies={setting}"))
    rmtree(shop.folder / "store" / "artifacts" / "find-copies")

    after = shop.run(shop.study(f"question_copies={setting}"))

    assert shop.carried_out == ["find-copies"]
    assert [one.query for one in after.copies.in_answers] == ["q1"]
    assert after.copies == before.copies


def test_the_check_is_no_cost_of_a_trial(shop: Shop) -> None:
    shop.run(shop.study())
    study = shop.study()
    (check,) = (one.copies for one in study.corpus.repositories if one.copies)
    artifact = study.store.load(check)
    assert artifact
    study.store.save(check, artifact.payload, Cost(taken_bytes=10**15))

    trial = shop.run(study).trials[0]

    assert 0 < (trial.summary["peak_memory_bytes"] or 0) < 10**15


def test_a_commit_is_refused_before_anything_long_is_done(shop: Shop) -> None:
    """Planning does not read a pinned source."""
    pinned = Repository(shop.folder / "pinned")
    commit = pinned.commit("Keep notes", cart_dot_py=CART, list_dot_md="\n".join(ASKED))
    shop.ask(QUERIES.partition("  - id: q4")[0])

    message = shop.refusal(repository=f"file://{pinned.folder}@{commit}")

    assert message.startswith("question_copies=refuse: list.md of pinned holds 3 of the 3 ")
    assert message.endswith(" Pin a source without it, or pass question_copies=allow.")
    assert set(shop.carried_out[:3]) == {"ask", "check-out", "find-copies"}
    assert shop.carried_out[3:] == ["parse", "resolve-targets"]


def test_a_source_that_cannot_be_read_fails_its_trials(shop: Shop) -> None:
    """The check refuses nothing then, and the study says why."""
    Repository(shop.folder / "pinned").commit("Nothing", cart_dot_py=CART)
    shop.ask(QUERIES.partition("  - id: q4")[0])

    result = shop.run(shop.study(repository=f"file://{shop.folder}/pinned@{'a' * 40}"))

    assert [trial.failures[0].stage for trial in result.trials] == ["check-out"] * 2


def test_wrong_targets_fail_their_trials(shop: Shop) -> None:
    """It is not known which document answers, so none is refused."""
    shop.write("list.md", *ASKED)
    shop.ask(QUERIES.replace("cart.total", "cart.sum"))

    result = shop.run(shop.study())

    assert [trial.failures[0].stage for trial in result.trials] == ["resolve-targets"] * 2
    assert result.copies.in_others == ()


def test_the_first_queries_of_a_search_are_not_checked_again(shop: Shop) -> None:
    """The check is of all of them."""
    corpus = first_queries(shop.study().corpus, 1, seed=0)

    assert [one.copies for one in corpus.repositories] == [None]


@pytest.mark.parametrize("wrong", ["never", "true"])
def test_the_setting_is_refuse_or_allow(shop: Shop, wrong: str) -> None:
    with pytest.raises(SettingError, match=r"question_copies=\w+: .*there are allow, refuse"):
        shop.study(f"question_copies={wrong}")


def test_the_setting_goes_with_every_suite(shop: Shop) -> None:
    """A file of one's own, a shipped suite, and a collection."""
    (shop.folder / "suite.yaml").write_text(
        "name: mine\nrepositories:\n"
        "- {name: shop, source: {kind: local, path: code}, queries: queries.yaml}\n",
        encoding="utf-8",
    )
    suites = [
        ["suite=file", f"suite.path={shop.folder}/suite.yaml"],
        *([f"suite={name}"] for name in ("quick", "python", "polyglot", "docs", "full")),
        *([f"suite={name}"] for name in ("tiered", "issues", "tasks", "languages")),
    ]

    grids = [composed_grid([*suite, *SHARED, "question_copies=allow"], []) for suite in suites]

    assert {grid.trials[0][1].suite.question_copies for grid in grids} == {"allow"}


def test_a_suite_of_two_repositories_names_the_one_that_holds_them(shop: Shop) -> None:
    shop.write("list.md", *ASKED)
    (shop.folder / "other").mkdir()
    (shop.folder / "other" / "cart.py").write_text(CART, encoding="utf-8")
    (shop.folder / "other.yaml").write_text(QUERIES.partition("  - id: q4")[0], encoding="utf-8")
    (shop.folder / "suite.yaml").write_text(
        "name: mine\nrepositories:\n"
        "- {name: second, source: {kind: local, path: other}, queries: other.yaml}\n"
        "- {name: first, source: {kind: local, path: code}, queries: queries.yaml}\n",
        encoding="utf-8",
    )
    suite = ["suite=file", f"suite.path={shop.folder}/suite.yaml", f"store={shop.folder}/store"]
    study = planned(composed_grid([*suite, *SHARED], []))

    with pytest.raises(RankgridError, match=r"list\.md of first holds 4 of the 5 questions"):
        shop.run(study)
