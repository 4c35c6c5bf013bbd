"""A tiny BERT with random weights and the packaged model's words, made on the spot."""

from pathlib import Path

from retrievers.dense import EmbeddingModel


def small_bert(folder: Path, *, labels: int = 0) -> Path:
    """Save the model; with labels, one that scores pairs."""
    import torch
    from transformers import (
        AutoTokenizer,
        BertConfig,
        BertForSequenceClassification,
        BertModel,
    )

    torch.manual_seed(0)
    tokenizer = AutoTokenizer.from_pretrained(EmbeddingModel().weights.source)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
        initializer_range=0.5,
    )
    config.num_labels = labels or 2
    kind = BertForSequenceClassification if labels else BertModel
    kind(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
