"""stages.json: the executed stages with their worker, start and cost."""

import json
from collections.abc import Mapping
from pathlib import Path

from bench.engine import Fingerprint, Outcome, Plan
from bench.files import write_whole


def write_stages(
    plan: Plan, outcomes: Mapping[Fingerprint, Outcome], folder: Path, *, wall_seconds: float
) -> Path:
    """Write a row per executed stage, and the wall-clock time of all of them."""
    rows = [
        {
            "stage": stage.kind,
            "subject": stage.subject,
            "fingerprint": stage.fingerprint,
            "inputs": [needed.fingerprint for needed in stage.inputs],
            "exclusive": stage.exclusive,
            "worker": outcomes[stage.fingerprint].worker,
            "started": round(outcomes[stage.fingerprint].started, 4),
            "seconds": round(outcomes[stage.fingerprint].cost.seconds, 4),
            "cpu_seconds": round(outcomes[stage.fingerprint].cost.cpu_seconds, 4),
            "setup_cpu_seconds": round(outcomes[stage.fingerprint].cost.setup_cpu_seconds, 4),
            "taken_bytes": outcomes[stage.fingerprint].cost.taken_bytes,
            "counts": outcomes[stage.fingerprint].cost.counts,
            "failed": outcomes[stage.fingerprint].failure is not None,
        }
        for stage in plan.stages
    ]
    place = folder / "stages.json"
    content = {"wall_seconds": round(wall_seconds, 4), "stages": rows}
    write_whole(place, json.dumps(content, indent=1) + "\n")
    return place
