"""The real packaged model, and small models made on the spot: vectors, windows, pair scores."""

import argparse
import inspect
import json
import random
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from retrievers.dense import (
    EmbeddingModel,
    Encoder,
    cut_chunk_windows,
    cut_windows,
    load_encoder,
    window_texts,
)
from retrievers.dense.networks import TransformerNetwork
from retrievers.dense.settings import Dtype, Pooling
from retrievers.dense.torch_bert import Bert
from retrievers.errors import ModelError
from retrievers.interface import Chunks, Documents, Floats
from retrievers.rerankers import (
    ComputedPassages,
    CrossEncoder,
    CrossEncoderScorer,
    LateInteractionScorer,
)
from tests.contract.small_bert import small_bert

SHORT = ["", "x", "def add(a, b):", "日本語 naïve", "[SEP] [MASK]", "lone \ud800 surrogate"]


def _functions() -> list[str]:
    """Return the sources of some real functions, short and long."""
    modules = (argparse, inspect, textwrap, json, random)
    functions = [
        value
        for module in modules
        for owner in (module, *vars(module).values())
        if owner is module or inspect.isclass(owner)
        for value in vars(owner).values()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    ]
    return list(dict.fromkeys(inspect.getsource(function) for function in functions))


FUNCTIONS = _functions()[:120]
TEXTS = [*FUNCTIONS[:44], *SHORT]


@pytest.fixture(scope="module", params=["float32", "bfloat16"])
def dtype(request: pytest.FixtureRequest) -> Dtype:
    """Return what is computed in."""
    return cast("Dtype", request.param)


@pytest.fixture(scope="module", params=["torch", "openvino"])
def encoder(request: pytest.FixtureRequest, dtype: Dtype) -> Encoder:
    """Return the packaged model in a dtype."""
    return load_encoder(EmbeddingModel(dtype=dtype, runtime=request.param))


@pytest.fixture(scope="module")
def together(encoder: Encoder) -> Floats:
    """Return the vectors of all texts, embedded in one call."""
    return encoder.passages(TEXTS)


@pytest.fixture(scope="module")
def plain() -> Any:
    """Return the packaged model as sentence-transformers loads it."""
    from sentence_transformers import SentenceTransformer

    source = EmbeddingModel().weights.source
    return SentenceTransformer(source, device="cpu", local_files_only=True)


def _cosines(first: Floats, second: Floats) -> Floats:
    norms = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    return np.asarray((first * second).sum(axis=1) / norms)


def _nearest(vectors: Floats) -> list[set[int]]:
    scores = vectors @ vectors.T
    np.fill_diagonal(scores, -np.inf)
    return [set(row) for row in np.argsort(-scores, axis=1)[:, :10].tolist()]


def test_a_vector_is_bitwise_the_same_alone_in_any_batch_and_in_any_order(
    encoder: Encoder, together: Floats
) -> None:
    order = np.random.default_rng(0).permutation(len(TEXTS))

    shuffled = encoder.passages([TEXTS[place] for place in order])
    some = encoder.passages(TEXTS[10:13])

    np.testing.assert_array_equal(shuffled, together[order])
    np.testing.assert_array_equal(some, together[10:13])
    for place in (0, 20, *range(40, len(TEXTS))):
        np.testing.assert_array_equal(encoder.passages([TEXTS[place]])[0], together[place])


def test_work_resumed_in_the_middle_gives_bitwise_the_same_vectors(
    encoder: Encoder, together: Floats
) -> None:
    done, _ = next(iter(encoder.passages_in_batches(TEXTS[:20])))
    left = [place for place in range(len(TEXTS)) if place not in set(done.tolist())]
    resumed = encoder.passages([TEXTS[place] for place in left])

    np.testing.assert_array_equal(resumed, together[left])


def test_a_query_is_bitwise_the_same_alone_and_among_others(encoder: Encoder) -> None:
    among_others = encoder.queries(TEXTS[-12:])

    for place, text in enumerate(TEXTS[-12:]):
        np.testing.assert_array_equal(encoder.queries([text])[0], among_others[place])


