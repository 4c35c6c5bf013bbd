"""Known differences between two studies, which may explain different numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bench.compare.pairing import differing
from bench.compare.questions import is_changed_tree, shared_questions
from bench.results import QueryResult, StudyResult, TrialResult

_LISTED = 5
_MODEL = ("embedding_model", "dtype", "embedder")
_SAID_ELSEWHERE = ("use_reranker", "chunk_size", "chunk", *_MODEL)


class CauseKind(StrEnum):
    """The kind of a known difference."""

    CORPUS = "corpus"
    SOURCE = "source"
    FIXTURES = "fixtures"
    MEASURES = "measures"
    LEVEL = "level"
    CREDIT = "credit"
    CHUNKER = "chunker"
    MODEL = "model"
    SETTING = "setting"
    CODE = "code"


_BREAKS = (
    CauseKind.CORPUS,
    CauseKind.FIXTURES,
    CauseKind.MEASURES,
    CauseKind.LEVEL,
    CauseKind.CREDIT,
)


@dataclass(frozen=True)
class Cause:
    """A difference between two runs, in words."""

    kind: CauseKind
    text: str

    @property
    def breaks(self) -> bool:
        """Whether the numbers of the two runs answer different questions."""
        return self.kind in _BREAKS

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


def known_causes(
    a: StudyResult, b: StudyResult, trial_a: TrialResult, trial_b: TrialResult
) -> tuple[Cause, ...]:
    """Return all known differences, first those that make the studies incomparable."""
    return (*study_causes(a, b), *_of_trials(trial_a, trial_b), *_of_code(a, b))


def study_causes(a: StudyResult, b: StudyResult) -> tuple[Cause, ...]:
    """Return the differences in corpus, queries and measures."""
    return (
        *_of_choice(a, b),
        *_of_corpus(a, b),
        *_of_fixtures(a, b),
        *_of_measures(a, b),
        *_of_level(a, b),
        *_of_credit(a, b),
    )


def _of_choice(a: StudyResult, b: StudyResult) -> Iterator[Cause]:
    """Yield different settings that choose queries, if they selected different queries."""
    if a.choice != b.choice and _queries_of(a) != _queries_of(b):
        asked = [study.choice or "all queries" for study in (a, b)]
        yield Cause(CauseKind.FIXTURES, f"a asks {asked[0]}, b asks {asked[1]}")


def _queries_of(study: StudyResult) -> dict[str, str]:
    """Return a digest of each repository's queries."""
    return {one.repository: one.queries for one in study.corpus}


def _of_corpus(a: StudyResult, b: StudyResult) -> Iterator[Cause]:
    unsaid = [name for name, study in (("a", a), ("b", b)) if not study.corpus]
    if unsaid:
        text = f"{' and '.join(unsaid)} does not say what was searched; run that study again"
        yield Cause(CauseKind.CORPUS, text)
        return
    before, after = a.corpus_by_name, b.corpus_by_name
    for name in [name for name in before if name not in after]:
        yield Cause(CauseKind.CORPUS, f"{name} is only in a")
    for name in [name for name in after if name not in before]:
        yield Cause(CauseKind.CORPUS, f"{name} is only in b")
    for name in _shared(a, b):
        if is_changed_tree(a, b, name):
            yield _of_changed_tree(a, b, name)


def _of_changed_tree(a: StudyResult, b: StudyResult, repository: str) -> Cause:
    """Return a remark if the questions can be matched, and else that they cannot."""
    unsaid = [name for name, study in (("a", a), ("b", b)) if not study.questions]
    if not unsaid:
        return Cause(CauseKind.SOURCE, f"{repository} is not the same source tree")
    text = (
        f"{repository} is not the same source tree, and how its targets were found is not "
        f"recorded in {' and '.join(unsaid)}; run that study again with this rankgrid"
    )
    return Cause(CauseKind.CORPUS, text)


def _of_fixtures(a: StudyResult, b: StudyResult) -> Iterator[Cause]:
    for name in _shared(a, b):
        if a.corpus_by_name[name].queries != b.corpus_by_name[name].queries:
            changed = _changed_queries(a, b, name)
            if changed:
                yield Cause(CauseKind.FIXTURES, f"{name}: {changed}")


