"""Stages of work addressed by what they compute, so that equal work is done once."""

from bench.pipeline.caches import BlobCache, ContentCache, Digest, digest_of
from bench.pipeline.codec import Codec, Record
from bench.pipeline.plan import Plan
from bench.pipeline.stage import Fingerprint, Read, Stage
from bench.pipeline.store import Artifact, ArtifactStore, Cost
from bench.pipeline.texts import TextCache
from bench.pipeline.work import Failure, Outcome, Task, perform

__all__ = [
    "Artifact",
    "ArtifactStore",
    "BlobCache",
    "Codec",
    "ContentCache",
    "Cost",
    "Digest",
    "Failure",
    "Fingerprint",
    "Outcome",
    "Plan",
    "Read",
    "Record",
    "Stage",
    "Task",
    "TextCache",
    "digest_of",
    "perform",
]
