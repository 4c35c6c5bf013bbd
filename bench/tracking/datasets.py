"""The repositories of a study, with their queries, as MLflow's datasets."""

import json
from dataclasses import dataclass

from bench.results import RepositoryIdentity, StudyResult
from bench.tracking.names import LONGEST_NAME
from bench.tracking.redaction import redacted

_LONGEST_DIGEST = 36


@dataclass(frozen=True)
class Dataset:
    """A repository with its queries. `digest` covers both."""

    name: str
    digest: str
    source: str
    profile: str


def datasets_of(result: StudyResult) -> tuple[Dataset, ...]:
    """Return the repositories of a study. Results of older versions have none."""
    return tuple(_dataset(one, result.suite) for one in result.corpus)


def _dataset(one: RepositoryIdentity, suite: str) -> Dataset:
    source = {"suite": suite, "pin": one.pin, "documents": one.documents}
    return Dataset(
        name=redacted(one.repository)[:LONGEST_NAME],
        digest=f"{one.documents}-{one.queries}"[:_LONGEST_DIGEST],
        source=redacted(json.dumps(source)),
        profile=json.dumps({"queries": one.count, "queries_digest": one.queries}),
    )
