"""Answerers: they write an answer with citations of the first hits. They know no benchmarks."""

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
