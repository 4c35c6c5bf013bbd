"""One trial as a plain script has it, with sentence-transformers, bm25s and a loop.

    python scripts/plain_trial.py FILES CHUNK RERANKER RETRIEVER [--cut-off]
    python scripts/plain_trial.py FILES CHUNK,CHUNK,... --parts [--windows N] [--questions N]

FILES is JSON: the folder of the model, the texts of a repository by path, and questions. All
chunks are embedded and ranked for each question, and nothing is kept between trials.
It reads what rankgrid reads, a chunk in windows of the model's length. The usual script embeds
only the beginning of a chunk (`--cut-off`).

With --parts, each part of such trials is done once, for all texts of FILES, and its CPU-seconds
are printed as JSON: loading, cutting and words as a whole, embedding and reranking on a sample,
with the size of the whole. `scripts/measure_grid.py --naive` adds the parts up.
"""

import argparse
import json
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import torch
from sentence_transformers import SentenceTransformer

RETRIEVERS = ("bm25", "lexical", "dense", "hybrid")
WINDOW, DEPTH, RERANKED, RANK_CONSTANT = 254, 200, 20, 60
WORD, PART = re.compile(r"\w+"), re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
Matrix = np.ndarray[Any, Any]


def main() -> None:
    """Rank the chunks for every question; print the number of questions."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("files", type=Path)
    parser.add_argument("chunk", help="tokens of a chunk; with --parts several, with commas")
    parser.add_argument("reranker", choices=("on", "off"), nargs="?", default="off")
    parser.add_argument("retriever", choices=RETRIEVERS, nargs="?", default="bm25")
    parser.add_argument("--cut-off", action="store_true", help="only the first window of a chunk")
    parser.add_argument("--parts", action="store_true", help="measure every part once")
    parser.add_argument("--windows", type=int, default=256, help="of --parts: windows embedded")
    parser.add_argument("--questions", type=int, default=3, help="of --parts: questions reranked")
    given = parser.parse_args()
    torch.set_num_threads(1)
    found = json.loads(given.files.read_text("utf-8"))
    model = SentenceTransformer(found["model"], device="cpu", local_files_only=True)
    if given.parts:
        print(json.dumps(measured_parts(model, found, given)))
        return
    chunks = all_cut(model, found["documents"], int(given.chunk))
    scores = first_scores(model, chunks, found["questions"], given)
    for number, question in enumerate(found["questions"]):
        best = np.argsort(-scores[number], kind="stable")[:DEPTH]
        if given.reranker == "on":
            order = reordered(model, question, [chunks[one] for one in best[:RERANKED]])
            best[:RERANKED] = best[:RERANKED][order]
    print(len(found["questions"]))


def all_cut(model: SentenceTransformer, documents: dict[str, str], size: int) -> list[str]:
    """Return the chunks of all documents."""
    return [chunk for text in documents.values() for chunk in cut(model, text, size)]


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
    """Return BM25 scores of every chunk for every question."""
    index = bm25s.BM25()
    index.index([words(one, word) for one in chunks], show_progress=False)
    return np.array([index.get_scores(words(one, word)) for one in questions])


def words(text: str, word: re.Pattern[str]) -> list[str]:
    """Return the lower-case words of a text, at least one because bm25s requires it."""
    return [one.lower() for one in word.findall(text)] or [""]


def by_vectors(
    model: SentenceTransformer, chunks: list[str], questions: list[str], *, cut_off: bool
) -> Matrix:
    """Return the highest cosine of each question and the windows of each chunk."""
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


Part = dict[str, float]


def measured_parts(
    model: SentenceTransformer, found: dict[str, Any], given: argparse.Namespace
) -> dict[str, Part]:
    """Return the CPU-seconds of each part, with the amount of work that was done and in all."""
    parts = {"loading": part(time.process_time(), 1)}  # since the start of Python
    model.encode(["a first text, which takes longer"])
    for size in map(int, given.chunk.split(",")):
        of_size = parts_of_size(model, found, given, size)
        parts |= {f"{name} {size}": one for name, one in of_size.items()}
    return parts


def parts_of_size(
    model: SentenceTransformer, found: dict[str, Any], given: argparse.Namespace, size: int
) -> dict[str, Part]:
    """Return the parts of trials with one chunk size."""
    asked = found["questions"]
    chunks, cutting = timed(lambda: all_cut(model, found["documents"], size))
    _, by_word = timed(lambda: by_words(chunks, asked, WORD))
    scores, by_part = timed(lambda: by_words(chunks, asked, PART))
    windows, splitting = timed(lambda: [cut(model, chunk, WINDOW) for chunk in chunks])
    draw = random.Random(0)  # noqa: S311 - a sample, not a secret
    rows = draw.sample(range(len(asked)), min(given.questions, len(asked)))
    best = {row: np.argsort(-scores[row], kind="stable")[:RERANKED] for row in rows}
    _, reranking = timed(
        lambda: [reordered(model, asked[row], [chunks[one] for one in best[row]]) for row in rows]
    )
    parts = {
        "cutting": part(cutting, 1),
        "bm25": part(by_word, 1),
        "lexical": part(by_part, 1),
        "windows": part(splitting, 1),
        "reranking": part(reranking, len(rows), len(asked)),
    }
    every = [window for pieces in windows for window in pieces]
    first = [pieces[0] for pieces in windows if pieces]
    for name, texts in {"embedding": every, "embedding, cut off": first}.items():
        some = draw.sample(texts, min(given.windows, len(texts)))
        parts[name] = part(timed(lambda: model.encode(some))[1], len(some), len(texts))  # noqa: B023 - called at once
    return parts


def part(seconds: float, done: int, whole: int = 1) -> Part:
    """Return the CPU-seconds and the amounts of work of a part."""
    return {"seconds": seconds, "done": done, "whole": whole}


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return the result of `work` and its CPU-seconds."""
    before = time.process_time()
    found = work()
    return found, time.process_time() - before


if __name__ == "__main__":
    main()
