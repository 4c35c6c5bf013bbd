"""A server that answers without end is given up when the time is over, whoever asks it."""

from collections.abc import Iterator

import pytest

from bench.corpora.download import get_page, open_client
from bench.errors import UnreachableError
from retrievers.answerers import ChatServer
from retrievers.answerers.chat import ChatAnswerer
from retrievers.answerers.reply import Reply
from retrievers.dense.served import EmbeddingServer, ServedEncoder
from retrievers.errors import ExternalError, ModelError
from retrievers.external import HttpEngine, McpEngine, laid_out, open_engine
from retrievers.interface import Documents
from retrievers.rerankers.served import RerankServer, ServedScorer
from retrievers.servers import JsonClient, Server, ServerTimeoutError
from tests.slow_server import SLOWNESS, slow_mcp_server, slow_server

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


@pytest.mark.parametrize("slowness", ["headers", "interim responses", "body", "compressed body"])
def test_a_download_ends_within_its_limit(slowness: str) -> None:
    with (
        slow_server(slowness) as address,
        pytest.raises(UnreachableError, match=r"the download took more than 0\.5 s \(http://127"),
        open_client(seconds=0.5) as client,
    ):
        get_page(client, f"{address}/package.tgz")


def test_a_page_of_an_index_ends_within_the_limit_of_the_download() -> None:
    with (
        slow_server("headers") as address,
        pytest.raises(UnreachableError, match=r"the download took more than 0\.5 s"),
        open_client(seconds=0.5) as client,
    ):
        client.get(f"{address}/simple/package/")


def outcome_of_mcp(url: str) -> str:
    """Return why a tool could not be asked, or nothing."""
    engine = McpEngine("find", url=url, timeout_seconds=1, index_timeout_seconds=60)
    try:
        with (
            laid_out(Documents.of([("a.py", "a = 1\n")])) as scratch,
            open_engine(engine, scratch, "shop") as opened,
        ):
            (asked,) = opened.ask(["a"])
    except ExternalError as error:
        return str(error)
    return asked.error


@pytest.mark.parametrize("method", ["notifications/initialized", "tools/call"])
def test_a_tool_of_an_mcp_server_ends_within_its_limit(method: str) -> None:
    with slow_mcp_server(method) as url:
        assert outcome_of_mcp(url) == "tool find: no answer within 1 s"


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_what_only_concerns_the_connection_does_not_hold_up_an_mcp_tool(method: str) -> None:
    with slow_mcp_server(method) as url:
        assert outcome_of_mcp(url) == ""


def test_an_mcp_server_that_never_connects_is_given_up() -> None:
    with slow_mcp_server("initialize") as url:
        assert outcome_of_mcp(url) == f"index: {url}: no MCP connection (no answer within 1 s)"


def test_an_mcp_server_that_never_answers_is_given_up() -> None:
    with slow_server("headers") as url:
        assert outcome_of_mcp(url) == f"index: {url}: no MCP connection (no answer within 1 s)"
