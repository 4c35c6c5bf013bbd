"""A plain BERT without sentence-transformers: bit for bit what sentence-transformers makes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from retrievers.dense import EmbeddingModel, Encoder
from retrievers.dense.networks import Network, TransformerNetwork, _any_transformer, load_network
from retrievers.dense.reader import Reader
from retrievers.dense.settings import Dtype, Pooling
from retrievers.dense.torch_bert import Bert
from retrievers.errors import ModelError
from retrievers.interface import Floats
from tests.contract.small_bert import small_bert

TEXTS = [
    "",
    "x",
    "日本語 naïve [SEP] [MASK] lone \ud800 surrogate",
    *("def add(a, b): return a + b\n" * times for times in (1, 2, 9, 40)),
    # Of these, 30, 62 and 254 words fill a batch of their own, which is computed without a mask.
    *("cart " * words for words in (29, 30, 31, 62, 126, 254, 255, 300)),
]
POOLINGS: list[Pooling] = ["model", "mean", "cls", "last", "max"]


@pytest.fixture(params=["float32", "bfloat16"])
def dtype(request: pytest.FixtureRequest) -> Dtype:
    """Return what is computed in."""
    return cast("Dtype", request.param)


def network(model: str, dtype: Dtype) -> Network:
    """Return the model as it is loaded for use, past the cache of the product."""
    return load_network.__wrapped__(model, "", dtype, "torch", trusted=False)


def everything(network: Network, settings: EmbeddingModel) -> list[Floats]:
    """Return vectors of texts alone and together, and of their tokens."""
    encoder = Encoder(network, settings, Reader(network.tokenizer, settings, longest=128))
    longest = EmbeddingModel(
        model=settings.model, dtype=settings.dtype, pooling=settings.pooling, normalise=False
    )
    whole = Encoder(network, longest, Reader(network.tokenizer, longest, longest=network.longest))
    tokens = [*whole.passage_tokens(TEXTS), *map(whole.query_tokens, TEXTS)]
    return [encoder.passages(TEXTS), whole.passages(TEXTS), whole.queries(TEXTS), *tokens]


def check_equal(model: str, dtype: Dtype, pooling: Pooling = "model") -> None:
    """Compare a model with what sentence-transformers makes of it."""
    settings = EmbeddingModel(model=model, dtype=dtype, pooling=pooling)
    ours, theirs = network(model, dtype), _any_transformer(settings.weights, dtype, trusted=False)
    assert isinstance(ours, TransformerNetwork)
    assert isinstance(ours.transformer, Bert)
    assert not isinstance(theirs.transformer, Bert)
    assert (ours.longest, ours.padding) == (theirs.longest, theirs.padding)

    pairs = zip(everything(ours, settings), everything(theirs, settings), strict=True)

    for found, expected in pairs:
        np.testing.assert_array_equal(found.view(np.uint32), expected.view(np.uint32))


def test_minilm_is_the_same_to_the_last_bit(dtype: Dtype) -> None:
    check_equal("all-MiniLM-L6-v2", dtype)


@pytest.mark.parametrize("pooling", POOLINGS)
def test_a_transformer_without_a_list_of_modules_is_the_same(
    tmp_path: Path, dtype: Dtype, pooling: Pooling
) -> None:
    check_equal(str(small_bert(tmp_path)), dtype, pooling)


@pytest.mark.parametrize(
    ("mode", "normalises"), [("cls", True), ("lasttoken", False), ("max", True), ("mean", False)]
)
def test_a_saved_model_is_the_same(
    tmp_path: Path, dtype: Dtype, mode: str, normalises: bool
) -> None:
    check_equal(saved(tmp_path, mode, normalises=normalises), dtype)


def test_other_sizes_and_weights_in_bfloat16_are_the_same(tmp_path: Path, dtype: Dtype) -> None:
    """The sizes of BGE and E5, in one layer."""
    import torch
    from transformers import BertConfig, BertModel

    small_bert(tmp_path)
    torch.manual_seed(1)
    config = BertConfig(num_hidden_layers=1)
    model: Any = BertModel(config)
    model.to(torch.bfloat16).save_pretrained(tmp_path)

    check_equal(str(tmp_path), dtype)


def test_text_is_read_as_transformers_reads_it(tmp_path: Path) -> None:
    """It believes `tokenizer_config.json`, whatever `tokenizer.json` says."""
    folder = small_bert(tmp_path)
    changed(folder, "tokenizer_config.json", do_lower_case=False)

    found = network(str(folder), "float32")

    assert isinstance(found, TransformerNetwork)
    assert not isinstance(found.transformer, Bert)
    assert found.tokenizer.encode("Cart").ids != found.tokenizer.encode("cart").ids


@pytest.mark.parametrize("bytes_left", [4, 1000, -1])
def test_weights_that_are_cut_off_are_refused(tmp_path: Path, bytes_left: int) -> None:
    folder = small_bert(tmp_path)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:bytes_left])

    with pytest.raises(ModelError, match=r"model=.*: it has no safetensors|it does not load"):
        network(str(folder), "float32")


def test_weights_of_other_names_or_shapes_are_left_to_sentence_transformers(
    tmp_path: Path,
) -> None:
    folder = small_bert(tmp_path)
    changed(folder, "config.json", vocab_size=100)

    with pytest.raises(ModelError, match="it does not load"):
        network(str(folder), "float32")


@pytest.mark.parametrize(("dtype", "layers"), [("float32", "True"), ("bfloat16", "False")])
def test_one_query_loads_no_large_library_and_maps_the_weights(dtype: str, layers: str) -> None:
    """Processes share what is mapped and not written to; layers in bfloat16 are a copy."""
    program = f"""
import sys
from pathlib import Path
from retrievers.dense import EmbeddingModel, load_encoder
encoder = load_encoder(EmbeddingModel(dtype={dtype!r}))
encoder.queries(["a"])
names = "sentence_transformers", "transformers", "sklearn", "pandas", "scipy"
print([name for name in names if name in sys.modules])
parts = Path("/proc/self/smaps").read_text().split("VmFlags")
(mapped,) = [part.splitlines() for part in parts if "/model.safetensors" in part]
(place,) = [line.split()[0] for line in mapped if "/model.safetensors" in line]
start, stop = (int(end, 16) for end in place.split("-"))
bert = encoder._network.transformer
print([start <= one.data_ptr() < stop for one in (bert._words, bert._layers[0].wide[0])])
print([line.split() for line in mapped if line.startswith("Private_Dirty")])
"""

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    modules, tensors, written = done.stdout.splitlines()

    assert modules == "[]"
    assert tensors == f"[True, {layers}]"
    assert written == "[['Private_Dirty:', '0', 'kB']]"


def saved(folder: Path, mode: str, *, normalises: bool) -> str:
    """Return a model that sentence-transformers has saved."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Transformer
    from sentence_transformers.sentence_transformer.modules import Pooling as Pool

    modules = [Transformer(str(small_bert(folder / "bert"))), Pool(32, pooling_mode=mode)]
    modules += [Normalize()] if normalises else []
    SentenceTransformer(modules=modules, device="cpu").save(str(folder / "saved"))
    return str(folder / "saved")


def changed(folder: Path, file: str, **fields: object) -> None:
    """Give fields of a file of a model other values."""
    content = json.loads((folder / file).read_text("utf-8"))
    (folder / file).write_text(json.dumps({**content, **fields}), encoding="utf-8")
