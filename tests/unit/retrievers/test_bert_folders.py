"""Which folders are a BERT that is computed without sentence-transformers."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from retrievers.dense.bert_folder import BertFolder, NotPlainBertError
from retrievers.dense.bert_tokenizer import SPECIAL, is_plain_tokenizer

CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": 32,
    "intermediate_size": 64,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 128,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "type_vocab_size": 2,
    "vocab_size": 5,
    "pad_token_id": 3,
}
TOKENIZER_CONFIG = {"tokenizer_class": "BertTokenizer", "do_lower_case": False, **SPECIAL}
FLAGS = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
KIND = "sentence_transformers.models."


def added(name: str, number: int, **flags: bool) -> dict[str, Any]:
    """Return a special token as a tokenizer's file has it."""
    return {"id": number, "content": name, "special": True, **FLAGS, **flags}


def write(folder: Path, files: Mapping[str, object]) -> Path:
    """Write files of a model as JSON."""
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder


def modules(*kinds: str) -> list[dict[str, str]]:
    """Return the list of modules as sentence-transformers writes it."""
    paths = ["", "1_Pooling", "2_Normalize"]
    return [{"type": KIND + kind, "path": path} for kind, path in zip(kinds, paths, strict=False)]


def tokenizer() -> dict[str, Any]:
    """Return the file of a tokenizer, made by the library itself."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing

    words = {name: number for number, name in enumerate(SPECIAL.values())}
    made = Tokenizer(WordPiece(words, unk_token="[UNK]"))  # noqa: S106 - a word
    made.normalizer = BertNormalizer(lowercase=False)
    made.pre_tokenizer = BertPreTokenizer()
    made.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", words["[CLS]"]), ("[SEP]", words["[SEP]"])],
    )
    made.add_special_tokens(list(SPECIAL.values()))
    return dict(json.loads(made.to_str()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a plain BERT without weights."""
    files = {
        "config.json": CONFIG,
        "tokenizer_config.json": TOKENIZER_CONFIG,
        "tokenizer.json": tokenizer(),
        "special_tokens_map.json": SPECIAL,
    }
    return write(tmp_path, files)


def test_a_transformer_alone_is_pooled_by_the_mean_of_its_tokens(folder: Path) -> None:
    found = BertFolder.of("a", folder)

    assert (found.pooling, found.normalises, found.longest) == ("mean", False, 128)
    assert found.padding == 3
    assert is_plain_tokenizer(folder)


@pytest.mark.parametrize(
    ("described", "pooling"),
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls"),
        ({"pooling_mode_lasttoken": True, "word_embedding_dimension": 32}, "last"),
        ({"pooling_mode": "lasttoken", "include_prompt": True}, "last"),
        ({"pooling_mode": "max"}, "max"),
    ],
)
def test_modules_say_how_a_text_gets_one_vector(
    folder: Path, described: dict[str, object], pooling: str
) -> None:
    listed = {
        "modules.json": modules("Transformer", "Pooling", "Normalize"),
        "1_Pooling/config.json": described,
        "sentence_bert_config.json": {"max_seq_length": 64, "do_lower_case": False},
    }

    found = BertFolder.of("a", write(folder, listed))

    assert (found.pooling, found.normalises, found.longest) == (pooling, True, 64)


