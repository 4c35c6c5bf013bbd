"""Rerankers for the first hits: late interaction, cross-encoders, and fusion of both scores.

Scorers get only texts. The caller chooses the text of a chunk.
"""

from retrievers.rerankers.cross_encoder import CrossEncoderScorer
from retrievers.rerankers.fusion import fuse
from retrievers.rerankers.late_interaction import (
    BITS,
    ComputedPassages,
    LateInteractionScorer,
    Passages,
    embedded_passages,
    maxsim,
    rounded,
)
from retrievers.rerankers.served import RerankServer, ServedScorer
from retrievers.rerankers.settings import CrossEncoder, LateInteraction

__all__ = [
    "BITS",
    "ComputedPassages",
    "CrossEncoder",
    "CrossEncoderScorer",
    "LateInteraction",
    "LateInteractionScorer",
    "Passages",
    "RerankServer",
    "ServedScorer",
    "embedded_passages",
    "fuse",
    "maxsim",
    "rounded",
]
