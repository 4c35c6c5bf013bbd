"""The repositories of a study as MLflow's datasets: what was searched, and what was asked."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bench.tracking.names import LONGEST_NAME
from bench.tracking.redaction import redacted

_LONGEST_DIGEST = 36


@dataclass(frozen=True)
class Dataset:
    """A repository with its queries; `digest` changes with either."""

    name: str
    digest: str
    source: str
    profile: str


def datasets_of(results: Mapping[str, Any]) -> tuple[Dataset, ...]:
    """Return the repositories of a study; files of older versions name none."""
    corpus = results.get("corpus")
    found = corpus if isinstance(corpus, list) else []
    return tuple(_dataset(one, results.get("suite")) for one in found if "repository" in one)


def _dataset(one: Mapping[str, Any], suite: object) -> Dataset:
    documents, queries = str(one.get("documents", "")), str(one.get("queries", ""))
    source = {"suite": suite, **{name: one[name] for name in ("pin", "documents") if name in one}}
    return Dataset(
        name=redacted(str(one["repository"]))[:LONGEST_NAME],
        digest=f"{documents}-{queries}"[:_LONGEST_DIGEST],
        source=redacted(json.dumps(source)),
        profile=json.dumps({"queries": one.get("count"), "queries_digest": queries}),
    )
