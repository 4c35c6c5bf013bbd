"""From the first hits of a query to an answer that cites them; knows nothing of benchmarks."""

from retrievers.answerers.chat import ChatAnswerer
from retrievers.answerers.citations import citations
from retrievers.answerers.expansion import RANK_CONSTANT, Expansion, Method
from retrievers.answerers.extractive import extract
from retrievers.answerers.prompting import PROMPT, prompt_for
from retrievers.answerers.reply import Passage, Reply
from retrievers.answerers.settings import ChatServer, Extractive

__all__ = [
    "PROMPT",
    "RANK_CONSTANT",
    "ChatAnswerer",
    "ChatServer",
    "Expansion",
    "Extractive",
    "Method",
    "Passage",
    "Reply",
    "citations",
    "extract",
    "prompt_for",
]
