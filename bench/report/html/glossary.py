"""Terms of the field for new readers."""

from bench.report.html.comparison import Part
from bench.report.html.elements import collapsed, element

TERMS = {
    "retrieval": "finding the pieces of a repository that answer a question",
    "chunk": "a piece of a file: the unit that is searched and shown; its size is in tokens",
    "token": "a part of a word, the unit in which language models read and are paid",
    "budget": "the tokens that a reader, often a language model, can afford to be shown",
    "coverage": "the share of the right text that is shown within a budget",
    "recall": "the share of the right places that are found",
    "precision": "the share of the hits that are right",
    "NDCG@10": "how good the order of the first ten hits is; 1 if all right ones are first",
    "MRR": "1 divided by the rank of the first right hit, averaged over questions",
    "hit": "a chunk that a search returns",
    "BM25": "keyword search: rare words of the question count more",
    "embedding": "numbers for a text, by a model: texts of one meaning have similar numbers",
    "hybrid": "keyword search and search by embeddings, combined",
    "reranker": "a second, slower model that orders the first hits again",
    "p50, p95": "half of the searches, or 95 in 100, take this time or less",
    "trial": "one configuration that was measured; all trials are a study",
    "95 % interval": "a range that contains the true value in 95 of 100 studies",
    "decided": "the questions show that no other trial is better by a difference that matters",
    "failed": "an error, so there is no number; a search that finds nothing right is a miss",
    "negative query": "a question that nothing in the repository answers",
}


def glossary_section() -> Part:
    """Return the terms with their meaning."""
    title = "Terms"
    listed = [[element("dt", name), element("dd", meaning)] for name, meaning in TERMS.items()]
    return "terms", title, collapsed("terms", title, element("dl", listed))
