"""`embedder.runtime=openvino`: BERT without torch, beside the same model in torch."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from retrievers.dense import EmbeddingModel, load_encoder
from retrievers.dense.settings import Pooling
from retrievers.errors import ModelError
from retrievers.interface import Floats
from tests.contract.small_bert import small_bert

TEXTS = ["", "def add(a, b):", "a text about carts and prices " * 30, "日本語 naïve"]


def vectors(folder: Path, runtime: str, pooling: Pooling) -> Floats:
    """Return the vectors of the texts, as long as the model makes them."""
    return load_encoder(
        EmbeddingModel(
            model=str(folder),
            dtype="float32",
            pooling=pooling,
            normalise=False,
            runtime="openvino" if runtime == "openvino" else "torch",
        )
    ).passages(TEXTS)


@pytest.mark.parametrize("pooling", ["model", "mean", "cls", "last", "max"])
def test_a_folder_gives_the_vectors_that_torch_gives(tmp_path: Path, pooling: Pooling) -> None:
    folder = small_bert(tmp_path)

    found, expected = (vectors(folder, name, pooling) for name in ("openvino", "torch"))

    np.testing.assert_allclose(found, expected, atol=2e-5)


@pytest.mark.parametrize(("dtype", "farthest"), [("float32", 1e-6), ("bfloat16", 1e-4)])
def test_minilm_gives_the_vectors_that_torch_gives_in_float32(dtype: str, farthest: float) -> None:
    expected = load_encoder(EmbeddingModel(dtype="float32")).passages(TEXTS)
    settings = EmbeddingModel(
        dtype="float32" if dtype == "float32" else "bfloat16", runtime="openvino"
    )

    found = load_encoder(settings).passages(TEXTS)

    assert (1 - (found * expected).sum(axis=1)).max() < farthest


def test_neither_torch_nor_a_report_to_the_makers_of_openvino_is_started(tmp_path: Path) -> None:
    """Their package writes an id to the home folder and sends an event when it is imported."""
    program = (
        "import sys\n"
        "from retrievers.dense import EmbeddingModel, load_encoder\n"
        "load_encoder(EmbeddingModel(runtime='openvino')).queries(['a'])\n"
        "print([name for name in ('torch', 'openvino_telemetry.main') if name in sys.modules])\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )

    assert done.stdout.strip() == "[]"
    assert list(tmp_path.iterdir()) == []


def test_what_computes_is_part_of_the_identity() -> None:
    here, there = EmbeddingModel(), EmbeddingModel(runtime="openvino")

    assert " torch=" in here.identity
    assert " torch=" not in there.identity
    assert " openvino=" in there.identity


def changed(folder: Path, file: str, **fields: object) -> str:
    """Return the path of a folder in which fields of a file have other values."""
    place = folder / file
    place.parent.mkdir(exist_ok=True)
    content = json.loads(place.read_text("utf-8")) if place.is_file() else {}
    place.write_text(json.dumps({**content, **fields}), encoding="utf-8")
    return str(folder)


def refused(model: str) -> str:
    """Return why a model is refused."""
    with pytest.raises(ModelError) as error:
        EmbeddingModel(model=model, runtime="openvino").resolved()
    return str(error.value)


def test_a_model_that_is_not_a_plain_bert_is_refused(tmp_path: Path) -> None:
    folder = small_bert(tmp_path)
    remedy = "; use torch"

    assert refused("all-MiniLM-L6-v2-int8") == (
        f"runtime=openvino: all-MiniLM-L6-v2-int8 is not a transformer in safetensors{remedy}"
    )
    assert refused("BAAI/bge-small-en-v1.5") == (
        "runtime=openvino: BAAI/bge-small-en-v1.5 is on the hub; download it, and give its folder"
        " as model"
    )
    assert refused(changed(folder, "config.json", model_type="mpnet")) == (
        f"runtime=openvino: {folder} is not a plain BERT (model_type is mpnet, not bert){remedy}"
    )
    (folder / "config.json").write_text("{", encoding="utf-8")
    assert refused(str(folder)) == (
        f"runtime=openvino: {folder}/config.json cannot be read{remedy}"
    )


def test_modules_and_poolings_that_are_not_computed_here_are_refused(tmp_path: Path) -> None:
    folder = small_bert(tmp_path)
    kinds = ["Transformer", "Pooling"]

    modules = [
        {"type": f"sentence_transformers.models.{kind}", "path": path}
        for kind, path in zip(kinds, ["", "1_Pooling"], strict=True)
    ]
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    changed(folder, "1_Pooling/config.json", pooling_mode_mean_sqrt_len_tokens=True)

    assert "its pooling is pooling_mode_mean_sqrt_len_tokens" in refused(str(folder))
    modules.append({"type": "sentence_transformers.models.Dense", "path": "2_Dense"})
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    assert "it has the modules Transformer, Pooling, Dense" in refused(str(folder))