@pytest.mark.parametrize(
    ("limits", "longest"),
    [({}, 128), ({"model_max_length": 100}, 100), ({"model_max_length": 10**30}, 128)],
)
def test_the_smaller_of_the_limits_of_tokenizer_and_positions_holds(
    folder: Path, limits: dict[str, object], longest: int
) -> None:
    write(folder, {"tokenizer_config.json": TOKENIZER_CONFIG | limits})

    assert BertFolder.of("a", folder).longest == longest


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"config.json": CONFIG | {"model_type": "mpnet"}}, "model_type is mpnet, not bert"),
        ({"config.json": CONFIG | {"hidden_act": "relu"}}, "hidden_act is relu, not gelu"),
        ({"config.json": CONFIG | {"is_decoder": True}}, "is_decoder is True, not False"),
        (
            {"config.json": CONFIG | {"position_embedding_type": "relative_key"}},
            "position_embedding_type is relative_key, not absolute",
        ),
        ({"config.json": {"model_type": "bert", "hidden_act": "gelu"}}, "lacks hidden_size"),
        ({"config.json": []}, "unknown form"),
        ({"adapter_config.json": {}}, "it is an adapter"),
        (
            {"config_sentence_transformers.json": {"model_type": "SparseEncoder"}},
            "model_type is SparseEncoder",
        ),
        ({"sentence_bert_config.json": {}}, "it has the files sentence_bert_config.json"),
        ({"modules.json": modules("Transformer")}, "it has the modules Transformer"),
        ({"modules.json": modules("Transformer", "Dense")}, "modules Transformer, Dense"),
        (
            {"modules.json": [{"type": "own.Transformer", "path": ""}, modules("", "Pooling")[1]]},
            "its Transformer is own.Transformer in the folder",
        ),
        (
            {
                "modules.json": [
                    {"type": f"{KIND}Transformer", "path": "0"},
                    modules("", "Pooling")[1],
                ]
            },
            "in 0",
        ),
        ({"modules.json": [{"name": "0"}]}, "unknown form"),
    ],
)
def test_anything_else_is_refused_with_its_reason(
    folder: Path, files: dict[str, object], reason: str
) -> None:
    with pytest.raises(NotPlainBertError, match=reason):
        BertFolder.of("a", write(folder, files))


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("sentence_bert_config.json", {"do_lower_case": True}, "do_lower_case is True"),
        ("sentence_bert_config.json", {"query_length": 8}, "it sets query_length"),
        ("sentence_roberta_config.json", {}, "sentence_roberta_config.json"),
        ("2_Normalize/config.json", {"module_input_name": "token_embeddings"}, "normalises"),
        ("1_Pooling/config.json", {"pooling_mode": ["mean", "max"]}, "its pooling is"),
        ("1_Pooling/config.json", {"pooling_mode": "weightedmean"}, "pooling is weightedmean"),
        ("1_Pooling/config.json", {"pooling_mode_mean_tokens": False}, "its pooling is"),
    ],
)
def test_modules_of_other_kinds_are_refused(
    folder: Path, file: str, content: dict[str, object], reason: str
) -> None:
    plain = {
        "modules.json": modules("Transformer", "Pooling", "Normalize"),
        "1_Pooling/config.json": {"pooling_mode": "mean"},
    }

    with pytest.raises(NotPlainBertError, match=reason):
        BertFolder.of("a", write(folder, plain | {file: content}))


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("added_tokens.json", {}),
        ("tokenizer_config.json", TOKENIZER_CONFIG | {"do_lower_case": True}),
        ("tokenizer_config.json", TOKENIZER_CONFIG | {"strip_accents": True}),
        ("tokenizer_config.json", TOKENIZER_CONFIG | {"tokenize_chinese_chars": False}),
        ("tokenizer_config.json", TOKENIZER_CONFIG | {"tokenizer_class": "BertJapaneseTokenizer"}),
        ("tokenizer_config.json", TOKENIZER_CONFIG | {"sep_token": "</s>"}),
        ("tokenizer_config.json", TOKENIZER_CONFIG | {"bos_token": "[CLS]"}),
        ("tokenizer_config.json", TOKENIZER_CONFIG | {"extra_special_tokens": ["[X]"]}),
        (
            "tokenizer_config.json",
            TOKENIZER_CONFIG | {"added_tokens_decoder": {"7": added("[X]", 7)}},
        ),
        ("special_tokens_map.json", {"mask_token": "<mask>"}),
        (
            "special_tokens_map.json",
            {"mask_token": {"content": "[MASK]", **FLAGS, "lstrip": True}},
        ),
        ("tokenizer.json", tokenizer() | {"normalizer": None}),
        ("tokenizer.json", tokenizer() | {"post_processor": None}),
        ("tokenizer.json", tokenizer() | {"pre_tokenizer": {"type": "Whitespace"}}),
        ("tokenizer.json", tokenizer() | {"added_tokens": [added("[CLS]", 2)]}),
        (
            "tokenizer.json",
            tokenizer() | {"model": tokenizer()["model"] | {"max_input_chars_per_word": 9}},
        ),
        ("tokenizer.json", []),
    ],
)
def test_a_tokenizer_that_transformers_would_make_otherwise_is_not_plain(
    folder: Path, file: str, content: object
) -> None:
    assert not is_plain_tokenizer(write(folder, {file: content}))


@pytest.mark.parametrize(
    ("file", "content"),
    [
        (
            "tokenizer_config.json",
            TOKENIZER_CONFIG
            | {
                "added_tokens_decoder": {
                    str(number): added(name, number)
                    for number, name in enumerate(SPECIAL.values())
                }
            },
        ),
        ("tokenizer_config.json", TOKENIZER_CONFIG | {"additional_special_tokens": []}),
        ("special_tokens_map.json", {"mask_token": {"content": "[MASK]", **FLAGS}}),
        ("tokenizer.json", tokenizer() | {"truncation": {"max_length": 128}}),
    ],
)
def test_what_changes_no_token_is_plain(folder: Path, file: str, content: object) -> None:
    assert is_plain_tokenizer(write(folder, {file: content}))
