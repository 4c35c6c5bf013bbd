"""The answerer behind a chat server, against a real one that behaves and misbehaves."""

import socket
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from retrievers.answerers import ChatAnswerer, ChatServer, Reply
from retrievers.errors import AnswererError
from tests.integration.chat_server import (
    Answer,
    chat_server,
    completion,
    cut_off,
    cut_off_between_chunks,
    drips,
    says,
)

KEY = "sk-very-secret-0123456789"
GOOD = says(completion("It is so [#1]."))


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """The key is in the environment, where the settings look for it; no proxy is."""
    monkeypatch.setenv("RANKGRID_TEST_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "*")


def settings(url: str, **changes: object) -> ChatServer:
    """Return a server that is asked with little patience."""
    quick = ChatServer(
        url=url,
        model="m",
        key_variable="RANKGRID_TEST_KEY",
        timeout_seconds=5.0,
        attempts=3,
        longest_wait_seconds=0.01,
        parallel=2,
    )
    return replace(quick, **changes)  # type: ignore[arg-type]


def ask(server: ChatServer, *prompts: str) -> list[Reply]:
    """Return the replies in the order of the prompts."""
    found: dict[int, Reply] = {}
    ChatAnswerer(server).replies(prompts, found.__setitem__)
    return [found[number] for number in range(len(prompts))]


def test_a_reply_comes_with_its_tokens_and_its_time() -> None:
    """Asked at temperature 0, with the key in the header and nowhere else."""
    with chat_server(lambda number, prompt: says(completion(f"{prompt}!"))) as asked:
        replies = ask(settings(asked.url), "one", "two", "three")

    assert [one.text for one in replies] == ["one!", "two!", "three!"]
    assert {one.prompt_tokens for one in replies} == {120}
    assert {one.completion_tokens for one in replies} == {7}
    assert all(one.milliseconds > 0 and not one.cause and not one.refused for one in replies)
    assert {body["temperature"] for body in asked.bodies} == {0}
    assert {body["model"] for body in asked.bodies} == {"m"}
    assert {each["authorization"] for each in asked.headers} == {f"Bearer {KEY}"}
    assert KEY not in str(asked.bodies)


def test_the_sentence_that_refuses_is_a_refusal() -> None:
    """Only at the beginning: an answer may quote it."""
    refusal = ChatServer("http://localhost", "m").refusal

    def answer(_number: int, prompt: str) -> Answer:
        return says(completion(f"\n{refusal}" if prompt == "no" else f"Yes; not: {refusal}"))

    with chat_server(answer) as asked:
        replies = ask(settings(asked.url), "no", "yes")

    assert [one.refused for one in replies] == [True, False]


@pytest.mark.parametrize(
    ("first", "cause"),
    [
        (says({"error": {"message": "overloaded"}}, 500), "status 500 (overloaded)"),
        (says(b"<html>bad gateway</html>", 502), "status 502 (<html>bad gateway</html>)"),
        (says({"error": "slow down"}, 429, Retry_After="0"), "status 429 (slow down)"),
        (says(b"[[[["), "the answer is not JSON ([[[[)"),
        (says(b"[" * 100_000), "the answer is not JSON"),
        (says(b"\xff\xfe"), "the answer is not JSON"),
        (says({"choices": []}), "not a chat completion ({'choices': []})"),
        (says({"choices": [None]}), "not a chat completion"),
        (says([]), "not a chat completion"),
        (cut_off, "the connection failed"),
        (cut_off_between_chunks, "the connection failed"),
    ],
)
def test_what_may_pass_is_asked_again_and_else_is_the_cause(first: Answer, cause: str) -> None:
    """Three attempts; the question beside it has its answer."""

    def broken(number: int, prompt: str) -> Answer:
        return first if prompt == "bad" else GOOD

    with chat_server(broken) as asked:
        bad, good = ask(settings(asked.url), "bad", "good")
    with chat_server(lambda number, _: first if number < 3 else GOOD) as passing:
        (late,) = ask(settings(passing.url), "bad")

    assert cause in bad.cause
    assert bad.cause.endswith("(3 attempts)")
    assert bad.text == ""
    assert asked.prompts.count("bad") == 3
    assert (good.text, late.text) == ("It is so [#1].", "It is so [#1].")


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (
            says({"error": {"message": f"no such key: {KEY}"}}, 401),
            "status 401 (no such key: ***)",
        ),
        (says({"message": "no such model"}, 404), "status 404 (no such model)"),
        (says({"error": {"message": "context too long"}}, 400), "status 400 (context too long)"),
        (says(b"", 302, Location="http://127.0.0.1:9/"), "status 302"),
        (says(completion(None)), "no text in the answer"),
        (says(completion("  ")), "no text in the answer"),
        (says(completion("", reason="content_filter")), "content_filter"),
        (says(completion("It is", reason="length")), "answer_tokens=500; give more"),
        (says(b" " * 10_000_001), "over 10,000,000 bytes"),
    ],
)
def test_what_will_not_pass_is_asked_once(answer: Answer, cause: str) -> None:
    """And its cause holds no key, though the server repeats it."""
    with chat_server(lambda *_: answer) as asked:
        (reply,) = ask(settings(asked.url), "question")

    assert cause in reply.cause
    assert KEY not in reply.cause
    assert len(asked.bodies) == 1


