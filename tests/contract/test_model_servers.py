"""Embedding and rerank servers: what is asked, what is made of it, and what is refused."""

import socket
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrievers.dense import EmbeddingServer, load_encoder
from retrievers.errors import ModelError, ServerError
from retrievers.rerankers import RerankServer, ServedScorer
from retrievers.servers import JsonClient, Server, check_url
from tests.contract.model_server import ModelServer, counts, serving


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """Serve models on a port of its own."""
    with serving() as running:
        yield running


def embedder(server: ModelServer, **changes: Any) -> EmbeddingServer:
    """Return the settings of its embeddings."""
    return EmbeddingServer("counting", url=f"{server.url}/v1/embeddings", **changes)


def unit(text: str, kept: int | None = None) -> Any:
    """Return a text's vector as it must come out."""
    vector = np.array(counts(text)[:kept])
    return vector / np.linalg.norm(vector)


def test_vectors_are_normalised_and_in_the_order_of_the_texts(server: ModelServer) -> None:
    """Texts of like length are asked together, and the server answers them backwards."""
    texts = ["store find find", "cart", "sum total price of the cart", "order"]
    encoder = load_encoder(embedder(server, batch_size=3))

    vectors = encoder.passages(texts)

    assert np.allclose(vectors, [unit(text) for text in texts], atol=1e-6)
    assert [len(body["input"]) for body in server.asked] == [3, 1]
    assert vectors.dtype == np.float32


def test_prompts_and_dimensions_are_as_asked(server: ModelServer) -> None:
    settings = embedder(server, query_prompt="find ", passage_prompt="store ", dimensions=5)
    encoder = load_encoder(settings)

    query, passage = encoder.queries(["cart"])[0], encoder.passages(["cart"])[0]

    assert np.allclose(query, unit("find cart", 5), atol=1e-6)
    assert np.allclose(passage, unit("store cart", 5), atol=1e-6)
    assert encoder.dimensions == 5


def test_vectors_keep_the_length_that_the_server_gives_them_if_they_are_to(
    server: ModelServer,
) -> None:
    encoder = load_encoder(embedder(server, normalise=False, dimensions=5))

    (vector,) = encoder.passages(["cart cart total"])

    assert vector.tolist() == [2, 1, 0, 0, 0]


def test_a_server_that_does_not_answer_in_time_is_asked_again_and_then_named() -> None:
    """It takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1/embeddings"
        settings = EmbeddingServer("silent", url=url, timeout_seconds=0.2, tries=2)

        with pytest.raises(ModelError, match=r"/v1/embeddings: no answer within 0\.2 s"):
            load_encoder(settings).queries(["cart"])

        silent.settimeout(0)
        taken = [silent.accept()[0] for _ in range(2)]
        for connection in taken:
            connection.close()
        with pytest.raises(BlockingIOError):
            silent.accept()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"data": []}, "no vector for each of 1"),
        ({"data": [{"index": 0, "embedding": []}]}, "not rows of finite numbers"),
        ({"data": [{"index": 0, "embedding": [1, None]}]}, "finite"),
        ({"data": [{"index": 0, "embedding": [0.0, 0.0]}]}, "zeros"),
        ({"error": "no such model"}, "no vector for each"),
        (["what"], "no vector for each"),
    ],
)
def test_an_answer_without_usable_vectors_is_an_error(
    server: ModelServer, answer: Any, said: str
) -> None:
    server.script = [(200, {}, answer)]

    with pytest.raises(ModelError, match=said):
        load_encoder(embedder(server)).queries(["cart"])


def test_fewer_dimensions_than_wanted_are_an_error(server: ModelServer) -> None:
    with pytest.raises(ModelError, match="returns 9 only"):
        load_encoder(embedder(server, dimensions=10)).queries(["cart"])


def test_a_key_is_sent_and_is_in_no_message(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server repeats the key in its complaint."""
    monkeypatch.setenv("MODEL_KEY", "sesame-open")
    settings = embedder(server, key_variable="MODEL_KEY")
    server.script = [(401, {}, "the key sesame-open is not known")]

    with pytest.raises(ModelError, match="status 401") as caught:
        load_encoder(settings).queries(["cart"])

    assert server.keys == ["Bearer sesame-open"]
    assert "sesame" not in str(caught.value)
    assert "sesame" not in repr(settings) + settings.identity