def test_token_vectors_are_normalised_and_do_not_depend_on_their_batch(encoder: Encoder) -> None:
    texts = TEXTS[-12:]

    among_others = encoder.passage_tokens(texts)

    for place, text in enumerate(texts):
        (alone,) = encoder.passage_tokens([text])
        np.testing.assert_array_equal(alone, among_others[place])
        norms = np.linalg.norm(alone, axis=1)
        np.testing.assert_allclose(norms, 1, atol=1e-4)
        assert len(alone) == min(encoder.reader.length(text), encoder.window) - 2


def test_every_batch_is_told_once_and_is_of_a_size_worth_saving(encoder: Encoder) -> None:
    texts = [f"text number {number}" for number in range(700)]

    batches = [places for places, _ in encoder.passages_in_batches(texts)]

    assert sorted(np.concatenate(batches).tolist()) == list(range(700))
    assert all(256 <= len(places) <= 300 for places in batches[:-1])


def test_nothing_to_embed_gives_no_vectors(encoder: Encoder) -> None:
    assert encoder.passages([]).shape == (0, 384)
    assert encoder.queries([]).shape == (0, 384)
    assert encoder.dimensions == 384


def test_vectors_are_those_of_sentence_transformers(
    encoder: Encoder, together: Floats, plain: Any
) -> None:
    reference = plain.encode(TEXTS[:-1], batch_size=16)  # it does not take a lone surrogate

    queries = encoder.queries(TEXTS[40:-1])

    least = 0.9999 if encoder.settings.dtype == "float32" else 0.999
    assert _cosines(together[:-1], reference).min() > least
    assert _cosines(queries, reference[40:]).min() > least


def test_bfloat16_finds_what_float32_finds(plain: Any) -> None:
    encoder = load_encoder(EmbeddingModel(dtype="bfloat16"))

    found, known = encoder.passages(FUNCTIONS), plain.encode(FUNCTIONS)

    pairs = zip(_nearest(found), _nearest(known), strict=True)
    assert np.mean([len(first & second) / 10 for first, second in pairs]) >= 0.98


def test_prompts_are_set_before_queries_and_passages(plain: Any) -> None:
    encoder = load_encoder(
        EmbeddingModel(dtype="float32", query_prompt="query: ", passage_prompt="passage: ")
    )

    asked, found = encoder.queries(["how to add"]), encoder.passages(["def add"])

    reference = plain.encode(["query: how to add", "passage: def add"])
    assert _cosines(np.concatenate([asked, found]), reference).min() > 0.9999


def test_kept_dimensions_are_the_first_and_normalised_again() -> None:
    whole = load_encoder(EmbeddingModel(dtype="float32")).passages(TEXTS[:5])[:, :64]

    kept = load_encoder(EmbeddingModel(dtype="float32", dimensions=64)).passages(TEXTS[:5])

    expected = whole / np.linalg.norm(whole, axis=1, keepdims=True)
    np.testing.assert_allclose(kept, expected, atol=1e-6)


def test_a_smaller_window_sees_less() -> None:
    encoder = load_encoder(EmbeddingModel(dtype="float32", window=32))
    text = "alpha beta gamma " * 50

    assert encoder.window == 32
    assert len(encoder.passage_tokens([text])[0]) == 30
    with pytest.raises(ModelError, match="window=300: all-MiniLM-L6-v2 reads at most 256 tokens"):
        load_encoder(EmbeddingModel(window=300))


def test_windows_of_real_sources_cover_every_byte_and_are_seen_whole(encoder: Encoder) -> None:
    folder = Path(inspect.__file__).parent
    names = ("argparse.py", "textwrap.py", "token.py", "html/entities.py")
    documents = Documents.of([(name, (folder / name).read_text("utf-8")) for name in names])

    windows = cut_windows(documents, encoder)

    for document in range(len(documents)):
        own = windows.document == document
        starts, ends = windows.start_byte[own], windows.end_byte[own]
        assert starts[0] == 0
        assert ends[-1] == documents.size(document)
        np.testing.assert_array_equal(starts[1:], ends[:-1])
    texts = window_texts(documents, windows)
    assert windows.length.tolist() == [encoder.reader.length(text) for text in texts]
    assert windows.length.max() <= 256
    assert windows.truncated.sum() == 0
    assert texts[0].startswith("argparse.py\n# Author")


