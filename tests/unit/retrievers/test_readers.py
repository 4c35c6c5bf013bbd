"""What a model reads of a text, beside the same tokenizer when it cuts by itself."""

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from retrievers.dense import EmbeddingModel
from retrievers.dense.reader import Reader

WINDOW = 16
TEXTS = [" ".join(["word"] * count) for count in range(40)]


def tokenizer(template: str = "") -> Tokenizer:
    """Return a tokenizer of one word, and of special ones around a text."""
    words = {"word": 0, "[CLS]": 1, "[SEP]": 2}
    made = Tokenizer(WordLevel(words))
    made.pre_tokenizer = Whitespace()
    if template:
        special = [("[CLS]", 1), ("[SEP]", 2)]
        made.post_processor = TemplateProcessing(single=template, special_tokens=special)
    return made


@pytest.mark.parametrize("template", ["", "[CLS] $A [SEP]", "$A [SEP]", "[CLS] $A"])
def test_a_text_is_cut_as_the_tokenizer_itself_cuts_it(template: str) -> None:
    cutting = tokenizer(template)
    cutting.enable_truncation(WINDOW)
    expected = cutting.encode_batch(TEXTS)

    found = Reader(tokenizer(template), EmbeddingModel(window=WINDOW), longest=64).read(TEXTS)

    assert [one.ids.tolist() for one in found] == [one.ids for one in expected]
    assert [one.own.tolist() for one in found] == [
        [mark == 0 for mark in one.special_tokens_mask] for one in expected
    ]


def test_two_windows_of_one_tokenizer_do_not_disturb_each_other() -> None:
    shared = tokenizer("[CLS] $A [SEP]")
    shared.enable_truncation(8)
    shared.enable_padding(length=99)
    small = Reader(shared, EmbeddingModel(window=WINDOW), longest=64)
    large = Reader(shared, EmbeddingModel(window=2 * WINDOW), longest=64)

    lengths = [len(reader.read(TEXTS[-1:])[0].ids) for reader in (small, large)]

    assert lengths == [WINDOW, 2 * WINDOW]
    assert small.length(TEXTS[-1]) == 41
