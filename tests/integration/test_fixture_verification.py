"""The shipped queries are right; on a copy with planted faults, each one is found."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from bench.cli import main

PROJECT = Path(__file__).parents[2]
SAMPLES = PROJECT / "fixtures" / "samples"


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["fixtures", "verify", *map(str, arguments)])
    return int(caught.value.code or 0)


def test_the_shipped_queries_have_no_errors(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(PROJECT)

    code = run("conf/suite/full.yaml", "--json")

    found = json.loads(capsys.readouterr().out)
    assert (code, found["errors"]) == (0, 0)
    assert {"jinja2", "structlog", "greenlet", "webob"} < {one["name"] for one in found["sets"]}
    assert all(0.1 < one["lexical_overlap"] < 0.6 for one in found["sets"])
    assert all(len(one["queries"]) >= 20 for one in found["sets"])
    is_negative = Counter(
        query["lexical_overlap"] is None for one in found["sets"] for query in one["queries"]
    )
    assert is_negative[False] >= 300
    assert is_negative[True] >= 20


def test_the_shipped_issues_have_no_errors(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reporter may name what is broken, and a package may have changed little."""
    monkeypatch.chdir(PROJECT)

    code = run("conf/suite/issues.yaml", "--json")

    found = json.loads(capsys.readouterr().out)
    rules = {finding["rule"] for one in found["sets"] for finding in one["findings"]}
    assert (code, found["errors"], len(found["sets"])) == (0, 0, 14)
    assert rules <= {"leak", "few-queries"}
    assert sum(len(one["queries"]) for one in found["sets"]) == 168


def test_the_shipped_questions_in_further_languages_have_no_findings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(PROJECT)

    code = run("conf/suite/languages.yaml", "--strict", "--json")

    found = json.loads(capsys.readouterr().out)
    names = [one["name"] for one in found["sets"]]
    assert (code, found["errors"], found["warnings"]) == (0, 0, 0)
    assert {"bluetooth-le", "capacitor-ios", "jep", "pythonnet"} <= set(names)
    assert names == sorted(names)
    for one in found["sets"]:
        negatives = [query for query in one["queries"] if query["lexical_overlap"] is None]
        assert (len(one["queries"]) >= 16, len(negatives) >= 1) == (True, True), one["name"]


def test_ten_queries_of_each_kind_are_asked_across_three_packages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(PROJECT)

    code = run("conf/suite/across.yaml", "--strict", "--json")

    found = json.loads(capsys.readouterr().out)
    kinds = Counter(query["tier"] for one in found["sets"] for query in one["queries"])
    assert (code, found["errors"], found["warnings"], len(found["sets"])) == (0, 0, 0, 3)
    assert kinds == {"exact": 10, "concept": 10, "multi_hop": 10}