def test_a_server_that_drips_runs_into_the_end_of_the_attempt() -> None:
    """Though no single read waits for long."""
    with chat_server(lambda *_: drips) as asked:
        (reply,) = ask(settings(asked.url, timeout_seconds=0.2, attempts=2), "question")

    assert reply.cause.endswith("/v1/chat/completions: no answer within 0.2 s (2 attempts)")
    assert len(asked.bodies) == 2


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_a_server_that_asks_for_an_hour_is_not_waited_for(form: str) -> None:
    """Nor asked before the hour is over."""
    date = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    wait = {"seconds": "3600", "date": date}[form]

    with chat_server(lambda *_: says({"error": "quota"}, 429, Retry_After=wait)) as asked:
        (reply,) = ask(settings(asked.url), "question")

    assert "status 429 (quota); asks to wait 3" in reply.cause
    assert len(asked.bodies) == 1


@pytest.mark.parametrize("wait", ["soon", "-1", "nan", "Wed, 99 Xyz 2026"])
def test_a_wait_that_cannot_be_read_is_none(wait: str) -> None:
    """The usual pause is made."""
    first = says({"error": "busy"}, 503, Retry_After=wait)

    with chat_server(lambda number, _: first if number == 1 else GOOD) as asked:
        (reply,) = ask(settings(asked.url), "question")

    assert reply.text == "It is so [#1]."
    assert len(asked.bodies) == 2


def test_a_server_that_is_down_is_soon_asked_once_a_question() -> None:
    """Five failures in a row say enough; every question has its cause."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    prompts = [f"question {number}" for number in range(12)]

    replies = ask(settings(f"http://127.0.0.1:{port}/v1", parallel=1), *prompts)

    assert all("the connection failed" in one.cause for one in replies)
    assert ["3 attempts" in one.cause for one in replies] == [True] * 5 + [False] * 7


def test_a_key_in_an_answer_is_not_kept() -> None:
    """A server that repeats what it was sent must not bring the key into results."""

    def tells(_number: int, _prompt: str) -> Answer:
        return says(completion(f"Your key is {KEY} [#1]"))

    with chat_server(tells) as asked:
        (reply,) = ask(settings(asked.url), "question")

    assert reply.text == "Your key is *** [#1]"


def test_half_a_character_does_no_harm() -> None:
    """Sources and servers may return text that is not valid."""
    with chat_server(
        lambda *_: says(rb'{"choices": [{"message": {"content": "\ud800!"}}]}')
    ) as asked:
        (reply,) = ask(settings(asked.url), "what is \udcff")

    assert reply.text == "?!"
    assert reply.prompt_tokens is None
    assert asked.prompts == ["what is ?"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"url": "ftp://host"}, "must be http://HOST… or https://HOST…"),
        ({"url": "https://me:word@host/v1"}, "must not hold a key"),
        ({"url": "https://host/v1?key=word"}, "holds a query"),
        ({"url": "http://example.org/v1"}, "use https://"),
        ({"url": "http://[::1"}, "is not an address"),
        ({"model": ""}, "model"),
        ({"prompt": "{question}"}, "has no {passages}"),
        ({"attempts": 0}, "attempts=0"),
        ({"timeout_seconds": float("inf")}, "timeout_seconds"),
        ({"refusal": " "}, "refusal"),
    ],
)
def test_settings_that_cannot_be_or_are_not_safe_are_refused(
    changes: dict[str, object], said: str
) -> None:
    """And a credential in a URL is not repeated."""
    with pytest.raises(AnswererError) as found:
        settings(**({"url": "https://host/v1"} | changes))  # type: ignore[arg-type]

    assert said in str(found.value)
    assert "word" not in str(found.value)


def test_a_key_that_is_not_there_is_named_by_its_variable() -> None:
    """Before anything is asked."""
    server = settings("https://host/v1", key_variable="RANKGRID_NO_SUCH_KEY")

    with pytest.raises(
        AnswererError, match="RANKGRID_NO_SUCH_KEY: the environment variable is not set"
    ):
        _ = server.key


def test_where_and_how_patiently_is_no_part_of_what_is_asked() -> None:
    """Equal settings are one trial; the model and the prompt are part of it."""
    here = settings("https://host/v1")

    assert here == replace(here, attempts=9, key_variable="", timeout_seconds=1.0, parallel=1)
    assert here != replace(here, model="n")
    assert here != replace(here, prompt=here.prompt + "Be brief.")
