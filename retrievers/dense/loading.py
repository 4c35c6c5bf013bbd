"""Loading of models: safetensors only, on one thread, without their own code unless allowed."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrievers.dense.settings import Dtype
from retrievers.dense.weights import Weights, refuse_pickles
from retrievers.errors import ModelError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_FAILURES = (OSError, ValueError, TypeError, KeyError, ImportError, RuntimeError, AttributeError)

_REASON = 300
"""Most characters of a library's message that are passed on."""


def load_model(
    kind: Callable[..., Any], weights: Weights, *, dtype: Dtype, trust_remote_code: bool
) -> Any:
    """Return a sentence-transformers model; raise the reason if it cannot be loaded."""
    import torch
    from safetensors import SafetensorError
    from transformers.utils.logging import disable_progress_bar

    refuse_pickles(weights)
    use_one_thread()
    disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        model = kind(
            weights.source,
            device="cpu",
            revision=weights.revision or None,
            trust_remote_code=trust_remote_code,
            local_files_only=weights.folder is not None,
            model_kwargs={"dtype": getattr(torch, dtype), "use_safetensors": True},
        )
    except (*_FAILURES, SafetensorError) as error:
        raise ModelError(_remedy(weights, error)) from error
    model.eval()
    return model


def use_one_thread() -> None:
    """Limit torch and tokenizers to one thread: more threads change the last bits of results."""
    import torch

    torch.set_num_threads(1)
    _tokenize_in_one_thread()


def read_tokenizer(folder: Path) -> "Tokenizer":
    """Return the tokenizer of a model's folder."""
    from tokenizers import Tokenizer

    _tokenize_in_one_thread()
    return Tokenizer.from_file(str(folder / "tokenizer.json"))


def _tokenize_in_one_thread() -> None:
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


def _remedy(weights: Weights, error: Exception) -> str:
    whole = " ".join(str(error).split())
    reason = whole[:_REASON]
    if "trust_remote_code" in whole:
        return (
            f"model={weights.name}: it brings code of its own; read it, then set"
            " trust_remote_code=true and revision=<its commit>"
        )
    if "safetensors" in whole:
        return f"model={weights.name}: it has no safetensors, and pickles are refused ({reason})"
    return (
        f"model={weights.name}: it does not load ({type(error).__name__}: {reason}); give a"
        " sentence-transformers folder, or a hub name that this machine can reach"
    )