def _shared(a: StudyResult, b: StudyResult) -> list[str]:
    return [name for name in a.corpus_by_name if name in b.corpus_by_name]


def _changed_queries(a: StudyResult, b: StudyResult, repository: str) -> str:
    """Return the queries that were added, removed or changed, from any trial with results.

    The result is "" if only line numbers changed and the lines have the same text.
    """
    before, after = _asked(a, repository), _asked(b, repository)
    shared, questions = [key for key in before if key in after], shared_questions(a, b)
    parts = (
        ("added", [key for key in after if key not in before]),
        ("removed", [key for key in before if key not in after]),
        ("changed", [key for key in shared if not questions.are_same(before[key], after[key])]),
    )
    said = [f"{_listed(names)} {verb}" for verb, names in parts if names]
    if not said and shared and a.questions and b.questions:
        return ""
    return "; ".join(said) or "the grades or places of answers changed"


def _asked(study: StudyResult, repository: str) -> dict[str, QueryResult]:
    queries = next((trial.by_key for trial in study.trials if trial.queries), {})
    return {key[1]: query for key, query in queries.items() if key[0] == repository}


def _listed(names: list[str]) -> str:
    more = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {more} more" if more > 0 else "")


def _of_measures(a: StudyResult, b: StudyResult) -> Iterator[Cause]:
    if a.measure_version != b.measure_version:
        text = f"version {a.measure_version} in a, {b.measure_version} in b"
        yield Cause(CauseKind.MEASURES, text)


def _of_level(a: StudyResult, b: StudyResult) -> Iterator[Cause]:
    if a.level != b.level:
        yield Cause(CauseKind.LEVEL, f"a is measured at {a.level} level, b at {b.level} level")


def _of_credit(a: StudyResult, b: StudyResult) -> Iterator[Cause]:
    if a.symbol_credit != b.symbol_credit and "symbol" in (a.level, b.level):
        text = f"symbols have {a.symbol_credit} credit in a, {b.symbol_credit} credit in b"
        yield Cause(CauseKind.CREDIT, text)


def _of_trials(a: TrialResult, b: TrialResult) -> Iterator[Cause]:
    apart = differing(a, b)
    if not same_chunking(a, b):
        sizes = apart.get("chunk_size") or apart.get("chunk")
        text = f"chunks of {_arrow(*sizes)} tokens" if sizes else "documents are cut differently"
        yield Cause(CauseKind.CHUNKER, text)
    for name in _MODEL:
        if name in apart:
            yield Cause(CauseKind.MODEL, f"{name} {_arrow(*apart[name])}")
    for name, values in apart.items():
        if name not in _SAID_ELSEWHERE:
            yield Cause(CauseKind.SETTING, f"{name} {_arrow(*values)}")
    if a.prompt and b.prompt and a.prompt != b.prompt:
        text = f"the text of the answerer's template {_arrow(a.prompt, b.prompt)}"
        yield Cause(CauseKind.SETTING, text)


def same_chunking(a: TrialResult, b: TrialResult) -> bool:
    """Return whether both cut documents in the same way.

    Older files do not record the chunking and are compared by their settings.
    """
    if a.chunking and b.chunking:
        return a.chunking == b.chunking
    names = {name.partition(".")[0] for name in differing(a, b)}
    return not names & {"chunk", "chunker", "chunk_size"}


def _of_code(a: StudyResult, b: StudyResult) -> Iterator[Cause]:
    shared = [kind for kind in a.stage_versions if kind in b.stage_versions]
    for kind in shared:
        old, new = a.stage_versions[kind], b.stage_versions[kind]
        if old != new:
            yield Cause(CauseKind.CODE, f"stage {kind} version {_arrow(old, new)}")
    if a.git_sha != b.git_sha and a.git_sha and b.git_sha:
        yield Cause(CauseKind.CODE, f"commit {_arrow(a.git_sha[:10], b.git_sha[:10])}")


def _arrow(a: object, b: object) -> str:
    return f"{'none' if a is None else a} → {'none' if b is None else b}"
