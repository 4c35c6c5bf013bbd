"""Answers as part of a study: measured, gated, logged, and asked again where they failed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from bench.results.packed import unpacked
from tests.integration.chat_server import Answer, chat_server, completion, says

ROOT = Path(__file__).parents[2]
KEY = "sk-not-to-be-seen-4711"
QUERIES = """\
queries:
  - {id: q1, query: how are prices added, expected_symbols: [cart.total], must_contain: [prices]}
  - {id: q2, query: how is an item removed, expected_symbols: [cart.remove], must_contain: [drone]}
  - {id: q3, query: where are orders kept, expected_symbols: [store.save], forbidden: [cloud]}
  - {id: q4, query: find an order by number, expected_symbols: [store.find]}
  - {id: q5, query: zzz qqq, negative: true}
  - {id: q6, query: yyy xxx, negative: true}
"""
CART = '''\
def total(prices):
    """Add the prices up."""
    return sum(prices)


def remove(items, name):
    """Take an item out, by its name; it is removed at once."""
    del items[name]
'''
STORE = '''\
def save(orders, order):
    """Keep an order with the other orders."""
    orders[order.number] = order


def find(orders, number):
    """Find an order by its number."""
    return orders[number]
'''


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with a small repository and a file of queries beside it."""
    code = tmp_path / "shop"
    code.mkdir()
    (code / "cart.py").write_text(CART, encoding="utf-8")
    (code / "store.py").write_text(STORE, encoding="utf-8")
    (tmp_path / "queries.yaml").write_text(QUERIES, encoding="utf-8")
    return tmp_path