def test_a_key_that_is_not_there_is_said_before_anything_is_asked(server: ModelServer) -> None:
    with pytest.raises(ModelError, match="key_variable=NO_SUCH_KEY"):
        _ = embedder(server, key_variable="NO_SUCH_KEY").identity


def test_an_overloaded_server_is_asked_again_after_as_long_as_it_wants(
    server: ModelServer,
) -> None:
    """Without a wish of its own the pauses double."""
    pauses: list[float] = []
    server.script = [(429, {"Retry-After": "7"}, ""), (503, {}, ""), (502, {}, "")]
    client = JsonClient(Server(tries=4), sleep=pauses.append)

    answer = client.post(f"{server.url}/v1/embeddings", {"input": []})
    client.close()

    assert answer == {"data": []}
    assert pauses == [7.0, 0.5, 1.0]


def test_a_server_that_stays_overloaded_is_given_up(server: ModelServer) -> None:
    server.script = [(429, {}, "busy")] * 3
    client = JsonClient(Server(tries=2), sleep=lambda _: None)

    with pytest.raises(ServerError, match="status 429"):
        client.post(server.url, {})
    client.close()

    assert len(server.asked) == 2


def test_a_refusal_is_not_tried_again_nor_one_that_wants_too_long_a_pause(
    server: ModelServer,
) -> None:
    client = JsonClient(Server(tries=5), sleep=lambda _: None)
    server.script = [(400, {}, "wrong"), (429, {"Retry-After": "3600"}, "tomorrow")]

    for said in ("status 400", "status 429"):
        with pytest.raises(ServerError, match=said):
            client.post(server.url, {})
    client.close()

    assert len(server.asked) == 2


def test_requests_keep_their_distance() -> None:
    """Four a second: after the first, each waits for its turn."""
    pauses: list[float] = []
    client = JsonClient(Server(tries=1, requests_per_second=4), sleep=pauses.append)

    for _ in range(3):
        with pytest.raises(ServerError):
            client.post("http://127.0.0.1:9/", {})
    client.close()

    assert len(pauses) == 2
    assert 0 < pauses[0] <= 0.25 < pauses[1] <= 0.5


@pytest.mark.parametrize(
    "url", ["ftp://host/x", "host/path", "http://", "http://me:secret@host/", "http://[::1"]
)
def test_an_address_that_cannot_be_asked_is_refused(url: str) -> None:
    with pytest.raises(ServerError) as caught:
        check_url("url", url)

    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(("shape", "path"), [("cohere", "v1/rerank"), ("tei", "rerank")])
def test_scores_are_in_the_order_of_the_texts(server: ModelServer, shape: Any, path: str) -> None:
    """Servers answer the best first; texts go in batches."""
    settings = RerankServer(f"{server.url}/{path}", shape=shape, batch_size=2)
    texts = ["nothing", "find an order", "an order", "the cart", "find that order"]

    scores = ServedScorer(settings).scores("find an order", texts)

    assert scores.tolist() == [0.0, 3.0, 2.0, 0.0, 2.0]
    assert len(server.asked) == 3


def test_a_text_without_a_score_is_an_error(server: ModelServer) -> None:
    server.script = [(200, {}, {"results": [{"index": 1, "relevance_score": 1.0}]})]
    settings = RerankServer(f"{server.url}/v1/rerank")

    with pytest.raises(ModelError, match="for each of 2 texts"):
        ServedScorer(settings).scores("cart", ["one", "two"])
