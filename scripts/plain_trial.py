"""One trial as a plain script has it, with sentence-transformers, bm25s and a loop.

    python scripts/plain_trial.py FILES CHUNK RERANKER RETRIEVER [--cut-off]

FILES is JSON: the folder of the model, the texts of a repository by path, and questions. All
chunks are embedded and ranked for each question, and nothing is kept between trials.
It reads what rankgrid reads, a chunk in windows of the model's length. The usual script embeds
only the beginning of a chunk (`--cut-off`). `scripts/measure_grid.py --naive` runs it to compare.
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import torch
from sentence_transformers import SentenceTransformer

WINDOW, DEPTH, RERANKED, RANK_CONSTANT = 254, 200, 20, 60
WORD, PART = re.compile(r"\w+"), re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
Matrix = np.ndarray[Any, Any]


def main() -> None:
    """Rank the chunks for every question; print how many questions were answered."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("files", type=Path)
    parser.add_argument("chunk", type=int)
    parser.add_argument("reranker", choices=("on", "off"))
    parser.add_argument("retriever", choices=("bm25", "lexical", "dense", "hybrid"))
    parser.add_argument("--cut-off", action="store_true", help="only the first window of a chunk")
    given = parser.parse_args()
    torch.set_num_threads(1)
    found = json.loads(given.files.read_text("utf-8"))
    model = SentenceTransformer(found["model"], device="cpu", local_files_only=True)
    chunks = [
        chunk for text in found["documents"].values() for chunk in cut(model, text, given.chunk)
    ]
    scores = first_scores(model, chunks, found["questions"], given)
    for number, question in enumerate(found["questions"]):
        best = np.argsort(-scores[number], kind="stable")[:DEPTH]
        if given.reranker == "on":
            order = reordered(model, question, [chunks[one] for one in best[:RERANKED]])
            best[:RERANKED] = best[:RERANKED][order]
    print(len(found["questions"]))


def cut(model: SentenceTransformer, text: str, size: int) -> list[str]:
    """Return the chunks of a text, by the model's own tokens."""
    ends = model.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    offsets = ends["offset_mapping"]
    return [
        text[offsets[one][0] : offsets[min(one + size, len(offsets)) - 1][1]]
        for one in range(0, len(offsets), size)
    ]


def first_scores(
    model: SentenceTransformer, chunks: list[str], questions: list[str], given: argparse.Namespace
) -> Matrix:
    """Return the score of every chunk for every question."""
    if given.retriever in ("bm25", "lexical"):
        return by_words(chunks, questions, WORD if given.retriever == "bm25" else PART)
    dense = by_vectors(model, chunks, questions, cut_off=given.cut_off)
    if given.retriever == "dense":
        return dense
    worded = by_words(chunks, questions, WORD)
    fused: Matrix = 1 / (RANK_CONSTANT + ranks(dense)) + 1 / (RANK_CONSTANT + ranks(worded))
    return fused


def by_words(chunks: list[str], questions: list[str], word: re.Pattern[str]) -> Matrix:
    """Return scores of BM25."""
    index = bm25s.BM25()
    index.index([words(one, word) for one in chunks], show_progress=False)
    return np.array([index.get_scores(words(one, word)) for one in questions])


def words(text: str, word: re.Pattern[str]) -> list[str]:
    """Return the words of a text, in lower case; never none, which bm25s refuses."""
    return [one.lower() for one in word.findall(text)] or [""]


def by_vectors(
    model: SentenceTransformer, chunks: list[str], questions: list[str], *, cut_off: bool
) -> Matrix:
    """Return the cosine of each question and the best window of each chunk."""
    windows, owners = [], []
    for number, chunk in enumerate(chunks):
        pieces = cut(model, chunk, WINDOW)[: 1 if cut_off else None]
        windows += pieces
        owners += [number] * len(pieces)
    of_windows = model.encode(questions) @ model.encode(windows).T
    scores = np.full((len(questions), len(chunks)), -np.inf, np.float32)
    np.maximum.at(scores.T, owners, of_windows.T)
    return scores


def ranks(scores: Matrix) -> Matrix:
    """Return the rank of each chunk for each question."""
    return np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)


def reordered(model: SentenceTransformer, question: str, texts: list[str]) -> Matrix:
    """Return the order of the texts by the sum of each question token's best match."""
    asked = model.encode(question, output_value="token_embeddings").float()
    points = []
    for text in texts:
        pieces = model.encode(cut(model, text, WINDOW), output_value="token_embeddings")
        tokens = torch.cat([piece.float() for piece in pieces])
        points.append(float((asked @ tokens.T).max(dim=1).values.sum()))
    return np.argsort(-np.array(points), kind="stable")


if __name__ == "__main__":
    main()
