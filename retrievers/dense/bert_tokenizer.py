"""Check that `tokenizer.json` alone describes how a BERT reads text.

transformers takes only the vocabulary from `tokenizer.json`, and the rest from
`tokenizer_config.json` and `special_tokens_map.json`. If both ways give the same tokenizer, the
file can be read without transformers.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SPECIAL = {
    "pad_token": "[PAD]",
    "unk_token": "[UNK]",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}
_PLAIN = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
_CLASSES = ("BertTokenizer", "BertTokenizerFast")
_OTHERS = (
    "additional_special_tokens",
    "auto_map",
    "extra_special_tokens",
    "init_inputs",
    "model_specific_special_tokens",
    "split_special_tokens",
)
"""Fields of `tokenizer_config.json` that change how a text is read."""
_PARTS = ("normalizer", "pre_tokenizer", "post_processor")


def is_plain_tokenizer(folder: Path) -> bool:
    """Whether transformers reads text exactly as `tokenizer.json` of a BERT's folder describes."""
    try:
        said = _read(folder / "tokenizer.json")
        config = _read(folder / "tokenizer_config.json")
        named = folder / "special_tokens_map.json"
        return (
            not (folder / "added_tokens.json").exists()
            and _has_plain_tokens(said["added_tokens"])
            and _is_plain_config(config)
            and _are_plain(_read(named) if named.exists() else {})
            and {part: said[part] for part in _PARTS} == _parts(config, said["added_tokens"])
            and _is_word_piece(said["model"])
        )
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return False


def _parts(config: Mapping[str, Any], tokens: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the parts that transformers makes besides the vocabulary and the special tokens."""
    ids = {one["content"]: one["id"] for one in tokens}
    first, last = ({"SpecialToken": {"id": name, "type_id": 0}} for name in ("[CLS]", "[SEP]"))
    texts = [{"Sequence": {"id": name, "type_id": kind}} for kind, name in enumerate("AB")]
    end = {"SpecialToken": {"id": "[SEP]", "type_id": 1}}
    return {
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": config.get("tokenize_chinese_chars", True),
            "strip_accents": config.get("strip_accents"),
            "lowercase": config.get("do_lower_case", True),
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [first, texts[0], last],
            "pair": [first, texts[0], last, texts[1], end],
            "special_tokens": {
                name: {"id": name, "ids": [ids[name]], "tokens": [name]}
                for name in ("[CLS]", "[SEP]")
            },
        },
    }


def _is_word_piece(model: Mapping[str, Any]) -> bool:
    fields = {name: value for name, value in model.items() if name != "vocab"}
    return isinstance(model["vocab"], dict) and fields == {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
    }


def _is_plain_config(config: Mapping[str, Any]) -> bool:
    added = list(config.get("added_tokens_decoder", {}).values())
    return (
        config.get("tokenizer_class") in _CLASSES
        and not any(config.get(field) for field in _OTHERS)
        and (not added or _has_plain_tokens(added))
        and _are_plain({name: one for name, one in config.items() if name.endswith("_token")})
    )


def _are_plain(named: Mapping[str, Any]) -> bool:
    return all(_is_plain_token(token, SPECIAL.get(field)) for field, token in named.items())


def _has_plain_tokens(tokens: list[dict[str, Any]]) -> bool:
    return sorted(one["content"] for one in tokens) == sorted(SPECIAL.values()) and all(
        one["special"] is True and _is_plain_token(one, one["content"]) for one in tokens
    )


def _is_plain_token(token: Any, content: str | None) -> bool:
    if isinstance(token, str):
        return token == content
    flags = {field: token.get(field) for field in _PLAIN}
    return token["content"] == content and flags == _PLAIN


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