def run(shop: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Run a study of BM25 on the shop."""
    command = [sys.executable, str(ROOT / "bench" / "run.py"), "suite=own", "retriever=bm25"]
    command += ["repository=shop", "queries=queries.yaml", "chunker=symbol", "execution=local"]
    environment = {**os.environ, "SHOP_KEY": KEY, "NO_PROXY": "*"}
    return subprocess.run(
        [*command, "latency=off", *more],
        cwd=shop,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )


def report(shop: Path) -> dict[str, Any]:
    """Return the report of the last trial of the last study."""
    text = (shop / "outputs" / "latest" / "results.json").read_text(encoding="utf-8")
    found: dict[str, Any] = unpacked(json.loads(text))["reports"][-1]
    return found


def test_answers_are_measured_and_held_to_floors(shop: Path) -> None:
    """Two of three that are judged say what they must; negatives find nothing and are refused."""
    floors = ("--min", "groundedness=0.7", "--max", "false_refusal_rate=0")

    found = run(shop, "answerer=extractive", "tracking=none", *floors)

    numbers = report(shop)["summary"]
    assert found.returncode == 3, found.stderr
    assert "groundedness is 0.6667" in found.stdout
    assert numbers["avg_groundedness"] == 0.6667
    assert numbers["avg_citation_coverage"] == 1.0
    assert numbers["avg_false_refusal_rate"] == 0.0
    assert numbers["avg_refusal_correctness"] == 1.0
    assert numbers["answer_prompt_tokens"] is None
    answers = {row["id"]: row["answer"] for row in report(shop)["query_results"]}
    assert "`def total(prices):`: Add the prices up. [#1]" in answers["q1"]["text"]
    assert answers["q5"] == answers["q5"] | {"text": "", "refused": True, "citations": []}


def test_refusing_is_calibrated_on_one_half_and_told_of_the_other(shop: Path) -> None:
    """The same threshold, with the tune half among what is asked and without it."""
    negatives = "".join(
        f"  - {{id: n{number}, query: prices of {word}, negative: true}}\n"
        for number, word in enumerate(["drones", "boats", "trains", "cars"])
    )
    (shop / "queries.yaml").write_text(QUERIES + negatives, encoding="utf-8")

    run(shop, "answerer=extractive", "tracking=none")
    whole = report(shop)
    run(shop, "answerer=extractive", "tracking=none", "half=report")
    half = report(shop)

    threshold = whole["refusal"]["threshold"]
    assert whole["refusal"]["by"] == "calibrated on the tune half"
    assert half["refusal"]["threshold"] == threshold > 0
    rows = {row["id"]: row for row in half["query_results"]}
    kept = [row for row in whole["query_results"] if row["id"] in rows]
    for name in ("refusal_correctness", "false_refusal_rate"):
        assert half["summary"][f"avg_{name}"] == whole["summary"][f"avg_{name}"]
        assert [row[name] for row in kept] == [row[name] for row in rows.values()]
        others = [row[name] for row in whole["query_results"] if row["id"] not in rows]
        assert others == [None] * len(others)
    assert len(kept) == 5
    refused = {row["id"] for row in kept if row["answer"]["refused"]}
    scores = {row["id"]: row["retrieved"][0]["score"] for row in kept if row["retrieved"]}
    assert {name for name, score in scores.items() if score < threshold} <= refused
    assert whole["refusal"]["curve"][0]["threshold"] <= threshold


def test_the_same_study_twice_has_the_same_answers(shop: Path) -> None:
    """From another store, so that nothing is reused."""
    run(shop, "answerer=extractive", "tracking=none", "store=one")
    first = report(shop)

    run(shop, "answerer=extractive", "tracking=none", "store=two")

    def timeless(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**row, "answer": {**row["answer"], "milliseconds": 0}} for row in rows]

    second = report(shop)
    assert timeless(second["query_results"]) == timeless(first["query_results"])
    assert second["refusal"] == first["refusal"]


def test_a_grid_may_have_trials_with_answers_and_without(shop: Path) -> None:
    """The file of queries has the columns of both."""
    found = run(shop, "-m", "answerer=off,extractive", "tracking=none")

    assert found.returncode == 0, found.stderr
    results = unpacked(
        json.loads((shop / "outputs/latest/results.json").read_text(encoding="utf-8"))
    )
    off, on = results["reports"]
    assert "avg_groundedness" not in off["summary"]
    assert on["summary"]["avg_groundedness"] == 0.6667
    assert off["trial"] != on["trial"]


def typed(shop: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Type another command where the results are."""
    door = str(Path(sys.executable).with_name("rankgrid"))
    return subprocess.run([door, *words], cwd=shop, capture_output=True, text=True, check=False)


def test_measures_of_answers_are_measures_like_any_other(shop: Path) -> None:
    """They decide a study, and are compared, gated against a baseline and kept by rescoring."""
    grid = ("-m", "answerer=extractive", "answerer.pieces=1,3", "tracking=none")

    decided = run(shop, *grid, "objective=groundedness")
    one, three = ("answerer.pieces=1", "answerer.pieces=3")
    compared = typed(shop, "compare", "latest", "latest", "--trial-a", one, "--trial-b", three)
    saved = typed(shop, "baseline", "save")
    shown = typed(shop, "baseline", "show")
    drop = ("--baseline", "main", "--max-drop", "refusal_correctness=0.1")
    gated = run(shop, *grid, *drop)
    again = typed(shop, "rescore", "latest")

    assert decided.returncode == 0, decided.stderr
    assert "Highest:   answerer.pieces=1 (groundedness 0.667)" in decided.stdout
    assert "How sure:  not tested: there are too few queries" in decided.stdout
    assert compared.returncode == 0, compared.stderr
    measures = [line.split()[0] for line in compared.stdout.splitlines() if line]
    assert "citation_precision" in measures
    assert "measures unchanged" in compared.stdout or "groundedness" in measures
    assert saved.returncode == 0, saved.stderr
    assert ", groundedness 0.6667" in shown.stdout
    assert "None" not in shown.stdout
    assert gated.returncode == 0, gated.stdout + gated.stderr
    assert "no refusal_correctness of 1 query changed" in gated.stdout
    assert again.stdout.count("every mean is as it was") == 2, again.stderr


def test_a_server_that_fails_one_query_costs_that_query_and_no_other(shop: Path) -> None:
    """Its cause stands in the results; the next run asks for that one only; the key is nowhere."""
    broken = {"find an order by number"}

    def answer(_number: int, prompt: str) -> Answer:
        if any(text in prompt for text in broken):
            return says({"error": {"message": f"model crashed for {KEY}"}}, 400)
        return says(completion("The prices are added up [#1], see [#9]."))

    with chat_server(answer) as asked:
        settings = ["answerer=openai", f"answerer.url={asked.url}", "answerer.model=m"]
        settings += ["answerer.key_variable=SHOP_KEY", "answerer.prompt_price=1000000"]
        settings += ["answerer.completion_price=0"]
        first = run(shop, *settings)
        failed = report(shop)
        asked_first = len(asked.bodies)
        broken.clear()
        second = run(shop, *settings, "tracking=none")

    rows = {row["id"]: row for row in failed["query_results"]}
    assert first.returncode == 1, first.stderr
    assert rows["q4"]["error"] == (
        f"{asked.url}/chat/completions: status 400 (model crashed for ***)"
    )
    assert rows["q4"]["first_rank"] == 1
    assert rows["q4"]["citation_coverage"] is None
    assert rows["q1"]["error"] is None
    assert rows["q1"]["citation_coverage"] == 0.0  # [#9] leads nowhere
    assert rows["q5"]["answer"]["refused"]  # nothing was found, so nobody was asked
    assert failed["summary"]["failed_queries"] == 1
    assert failed["summary"]["answer_cost"] == 360
    assert (asked_first, len(asked.bodies)) == (4, 5)
    assert second.returncode == 0, second.stderr
    assert report(shop)["summary"]["failed_queries"] == 0
    files = [path for path in shop.rglob("*") if path.is_file()]
    assert any(path.name == "mlflow.db" for path in files)
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []
    assert KEY not in first.stdout + first.stderr + second.stdout + second.stderr


def test_ray_and_its_logs_are_left_without_the_key(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server repeats it in an answer and in a refusal; sockets of Ray need a short path."""

    def answer(_number: int, prompt: str) -> Answer:
        if "removed" in prompt:
            return says({"error": {"message": f"no such key: {KEY}"}}, 401)
        return says(completion(f"Prices [#1], says {KEY}"))

    with chat_server(answer) as asked, TemporaryDirectory(prefix="ray", dir="/tmp") as logs:
        monkeypatch.setenv("RAY_TMPDIR", logs)
        settings = ["answerer=openai", f"answerer.url={asked.url}", "answerer.model=m"]
        settings += ["answerer.key_variable=SHOP_KEY", "execution=ray", "execution.workers=1"]
        found = run(shop, *settings, "tracking=none")
        left = [path for path in Path(logs).rglob("*.*") if path.is_file()]
        told = [path for path in left if KEY.encode() in path.read_bytes()]

    assert found.returncode == 1, found.stderr
    assert {each["authorization"] for each in asked.headers} == {f"Bearer {KEY}"}
    assert any(path.suffix == ".log" for path in left)
    assert told == []
    files = [path for path in shop.rglob("*") if path.is_file()]
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []
    assert KEY not in found.stdout + found.stderr


def test_an_edited_template_is_a_known_difference(shop: Path) -> None:
    """The results record what its text was, because its name stays."""
    template, name = shop / "prompt.txt", "answerer.template=prompt.txt"
    with chat_server(lambda _number, _prompt: says(completion("Prices [#1]"))) as asked:
        settings = ["answerer=openai", f"answerer.url={asked.url}", "answerer.model=m", name]
        for words, folder in (("Answer.", "before"), ("Answer in one sentence.", "after")):
            template.write_text(f"{words}\n{{passages}}\n{{question}}\n", encoding="utf-8")
            found = run(shop, *settings, "tracking=none", f"output={folder}")
            assert found.returncode == 0, found.stderr
    compared = typed(shop, "compare", "before/latest", "after/latest", "--json")

    assert compared.returncode == 0, compared.stderr
    causes = json.loads(compared.stdout)["causes"]
    assert [one["text"].partition(" template ")[0] for one in causes] == [
        "the text of the answerer's"
    ]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (("answerer=openai",), "answerer: model: blank"),
        (("answerer=openai", "answerer.model=m", "answerer.key_variable=NOPE"), "NOPE"),
        (("answerer=openai", "answerer.model=m", "answerer.template=no.txt"), "no.txt"),
        (("answerer=extractive", "answerer.hits=0"), "hits=0"),
    ],
)
def test_what_cannot_be_asked_is_said_before_anything_runs(
    shop: Path, settings: tuple[str, ...], said: str
) -> None:
    """Exit 2, with the setting."""
    found = run(shop, *settings, "tracking=none")

    assert found.returncode == 2
    assert said in found.stderr
    assert not (shop / "outputs").exists()
