"""Stages of work, addressed by fingerprints, and the pools that run them.

Equal work is done once, on this machine or on a cluster, with the same results. The engine does
not know what a stage computes, and a stage does not know where it runs. `RayPool` is imported from
`bench.engine.cluster`, so that only its users pay for the import of Ray.
"""

from bench.engine.artifact_file import Cost
from bench.engine.caches import BlobCache, ContentCache, Digest, digest_of
from bench.engine.choose_pool import Choice, choose
from bench.engine.codec import Codec, Record
from bench.engine.critical_path import Utilisation, critical_path_seconds, utilisation
from bench.engine.earlier import Earlier
from bench.engine.housekeeping import Housekeeper, Trimmed, keep_within_limit, trimmed
from bench.engine.observer import NoObserver, Observer
from bench.engine.parts import PartCache
from bench.engine.plan import Plan
from bench.engine.pool import Alone, Pool
from bench.engine.processes import IdleWorkers, ProcessPool, local_pool
from bench.engine.scheduler import carry_out
from bench.engine.stage import Fingerprint, Read, Stage
from bench.engine.store import Artifact, ArtifactStore, opened_store
from bench.engine.task import Failure, Outcome, Task, perform
from bench.engine.texts import TextCache

__all__ = [
    "Alone",
    "Artifact",
    "ArtifactStore",
    "BlobCache",
    "Choice",
    "Codec",
    "ContentCache",
    "Cost",
    "Digest",
    "Earlier",
    "Failure",
    "Fingerprint",
    "Housekeeper",
    "IdleWorkers",
    "NoObserver",
    "Observer",
    "Outcome",
    "PartCache",
    "Plan",
    "Pool",
    "ProcessPool",
    "Read",
    "Record",
    "Stage",
    "Task",
    "TextCache",
    "Trimmed",
    "Utilisation",
    "carry_out",
    "choose",
    "critical_path_seconds",
    "digest_of",
    "keep_within_limit",
    "local_pool",
    "opened_store",
    "perform",
    "trimmed",
    "utilisation",
]