def test_a_truncated_chunk_says_how_many_tokens_the_model_does_not_see(encoder: Encoder) -> None:
    text = "alpha beta gamma\n" * 200
    documents = Documents.of([("id", text)])
    whole, none = np.array([len(text)], np.int32), np.zeros(1, np.int32)
    chunks = Chunks(none, none, whole, none + 1, none + 200, none, whole)

    windows = cut_chunk_windows(documents, chunks, encoder, beginning=True)

    assert windows.length.tolist() == [256]
    assert windows.truncated.tolist() == [600 - 254]


def test_encoders_of_one_model_share_it_in_memory() -> None:
    first = load_encoder(EmbeddingModel(dtype="float32"))
    second = load_encoder(EmbeddingModel(dtype="float32", window=64, path_header=False))

    assert first._network is second._network


def test_a_reader_is_made_once_for_equal_settings() -> None:
    """The vocabulary of a static model takes a second to copy."""
    first, second = (load_encoder(EmbeddingModel(window=64)) for _ in range(2))
    other = load_encoder(EmbeddingModel(window=32))

    assert first.reader is second.reader
    assert other.window == 32


def late_scorer(encoder: Encoder) -> LateInteractionScorer:
    return LateInteractionScorer(encoder, ComputedPassages(encoder))


def test_one_pass_makes_the_same_vectors_as_two(encoder: Encoder, together: Floats) -> None:
    """The vectors of texts and of their tokens, bit for bit."""
    tokens: dict[str, Floats] = {}
    vectors = np.empty_like(together)

    for places, found in encoder.passages_with_tokens(TEXTS, tokens.__setitem__):
        vectors[places] = found

    np.testing.assert_array_equal(vectors, together)
    for text, alone in zip(TEXTS, encoder.passage_tokens(TEXTS), strict=True):
        np.testing.assert_array_equal(tokens[text], alone)


def test_a_query_and_its_tokens_take_one_pass(dtype: Dtype) -> None:
    """Asked again, it is embedded again."""
    passes: list[object] = []
    encoder = load_encoder(EmbeddingModel(dtype=dtype))
    network = encoder._network
    assert isinstance(network, TransformerNetwork)
    assert isinstance(network.transformer, Bert)
    hook = network.transformer.register_forward_pre_hook(lambda *_: passes.append(None))
    try:
        vector = encoder.queries(["where is it"])[0]
        query = encoder.query("where is it")
        assert len(passes) == 1
        again = encoder.query("where is it")
        assert len(passes) == 2
    finally:
        hook.remove()

    np.testing.assert_array_equal(query.vector, vector)
    np.testing.assert_array_equal(again.vector, vector)
    np.testing.assert_array_equal(query.tokens, encoder.query_tokens("where is it"))


def test_late_interaction_does_not_depend_on_what_else_is_scored(encoder: Encoder) -> None:
    query, texts = "parse command line arguments", [*TEXTS[:9], *SHORT]
    together = late_scorer(encoder).scores(query, texts)

    scorer = late_scorer(encoder)
    scorer.scores("another query", texts[5:9])
    pieces = [scorer.scores(query, texts[start : start + 3]) for start in range(0, len(texts), 3)]

    np.testing.assert_array_equal(np.concatenate(pieces), together)


def test_late_interaction_prefers_the_text_that_says_what_is_asked(encoder: Encoder) -> None:
    texts = ["def area(circle): return pi * r ** 2", "def parse_arguments(line): ...", "import os"]

    scores = late_scorer(encoder).scores("parse the arguments", texts)

    assert int(scores.argmax()) == 1


def test_pooling_and_later_modules_of_another_model_are_its_own(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Dense, Pooling, Transformer

    bert = Transformer(str(small_bert(tmp_path / "bert")))
    modules = [bert, Pooling(32, pooling_mode="cls"), Dense(32, 8)]
    SentenceTransformer(modules=modules, device="cpu").save_pretrained(str(tmp_path / "model"))
    known = SentenceTransformer(str(tmp_path / "model"), device="cpu", local_files_only=True)

    encoder = load_encoder(EmbeddingModel(model=str(tmp_path / "model"), dtype="float32"))
    vectors = encoder.passages(TEXTS[:20])

    assert encoder.window == 128
    assert vectors.shape == (20, 8)
    assert _cosines(vectors, known.encode(TEXTS[:20])).min() > 0.99999


@pytest.mark.parametrize(
    ("pooling", "known_as"),
    [("mean", "mean"), ("cls", "cls"), ("last", "lasttoken"), ("max", "max")],
)
def test_another_pooling_is_that_of_sentence_transformers(
    tmp_path: Path, pooling: Pooling, known_as: Any
) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling as Pool
    from sentence_transformers.sentence_transformer.modules import Transformer

    folder = str(small_bert(tmp_path))
    modules = [Transformer(folder), Pool(32, pooling_mode=known_as)]
    known = SentenceTransformer(modules=modules, device="cpu").encode(TEXTS[:12])

    settings = EmbeddingModel(model=folder, dtype="float32", pooling=pooling, normalise=False)
    vectors = load_encoder(settings).passages(TEXTS[:12])

    np.testing.assert_allclose(vectors, known, atol=1e-4)
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).min() > 0.01


