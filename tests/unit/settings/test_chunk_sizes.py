"""What the size of chunks and their overlap are counted in."""

import pytest

from bench.errors import SettingError
from bench.settings.chunking import SizeTokens, parse_chunker, parse_size_tokens
from retrievers.chunkers import Recursive, Tokens
from retrievers.dense import EmbeddingModel, EmbeddingServer


@pytest.mark.parametrize(
    ("overlap", "tokens"), [(0, 0), (30, 30), ("50%", 100), ("12.5%", 25), ("0%", 0), ("33%", 66)]
)
def test_an_overlap_is_tokens_or_a_share_of_the_size(overlap: object, tokens: int) -> None:
    assert parse_chunker({"kind": "tokens", "overlap": overlap}, 200) == Tokens(200, tokens)


@pytest.mark.parametrize("overlap", ["100%", "-1%", "a%", "half", "%", 200, True])
def test_an_overlap_that_cannot_be_meant_is_refused(overlap: object) -> None:
    with pytest.raises(SettingError, match="overlap="):
        parse_chunker({"kind": "recursive", "overlap": overlap}, 200)


def test_the_encoding_is_no_field_of_the_chunker() -> None:
    found = parse_chunker({"kind": "recursive", "encoding": "characters"}, 64)

    assert found == Recursive(64)


def test_sizes_are_counted_in_an_encoding_or_by_the_model() -> None:
    assert parse_size_tokens({}, EmbeddingModel) == SizeTokens("o200k_base")
    assert parse_size_tokens({"encoding": "characters"}, EmbeddingModel).model is None
    assert parse_size_tokens({"encoding": "model"}, EmbeddingModel).model == EmbeddingModel()


def test_an_unknown_encoding_names_those_that_are_known() -> None:
    with pytest.raises(SettingError, match=r"encoding=cl100k: .*cl100k_base"):
        parse_size_tokens({"encoding": "cl100k"}, EmbeddingModel)


def test_the_tokens_of_a_served_model_are_not_known() -> None:
    with pytest.raises(SettingError, match=r"encoding=model: .*choose o200k_base"):
        parse_size_tokens({"encoding": "model"}, lambda: EmbeddingServer(url="http://127.0.0.1:1"))
