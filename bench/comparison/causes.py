"""What is known to differ between two studies, so that a difference has an explanation."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bench.comparison.pairing import differing
from bench.comparison.stored import StoredStudy, StoredTrial

_LISTED = 5
_MODEL = ("embedding_model", "dtype", "embedder")
_SAID_ELSEWHERE = ("use_reranker", "chunk_size", "chunk", *_MODEL)


class CauseKind(StrEnum):
    """What changed."""

    CORPUS = "corpus"
    FIXTURES = "fixtures"
    MEASURES = "measures"
    LEVEL = "level"
    CHUNKER = "chunker"
    MODEL = "model"
    SETTING = "setting"
    CODE = "code"


_BREAKS = (CauseKind.CORPUS, CauseKind.FIXTURES, CauseKind.MEASURES, CauseKind.LEVEL)


@dataclass(frozen=True)
class Cause:
    """Something that differs between two runs, in words."""

    kind: CauseKind
    text: str

    @property
    def breaks(self) -> bool:
        """Whether numbers before and after it do not answer the same question."""
        return self.kind in _BREAKS

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


def known_causes(
    a: StoredStudy, b: StoredStudy, trial_a: StoredTrial, trial_b: StoredTrial
) -> tuple[Cause, ...]:
    """Return everything that is known to differ, what breaks comparability first."""
    return (*study_causes(a, b), *_of_trials(trial_a, trial_b), *_of_code(a, b))


def study_causes(a: StoredStudy, b: StoredStudy) -> tuple[Cause, ...]:
    """Return what differs in what was searched and asked and in how it was measured."""
    return (
        *_of_corpus(a, b),
        *_of_fixtures(a, b),
        *_of_measures(a, b),
        *_of_level(a, b),
    )


def _of_corpus(a: StoredStudy, b: StoredStudy) -> Iterator[Cause]:
    unsaid = [name for name, study in (("a", a), ("b", b)) if not study.corpus]
    if unsaid:
        text = f"{' and '.join(unsaid)} does not say what was searched; run that study again"
        yield Cause(CauseKind.CORPUS, text)
        return
    for name in [name for name in a.corpus if name not in b.corpus]:
        yield Cause(CauseKind.CORPUS, f"{name} is only in a")
    for name in [name for name in b.corpus if name not in a.corpus]:
        yield Cause(CauseKind.CORPUS, f"{name} is only in b")
    for name in _shared(a, b):
        if a.corpus[name]["documents"] != b.corpus[name]["documents"]:
            yield Cause(CauseKind.CORPUS, f"{name} is not the same source tree")


def _of_fixtures(a: StoredStudy, b: StoredStudy) -> Iterator[Cause]:
    for name in _shared(a, b):
        if a.corpus[name]["queries"] != b.corpus[name]["queries"]:
            yield Cause(CauseKind.FIXTURES, f"{name}: {_changed_queries(a, b, name)}")


def _shared(a: StoredStudy, b: StoredStudy) -> list[str]:
    return [name for name in a.corpus if name in b.corpus]


def _changed_queries(a: StoredStudy, b: StoredStudy, repository: str) -> str:
    """Name the queries that came, went or changed, from any trial that has them."""
    before, after = _asked(a, repository), _asked(b, repository)
    parts = (
        ("added", [key for key in after if key not in before]),
        ("removed", [key for key in before if key not in after]),
        ("changed", [key for key in before if key in after and before[key] != after[key]]),
    )
    said = [f"{_listed(names)} {verb}" for verb, names in parts if names]
    return "; ".join(said) or "the grades or places of answers changed"


def _asked(study: StoredStudy, repository: str) -> dict[str, object]:
    queries = next((trial.queries for trial in study.trials if trial.queries), {})
    return {key[1]: query.asked for key, query in queries.items() if key[0] == repository}


def _listed(names: list[str]) -> str:
    more = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {more} more" if more > 0 else "")


def _of_measures(a: StoredStudy, b: StoredStudy) -> Iterator[Cause]:
    if a.measure_version != b.measure_version:
        text = f"version {a.measure_version} in a, {b.measure_version} in b"
        yield Cause(CauseKind.MEASURES, text)


def _of_level(a: StoredStudy, b: StoredStudy) -> Iterator[Cause]:
    if a.level != b.level:
        yield Cause(CauseKind.LEVEL, f"a is measured at {a.level} level, b at {b.level} level")


def _of_trials(a: StoredTrial, b: StoredTrial) -> Iterator[Cause]:
    apart = differing(a, b)
    if not same_chunking(a, b):
        sizes = apart.get("chunk_size") or apart.get("chunk")
        text = f"chunks of {_arrow(*sizes)} tokens" if sizes else "documents are cut anew"
        yield Cause(CauseKind.CHUNKER, text)
    for name in _MODEL:
        if name in apart:
            yield Cause(CauseKind.MODEL, f"{name} {_arrow(*apart[name])}")
    for name, values in apart.items():
        if name not in _SAID_ELSEWHERE:
            yield Cause(CauseKind.SETTING, f"{name} {_arrow(*values)}")


def same_chunking(a: StoredTrial, b: StoredTrial) -> bool:
    """Whether both cut documents alike; files that do not say so are known by their settings."""
    if a.chunking and b.chunking:
        return a.chunking == b.chunking
    names = {name.partition(".")[0] for name in differing(a, b)}
    return not names & {"chunk", "chunker", "chunk_size"}


def _of_code(a: StoredStudy, b: StoredStudy) -> Iterator[Cause]:
    shared = [kind for kind in a.stage_versions if kind in b.stage_versions]
    for kind in shared:
        old, new = a.stage_versions[kind], b.stage_versions[kind]
        if old != new:
            yield Cause(CauseKind.CODE, f"stage {kind} version {_arrow(old, new)}")
    if a.git_sha != b.git_sha and a.git_sha and b.git_sha:
        yield Cause(CauseKind.CODE, f"commit {_arrow(a.git_sha[:10], b.git_sha[:10])}")


def _arrow(a: object, b: object) -> str:
    return f"{'none' if a is None else a} → {'none' if b is None else b}"
