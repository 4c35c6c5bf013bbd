"""Questions that a chat server expands: what is searched, what it costs, and what can fail."""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from bench.launcher.door import run_bench
from bench.results.packed import unpacked
from tests.integration.chat_server import Answer, Asked, chat_server, completion, says

KEY = "sk-not-to-be-seen-0815"
CODE = """\
def total(prices):
    return sum(prices)


def discount(prices, share):
    return [price * (1 - share) for price in prices]


def remove(items, name):
    del items[name]


def ship(parcel, address):
    return parcel.sent_to(address)


def refund(order, prices):
    return order.paid - sum(prices)
"""
QUESTIONS = {"q1": "what does it cost", "q2": "send it off", "q3": "zzz"}
TARGETS = {"q1": "shop.total", "q2": "shop.ship", "q3": "shop.remove"}
WORDS = {
    "what does it cost": ["sum of prices", "discount on prices", "refund of an order"],
    "send it off": ["ship a parcel to an address", "parcel", "sent"],
    "zzz": ["remove name from items", "del items", "name"],
}
Hits = list[tuple[int, int]]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with code and queries, which is the current one; the key is in the environment."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "shop.py").write_text(CODE, encoding="utf-8")
    write_queries(tmp_path, QUESTIONS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOP_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "*")
    return tmp_path


def write_queries(folder: Path, texts: dict[str, str]) -> None:
    """Write the queries with other texts."""
    rows = (
        {"id": name, "query": text, "expected_symbols": [TARGETS[name]]}
        for name, text in texts.items()
    )
    (folder / "queries.yaml").write_text(json.dumps({"queries": list(rows)}), encoding="utf-8")


def expanding(prompt: str) -> str:
    """Return what a model would write: a numbered list, or one line of it."""
    question = prompt.partition("Question:\n")[2]
    lines = WORDS[question]
    if "per line" in prompt:
        return "\n".join(f"{place}. {line}" for place, line in enumerate(lines, 1))
    return f"```\n{' '.join(lines)}\n```" if "passage" in prompt else f'"{lines[0]}"'


def answers(_number: int, prompt: str) -> Answer:
    """Answer every prompt well."""
    return says(completion(expanding(prompt)))


def study(*typed: str, server: Asked | None = None, code: int = 0) -> dict[str, Any]:
    """Run a study of BM25 on the shop; return its results."""
    own = ["suite=own", "repository=code", "queries=queries.yaml", "retriever=bm25"]
    fixed = ["chunker=symbol", "tracking=none", "execution=local", "execution.workers=1"]
    quick = ["query.longest_wait_seconds=0.01", "query.attempts=2"]
    asked = ["query.model=m", "query.key_variable=SHOP_KEY", *quick]
    asked = [f"query.url={server.url}", *asked] if server else []
    latency = [] if any(text.startswith("latency=") for text in typed) else ["latency=off"]
    line = ["-m", *own, *fixed, *latency, *typed, *asked]
    assert run_bench(line, "bench/run.py") == code
    text = Path("outputs/latest/results.json").read_text(encoding="utf-8")
    found: dict[str, Any] = unpacked(json.loads(text))
    return found


def hits_of(report: dict[str, Any]) -> dict[str, Hits]:
    """Return the bytes of each query's hits, in order."""
    return {
        row["id"]: [(hit["start_byte"], hit["end_byte"]) for hit in row["retrieved"]]
        for row in report["query_results"]
    }


def hits_by(shop: Path, choose: Callable[[list[str]], str]) -> dict[str, Hits]:
    """Return the hits of a plain study that is asked other texts."""
    write_queries(shop, {name: choose(WORDS[text]) for name, text in QUESTIONS.items()})
    found = hits_of(study()["reports"][0])
    write_queries(shop, QUESTIONS)
    return found


def fused(rankings: Sequence[Hits]) -> dict[tuple[int, int], float]:
    """Return the sum of reciprocal ranks of each hit."""
    total: dict[tuple[int, int], float] = defaultdict(float)
    for ranking in rankings:
        for rank, hit in enumerate(ranking, 1):
            total[hit] += 1 / (60 + rank)
    return total


def test_a_rewritten_question_is_searched_in_place_of_it(shop: Path) -> None:
    wanted = hits_by(shop, lambda lines: lines[0])

    with chat_server(answers) as server:
        found = study("query=plain,rewrite", server=server)

    plain, rewritten = found["reports"]
    assert hits_of(rewritten) == wanted
    assert hits_of(plain) != wanted
    assert plain["config"]["name"] == "query=plain"
    assert rewritten["config"]["query"] == "rewrite"
    assert rewritten["summary"]["avg_mrr"] > plain["summary"]["avg_mrr"]
    assert len(server.bodies) == 3
    assert {body["max_tokens"] for body in server.bodies} == {200}


def test_a_made_up_passage_is_searched(shop: Path) -> None:
    wanted = hits_by(shop, " ".join)

    with chat_server(answers) as server:
        found = study("query=hyde", server=server)

    assert hits_of(found["reports"][0]) == wanted