@pytest.mark.parametrize(
    ("suite", "expected"),
    [
        ("tiered", {"easy": 20, "medium": 20, "hard": 15}),
        ("tasks", {"easy": 41, "medium": 40, "hard": 9}),
    ],
)
def test_the_shipped_tasks_span_as_many_packages_as_their_tiers_say(
    suite: str,
    expected: dict[str, int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(PROJECT)

    code = run(f"conf/suite/{suite}.yaml", "--strict", "--json")

    found = json.loads(capsys.readouterr().out)
    tiers = Counter(query["tier"] for one in found["sets"] for query in one["queries"])
    assert (code, found["warnings"]) == (0, 0)
    assert tiers == expected


CART = "src/shop/cart.py"
PLANTED = {
    # In a query set: the query's fields, the rule that finds it, and words of the remedy.
    "no-file": ("expected_files: [src/shop/card.py]", "missing", "src/shop/cart.py"),
    "no-symbol": ("expected_symbols: [Cart.totel]", "missing", "Cart.total"),
    "two-meanings": ("expected_symbols: [save]", "ambiguous", "::SqlStore.save"),
    "vendored": ("expected_files: [vendor/thing.py]", "excluded-target", "can be found"),
    "ignored": ("expected_files: [build/out.py]", "excluded-target", "can be found"),
    "after-the-end": (
        "expected_spans: [{path: README.md, start: 2, end: 40}]",
        "outside-file",
        "look them up",
    ),
    "blank": (
        "expected_spans: [{path: src/shop/cart.py, start: 7, end: 8}]",
        "blank-span",
        "look them up",
    ),
    "elsewhere": (
        "expected_files: [README.md], expected_spans: [{path: CART, start: 9, end: 10}]",
        "span-elsewhere",
        "add the file",
    ),
    "same-place": ("expected_symbols: [Cart, cart.Cart]", "duplicate-target", "one of the two"),
    "odd-category": (
        "category: search_of_functions, expected_symbols: [Cart]",
        "unknown-category",
        "function_search",
    ),
    "contradiction": ("negative: true, expected_symbols: [Cart]", "malformed", "one or the other"),
    "no-answer": ("tags: []", "malformed", "negative: true"),
    "typing-error": ("expected_symbol: [Cart]", "malformed", "'expected_symbols'"),
    "wrong-type": ("expected_files: README.md", "malformed", "must be a list"),
    "upwards": ("expected_files: [../secret.py]", "malformed", "relative to the repository"),
    "no-grade": ("expected_files: [{path: README.md, grade: 0}]", "malformed", "not right"),
    "backwards": (
        "expected_spans: [{path: README.md, start: 3, end: 1}]",
        "malformed",
        "start is not above end",
    ),
}
SPOKEN = {
    # By their words: the question, and what it gives away.
    "given-away": ("what does SqlStore do", "storage.SqlStore", "leak", "other words"),
    "twin": ("What everything  being bought costs together", "Cart", "duplicate-query", "reword"),
}
FILES = {
    # As files: the content, the query it is found under, the rule and the remedy.
    "numbers.jsonl": (
        '{"id": "numbered", "question": "q", "expected_chunks": [12]}\n',
        "numbered",
        "malformed",
        "a chunk map",
    ),
    "half.jsonl": ('\n{"id": "half", "query": \n', "", "malformed", "correct this line"),
    "half.yaml": ("queries:\n- {id: half\n", "", "malformed", "correct this line"),
    "latin.yaml": ("task: caf\xe9\n", "", "malformed", "save the file as UTF-8"),
    "few.yaml": ("task: t\nground_truth: [Cart]\n", "few", "symbol-count", "an expert"),
    "wide.yaml": (
        "task: u\ndifficulty: hard\nground_truth: [Cart, Store, cart.add]\n",
        "wide",
        "tier",
        "call it medium",
    ),
    "twice.yaml": (
        "queries:\n- {id: sum, query: once more, expected_symbols: [Cart]}\n",
        "sum",
        "duplicate-id",
        "an id of its own",
    ),
}


def planted(folder: Path) -> None:
    """Copy the sample with its queries, and plant every fault."""
    shutil.copytree(SAMPLES / "shop", folder / "shop")
    shutil.copytree(SAMPLES / "queries" / "clean", folder / "queries")
    for name in ("vendor/thing.py", "build/out.py"):
        (folder / "shop" / name).parent.mkdir()
        (folder / "shop" / name).write_text("def thing(): ...\n", encoding="utf-8")
    (folder / "shop" / ".gitignore").write_text("/build\n", encoding="utf-8")
    lines = [
        f'- {{id: {name}, query: "{name}, please", {one[0]}}}' for name, one in PLANTED.items()
    ]
    lines += [
        f'- {{id: {name}, query: "{one[0]}", expected_symbols: [{one[1]}]}}'
        for name, one in SPOKEN.items()
    ]
    text = "queries:\n" + "".join(f"{line}\n" for line in lines).replace("CART", CART)
    (folder / "queries" / "zz-planted.yaml").write_text(text, encoding="utf-8")
    for name, (content, *_) in FILES.items():
        (folder / "queries" / f"zz-{name}").write_text(content, encoding="latin-1")


def expected_findings(folder: Path) -> set[tuple[str, str, str, str]]:
    """Return (file, query, rule, words of the remedy) of every planted fault."""
    queries = folder / "queries"
    inline = str(queries / "zz-planted.yaml")
    return {
        *((inline, name, rule, words) for name, (_, rule, words) in PLANTED.items()),
        *((inline, name, rule, words) for name, (_, _, rule, words) in SPOKEN.items()),
        *(
            (
                str(queries / f"zz-{name}"),
                query if rule == "malformed" else _id(name, query),
                rule,
                words,
            )
            for name, (_, query, rule, words) in FILES.items()
        ),
    }


def _id(name: str, query: str) -> str:
    return f"zz-{query}" if name in ("few.yaml", "wide.yaml") else query


def test_every_planted_fault_is_found_with_its_file_and_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    planted(tmp_path)

    code = run(tmp_path / "queries", "--repository", tmp_path / "shop", "--json")

    found = [
        one for each in json.loads(capsys.readouterr().out)["sets"] for one in each["findings"]
    ]
    missed = [
        fault
        for fault in expected_findings(tmp_path)
        if not any(
            (one["file"], one["query"], one["rule"]) == fault[:3]
            and fault[3] in f"{one['what']}; {one['remedy']}"
            and one["remedy"]
            for one in found
        )
    ]
    assert code == 1
    assert missed == []
    assert len(expected_findings(tmp_path)) >= 20
    assert len(found) == len(expected_findings(tmp_path))


def test_nothing_is_found_where_nothing_was_planted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(SAMPLES / "queries" / "clean", tmp_path / "queries")

    code = run(tmp_path / "queries", "--repository", SAMPLES / "shop", "--strict", "--queries")

    said = capsys.readouterr().out
    assert code == 0
    assert "0 errors, 0 warnings" in said
    assert "lookup: overlap" in said


def test_a_searched_file_that_holds_the_questions_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(SAMPLES / "shop", tmp_path / "shop")
    shutil.copytree(SAMPLES / "queries" / "clean", tmp_path / "shop" / "queries")
    copy = tmp_path / "shop" / "tests.txt"
    copy.write_text((SAMPLES / "queries" / "clean" / "set.yaml").read_text("utf-8"), "utf-8")

    code = run(tmp_path / "shop" / "queries", "--repository", tmp_path / "shop")

    said = capsys.readouterr().out
    assert code == 1
    assert "error [indexed-fixture]" in said
    assert "'tests.txt' holds 8 of the 9 questions" in said
    assert said.count("warning [indexed-fixture]") == 2


def test_exit_codes_tell_warnings_errors_and_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few, wrong, shop = tmp_path / "few.yaml", tmp_path / "wrong.yaml", SAMPLES / "shop"
    few.write_text("queries:\n- {id: a, query: q, expected_symbols: [Cart]}\n", encoding="utf-8")
    wrong.write_text("queries:\n- {id: a, query: q, expected_symbols: [Gone]}\n", encoding="utf-8")

    assert run(few, "--repository", shop) == 0
    assert run(few, "--repository", shop, "--strict") == 1
    assert run(wrong, "--repository", shop) == 1
    assert run(few) == 2
    assert run(tmp_path / "absent", "--repository", shop) == 2
    assert run(few, "--repository", tmp_path / "absent") == 2
    assert run(few, "--repository", shop, "--most-matches", "0") == 2
    assert "add --repository FOLDER" in capsys.readouterr().err


def test_a_suite_of_ones_own_and_a_corpus_are_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    queries = SAMPLES / "queries" / "clean"
    suite = tmp_path / "suite.yaml"
    suite.write_text(
        f"name: mine\nrepositories:\n- name: shop\n  queries: {queries}\n"
        f"  source: {{kind: local, path: {SAMPLES / 'shop'}}}\n",
        encoding="utf-8",
    )
    corpus = tmp_path / "beir"
    (corpus / "qrels").mkdir(parents=True)
    (corpus / "corpus.jsonl").write_text('{"_id": "d", "text": "t"}\n', encoding="utf-8")
    (corpus / "queries.jsonl").write_text('{"_id": "q", "text": "t"}\n', encoding="utf-8")
    table = "query-id\tcorpus-id\tscore\nq\td\t1\nq\tgone\t1\n"
    (corpus / "qrels" / "test.tsv").write_text(table, encoding="utf-8")

    assert run(suite, "--strict") == 0
    assert run(corpus) == 1
    said = capsys.readouterr().out
    assert "error [missing]" in said
    assert "file 'gone' is not in the source" in said
