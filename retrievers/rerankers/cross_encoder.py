"""Scores of pairs of a query and a text by a model. A score does not depend on its batch."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from retrievers.dense.loading import load_model
from retrievers.dense.reader import without_surrogates
from retrievers.dense.settings import Dtype
from retrievers.dense.shapes import Shape, batches, filled
from retrievers.dense.weights import locate
from retrievers.errors import ModelError
from retrievers.interface import Floats, Integers
from retrievers.rerankers.settings import CrossEncoder

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

_READ_TOGETHER = 1024


@lru_cache(maxsize=1)
def load_cross_encoder(model: str, revision: str, dtype: Dtype, *, trusted: bool) -> Any:
    """Return a model that scores pairs. Only the last model stays in memory."""
    from sentence_transformers import CrossEncoder as Loaded

    weights = locate(model, revision)
    loaded = load_model(Loaded, weights, dtype=dtype, trust_remote_code=trusted)
    task = getattr(loaded[0], "transformer_task", None)
    if task != "sequence-classification" or loaded.num_labels != 1:
        message = f"model={model}: it does not give one score a pair; choose a cross-encoder"
        raise ModelError(message)
    return loaded


class CrossEncoderScorer:
    """Scores texts by a cross-encoder."""

    def __init__(self, settings: CrossEncoder) -> None:
        known = settings.resolved()
        self._model = load_cross_encoder(
            known.model, known.revision, known.dtype, trusted=known.trust_remote_code
        )
        tokenizer = self._model.tokenizer
        self._longest = min(int(tokenizer.model_max_length), settings.max_length)
        self._padding = int(tokenizer.pad_token_id or 0)
        self._typed = "token_type_ids" in tokenizer.model_input_names
        self._whole, self._cut = _tokenizers(tokenizer.backend_tokenizer, self._longest)
        self.cut_tokens = 0
        """Number of tokens that were cut from pairs so far."""

    def scores(self, query: str, texts: Sequence[str]) -> Floats:
        """Return a score for each text."""
        return self.pair_scores([(query, text) for text in texts])

    def pair_scores(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Return a score for each pair of a query and a text."""
        scores = np.zeros(len(pairs), np.float32)
        for start in range(0, len(pairs), _READ_TOGETHER):
            encodings = [self._encoded(pair) for pair in pairs[start : start + _READ_TOGETHER]]
            lengths = [len(encoding.ids) for encoding in encodings]
            for shape, places in batches(lengths, longest=self._longest):
                found = self._batch(shape, [encodings[place] for place in places])
                scores[np.array(places) + start] = found
        return scores

    def _encoded(self, pair: tuple[str, str]) -> "Encoding":
        query, text = map(without_surrogates, pair)
        whole = self._whole.encode(query, text)
        if len(whole.ids) <= self._longest:
            return whole
        self.cut_tokens += len(whole.ids) - self._longest
        return self._cut.encode(query, text)

    def _batch(self, shape: Shape, encodings: "Sequence[Encoding]") -> Floats:
        import torch

        ids, mask = filled(shape, [_array(row.ids) for row in encodings], padding=self._padding)
        given = {"input_ids": ids, "attention_mask": mask}
        if self._typed:
            types = [_array(row.type_ids) for row in encodings]
            given["token_type_ids"] = filled(shape, types, padding=0)[0]
        features = {name: torch.from_numpy(numbers) for name, numbers in given.items()}
        with torch.inference_mode():
            scores = self._model.activation_fn(self._model(features)["scores"].float())
        return np.asarray(scores.reshape(shape.rows)[: len(encodings)].numpy(), np.float32)


def _array(numbers: Sequence[int]) -> Integers:
    return np.array(numbers, np.int64)


def _tokenizers(backend: "Tokenizer", longest: int) -> tuple["Tokenizer", "Tokenizer"]:
    """Return a tokenizer without truncation, and one that cuts the longer side first."""
    from tokenizers import Tokenizer

    whole = Tokenizer.from_str(backend.to_str())
    whole.no_truncation()
    whole.no_padding()
    cut = Tokenizer.from_str(whole.to_str())
    cut.enable_truncation(longest, strategy="longest_first")
    return whole, cut