def test_several_texts_and_the_question_are_fused_by_reciprocal_ranks(shop: Path) -> None:
    own = hits_of(study()["reports"][0])
    apart = [hits_by(shop, itemgetter(place)) for place in range(3)]

    with chat_server(answers) as server:
        found = study("query=several", server=server)

    for name, hits in hits_of(found["reports"][0]).items():
        scores = fused([own[name], *(one[name] for one in apart)])
        assert set(hits) == set(scores)
        assert [scores[hit] for hit in hits] == sorted(scores.values(), reverse=True)


def test_the_question_can_be_left_out_or_added(shop: Path) -> None:
    own, passage = hits_of(study()["reports"][0]), hits_by(shop, " ".join)

    with chat_server(answers) as server:
        found = study("query=hyde", "query.original=true", server=server)

    for name, hits in hits_of(found["reports"][0]).items():
        scores = fused([own[name], passage[name]])
        assert [scores[hit] for hit in hits] == sorted(scores.values(), reverse=True)


def test_what_was_expanded_is_kept_and_its_price_is_told(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """For every trial of the grid and of the next study; the key is nowhere."""
    prices = ("query.prompt_price=2000", "query.completion_price=10000")
    with chat_server(answers) as server:
        first = study("query=several", "retriever=bm25,exact", *prices, server=server)
        again = study("query=several", "limit=5", "--verbose", *prices, server=server)

    assert len(server.bodies) == 3
    assert {headers["authorization"] for headers in server.headers} == {f"Bearer {KEY}"}
    for report in (*first["reports"], *again["reports"]):
        numbers = report["summary"]
        assert numbers["query_prompt_tokens"] == 120
        assert numbers["query_completion_tokens"] == 7
        assert numbers["query_latency_p50_ms"] > 0
        assert numbers["query_cost"] == pytest.approx((360 * 2000 + 21 * 10000) / 1e6)
    printed = capsys.readouterr()
    assert "query=several: m expanded 3 questions; each took" in printed.out
    assert "120 prompt tokens, 7 completion tokens; 0.9300 for all" in printed.out
    stored = b"".join(one.read_bytes() for one in shop.rglob("*") if one.is_file())
    assert KEY.encode() not in stored
    assert KEY not in printed.out + printed.err


def test_a_question_that_fails_is_an_error_and_only_it_is_asked_again(shop: Path) -> None:
    def failing(_number: int, prompt: str) -> Answer:
        return says({"error": "no"}, 400) if "zzz" in prompt else answers(0, prompt)

    with chat_server(failing) as server:
        found = study("query=rewrite", server=server, code=1)
    row = next(one for one in found["reports"][0]["query_results"] if one["id"] == "q3")
    numbers = found["reports"][0]["summary"]

    assert "status 400 (no)" in row["error"]
    assert (numbers["failed_queries"], numbers["avg_mrr"]) == (1, 1)
    with chat_server(answers) as other:
        # The address is part of what a text hangs on, so that the port has to be the same.
        assert other.url != server.url
    with chat_server(answers, port=int(server.url.rsplit(":", 1)[1].split("/")[0])) as repaired:
        found = study("query=rewrite", server=repaired)

    assert [prompt.partition("Question:\n")[2] for prompt in repaired.prompts] == ["zzz"]
    assert found["reports"][0]["summary"]["failed_queries"] == 0
    assert found["reports"][0]["summary"]["avg_mrr"] == 1


def test_a_server_that_expands_nothing_ends_the_study_before_the_work(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with chat_server(answers) as server:
        pass
    line = ["suite=own", "repository=code", "queries=queries.yaml", "tracking=none"]
    asked = [f"query.url={server.url}", "query.model=m", "query.attempts=1"]

    code = run_bench([*line, "query=hyde", *asked], "bench/run.py")

    errors = capsys.readouterr().err
    assert code == 2
    assert "query=hyde: none of 3 questions was expanded; the first: " in errors
    assert f"Start the chat server {server.url}, correct query.url=" in errors
    assert not Path("outputs").exists()


def test_the_server_of_the_answers_is_used_where_no_other_is_given(shop: Path) -> None:
    def both(number: int, prompt: str) -> Answer:
        is_question = "Question:\n" in prompt and "search engine" in prompt
        return answers(number, prompt) if is_question else says(completion("So it is [#1]."))

    with chat_server(both) as server:
        of_answers = [f"answerer.url={server.url}", "answerer.model=m", "answerer=openai"]
        found = study("query=rewrite", *of_answers)

    assert len(server.bodies) == 6
    assert found["reports"][0]["summary"]["query_prompt_tokens"] == 120
    assert found["reports"][0]["summary"]["answer_prompt_tokens"] == 120


def test_the_time_of_the_server_is_part_of_the_latency(shop: Path) -> None:
    def slow(number: int, prompt: str) -> Answer:
        answer = answers(number, prompt)

        def later(request: Any) -> None:
            time.sleep(0.2)
            answer(request)

        return later

    with chat_server(slow) as server:
        found = study("query=plain,several", "latency=reuse", server=server)

    plain, several = (report["summary"]["latency_p50_ms"] for report in found["reports"])
    assert several > 200 > plain
    assert len(server.bodies) == 3
