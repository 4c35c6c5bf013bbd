"""A server that answers without end is given up when the time is over, whoever asks it."""

from collections.abc import Iterator

import pytest

from retrievers.answerers import ChatServer
from retrievers.answerers.chat import ChatAnswerer
from retrievers.answerers.reply import Reply
from retrievers.dense.served import EmbeddingServer, ServedEncoder
from retrievers.dense.weights import ModelError
from retrievers.external import HttpEngine, laid_out, open_engine
from retrievers.interface import Documents
from retrievers.rerankers.served import RerankServer, ServedScorer
from retrievers.servers import JsonClient, Server, ServerTimeoutError
from tests.slow_server import SLOWNESS, slow_server

pytestmark = pytest.mark.timeout(60)


@pytest.fixture(params=SLOWNESS)
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """Serve in each of the slow ways."""
    with slow_server(str(request.param)) as address:
        yield address


def test_a_request_ends_within_its_limit(address: str) -> None:
    client = JsonClient(Server(timeout_seconds=0.5, tries=2), sleep=lambda _: None)

    with pytest.raises(ServerTimeoutError, match=r"no answer within 0\.5 s \(2 attempts\)"):
        client.post(address, {"query": "x"})

    client.close()


def test_an_engine_behind_http_ends_within_its_limit(address: str) -> None:
    engine = HttpEngine(f"{address}/search", timeout_seconds=0.5)

    with (
        laid_out(Documents.of([("a.py", "a = 1\n")])) as scratch,
        open_engine(engine, scratch, "shop") as opened,
    ):
        (asked,) = opened.ask(["a"])

    assert asked.error == f"{address}/search: no answer within 0.5 s"


def test_a_chat_server_ends_within_its_limit(address: str) -> None:
    replies: dict[int, Reply] = {}
    settings = ChatServer(address, "model", timeout_seconds=0.5, attempts=1)

    ChatAnswerer(settings).replies(["What is it?"], replies.__setitem__)

    assert replies[0].cause == f"{address}/chat/completions: no answer within 0.5 s"


def test_a_server_of_vectors_ends_within_its_limit() -> None:
    with slow_server("headers") as address:
        settings = EmbeddingServer("model", url=address, timeout_seconds=0.5, tries=1)

        with pytest.raises(ModelError, match=r"no answer within 0\.5 s"):
            ServedEncoder(settings).queries(["a"])


def test_a_server_of_rerank_scores_ends_within_its_limit() -> None:
    with slow_server("headers") as address:
        settings = RerankServer(address, timeout_seconds=0.5, tries=1)

        with pytest.raises(ModelError, match=r"no answer within 0\.5 s"):
            ServedScorer(settings).scores("a", ["b"])