def _pairs() -> tuple[str, Sequence[str]]:
    return "parse command line arguments", [*TEXTS[:30], *SHORT[:4]]


def test_a_cross_encoder_scores_as_sentence_transformers_does(tmp_path: Path) -> None:
    from sentence_transformers import CrossEncoder as Plain

    folder = str(small_bert(tmp_path, labels=1))
    query, texts = _pairs()

    scorer = CrossEncoderScorer(CrossEncoder(model=folder, dtype="float32"))
    scores = scorer.scores(query, texts)

    known = Plain(folder, device="cpu", local_files_only=True)
    reference = known.predict([(query, text) for text in texts])
    np.testing.assert_allclose(scores, reference, atol=1e-5)
    assert np.ptp(scores) > 0.01


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_pair_score_is_bitwise_the_same_alone_and_in_any_order(
    tmp_path: Path, dtype: str
) -> None:
    folder = str(small_bert(tmp_path, labels=1))
    scorer = CrossEncoderScorer(CrossEncoder(model=folder, dtype=dtype))  # type: ignore[arg-type]
    query, texts = _pairs()

    together = scorer.scores(query, texts)
    backwards = scorer.scores(query, texts[::-1])
    alone = [scorer.scores(query, [text])[0] for text in texts]

    np.testing.assert_array_equal(backwards[::-1], together)
    np.testing.assert_array_equal(np.array(alone), together)


def test_a_cross_encoder_counts_what_it_does_not_see(tmp_path: Path) -> None:
    folder = str(small_bert(tmp_path, labels=1))
    scorer = CrossEncoderScorer(CrossEncoder(model=folder, dtype="float32", max_length=64))

    (seen,) = scorer.scores("alpha beta", ["gamma " * 59])
    assert scorer.cut_tokens == 0

    (longer,) = scorer.scores("alpha beta", ["gamma " * 59 + "delta " * 100])
    assert scorer.cut_tokens == 100
    assert longer == seen


def test_a_model_that_gives_several_scores_a_pair_is_refused(tmp_path: Path) -> None:
    folder = str(small_bert(tmp_path, labels=3))

    with pytest.raises(ModelError, match="it does not give one score a pair"):
        CrossEncoderScorer(CrossEncoder(model=folder))


def test_a_model_kept_as_a_pickle_is_refused(tmp_path: Path) -> None:
    import torch

    folder = small_bert(tmp_path, labels=1)
    weights = folder / "model.safetensors"
    torch.save({}, folder / "pytorch_model.bin")
    weights.unlink()

    with pytest.raises(ModelError, match=r"pytorch_model\.bin is a pickle"):
        CrossEncoderScorer(CrossEncoder(model=str(folder)))
    with pytest.raises(ModelError, match=r"pytorch_model\.bin is a pickle"):
        load_encoder(EmbeddingModel(model=str(folder)))


def test_a_model_without_weights_says_that_it_does_not_load(tmp_path: Path) -> None:
    folder = small_bert(tmp_path)
    (folder / "model.safetensors").unlink()

    with pytest.raises(ModelError, match="safetensors"):
        load_encoder(EmbeddingModel(model=str(folder)))


def test_a_model_with_code_of_its_own_says_so_and_runs_none_of_it(tmp_path: Path) -> None:
    folder = small_bert(tmp_path / "model")
    config = json.loads((folder / "config.json").read_text())
    config["model_type"] = "made-up"
    config["auto_map"] = {"AutoConfig": "made_up.Config", "AutoModel": "made_up.Model"}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "made_up.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")

    with pytest.raises(ModelError, match="it brings code of its own"):
        load_encoder(EmbeddingModel(model=str(folder)))

    assert not (tmp_path / "ran").exists()
