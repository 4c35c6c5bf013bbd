"""The seeds of a walk: symbols that several channels find for a task, fused into one ranking."""

from retrievers.graph.seeding.bm25 import BM25Seeds
from retrievers.graph.seeding.channel import CHANNELS, ChannelName
from retrievers.graph.seeding.classes import EquivalenceClass, built_in_classes, read_classes
from retrievers.graph.seeding.equivalence import EquivalenceSeeds
from retrievers.graph.seeding.keywords import Extraction, extract_keywords
from retrievers.graph.seeding.learned import LearnedSeeds, Vocabulary
from retrievers.graph.seeding.noise import Noise
from retrievers.graph.seeding.paths import PathSeeds
from retrievers.graph.seeding.reasons import MatchedConcept, SeedReasons
from retrievers.graph.seeding.seeding import ChannelWeights, Seeder, Seeding, telling_words
from retrievers.graph.seeding.selection import Selection
from retrievers.graph.seeding.text import TextSeeds
from retrievers.graph.seeding.texts import (
    SeedTexts,
    SeedWords,
    counted_texts,
    files_of,
    symbol_texts,
)
from retrievers.graph.seeding.tiered import TieredSeeds

__all__ = [
    "CHANNELS",
    "BM25Seeds",
    "ChannelName",
    "ChannelWeights",
    "EquivalenceClass",
    "EquivalenceSeeds",
    "Extraction",
    "LearnedSeeds",
    "MatchedConcept",
    "Noise",
    "PathSeeds",
    "SeedReasons",
    "SeedTexts",
    "SeedWords",
    "Seeder",
    "Seeding",
    "Selection",
    "TextSeeds",
    "TieredSeeds",
    "Vocabulary",
    "built_in_classes",
    "counted_texts",
    "extract_keywords",
    "files_of",
    "read_classes",
    "symbol_texts",
    "telling_words",
]
