"""Documents that contain questions of a study word for word.

A document may contain several questions without being their answer, such as notes on the
questions. It then ranks first for each of them and hides other results. A question may also be
part of its own answer, such as a question that was copied from a docstring. The search is then
easier than it should be.
"""

from collections.abc import Callable, Mapping, Sequence

from bench.engine import Fingerprint, Outcome, Plan
from bench.errors import UsageError
from bench.queries import CopiedQuestion, CopyingDocument, Query, QuestionCopies, words_of
from bench.stages import CheckOutFolder
from bench.study.repository_trial import Judged
from bench.study.study import Study

FEWEST_QUESTIONS = 3
"""Number of questions from which a document counts as a copy. Fewer may be a coincidence."""
CarryOut = Callable[[Plan], Mapping[Fingerprint, Outcome]]


def refuse_copies(study: Study, carry_out: CarryOut) -> dict[Fingerprint, Outcome]:
    """Refuse documents with several questions before the long stages; return the outcomes.

    Planning cannot check a pinned source, because a stage reads it. This check needs little more
    than the documents, so it runs before all other stages, even for folders. A stage that fails
    here runs again with the others, and its trials report the reason.
    """
    if study.corpus.question_copies == "allow":
        return {}
    ends = study.trials[0].judged
    checks = [end.repository.copies for end in ends if end.repository.copies]
    outcomes = study.carry_out(carry_out, early=checks) if checks else {}
    # Locating the answers takes the time of parsing, so only suspects are parsed.
    suspects = [end for end in ends if any(map(_is_copy, _rows(study, end).values()))]
    answers = [one for end in suspects for one in (end.scores.judgements, end.scores.documents)]
    outcomes |= study.carry_out(carry_out, early=answers) if answers else {}
    known = [end for end in suspects if not study.has_failed(end.scores.judgements)]
    found = [(end, one) for end in known for one in _copies_in(study, end).in_others]
    if found:
        raise UsageError(_refusal(found))
    return outcomes


def question_copies(study: Study, ends: Sequence[Judged]) -> QuestionCopies:
    """Return the copied questions in the repositories `ends`, which must have all their
    results."""
    found = [_copies_in(study, end) for end in ends]
    return QuestionCopies(
        tuple(copied for one in found for copied in one.in_answers),
        tuple(document for one in found for document in one.in_others),
    )


def _rows(study: Study, end: Judged) -> dict[str, list[Query]]:
    """Return the questions in each document, by path."""
    stage = end.repository.copies
    found: dict[str, list[Query]] = {}
    if stage is not None and not study.has_failed(stage):
        copies = study.result_of(stage)
        for number, path in zip(copies.query, copies.path, strict=True):
            found.setdefault(path, []).append(end.repository.queries[number])
    return found


def _is_copy(queries: Sequence[Query]) -> bool:
    """Return True if a document has enough different questions; a repeated one counts once."""
    texts = {tuple(words_of(query.text)) for query in queries}
    return len(texts) >= FEWEST_QUESTIONS


def _copies_in(study: Study, end: Judged) -> QuestionCopies:
    rows, place = _rows(study, end), end.repository.place
    answers = _answers(study, end) if rows else {}
    leaks, documents = [], []
    for path, queries in rows.items():
        others = [query for query in queries if path not in answers[query.id]]
        leaks += [
            CopiedQuestion(place, query.id, path)
            for query in queries
            if query not in others and not query.is_exact
        ]
        if _is_copy(others):
            ids = tuple(query.id for query in others)
            documents.append(CopyingDocument(place, path, ids))
    return QuestionCopies(tuple(leaks), tuple(documents))


def _answers(study: Study, end: Judged) -> dict[str, set[str]]:
    """Return the paths of all files with targets of each query, at any level."""
    judgements = study.result_of(end.scores.judgements)
    paths = study.result_of(end.scores.documents).paths
    ids = [query.id for query in end.repository.queries]
    found: dict[str, set[str]] = {name: set() for name in ids}
    rows = zip(judgements.query.tolist(), judgements.document.tolist(), strict=True)
    for number, document in rows:
        found[ids[number]].add(paths[document])
    return found


def _refusal(found: Sequence[tuple[Judged, CopyingDocument]]) -> str:
    """Return an error that names the document with the most questions, and the remedy."""
    end, document = max(found, key=lambda one: len(one[1].queries))
    is_folder = isinstance(end.repository.documents, CheckOutFolder)
    remedy = "Remove it, add it to .gitignore" if is_folder else "Pin a source without it"
    more = len(found) - 1
    others = f" The same goes for {more} more {'document' if more == 1 else 'documents'}."
    return (
        f"question_copies=refuse: {document.path} of {document.repository} holds "
        f"{len(document.queries)} of the {len(end.repository.queries)} questions word for word "
        "and is not their answer. It would rank above the answers. "
        f"{remedy}, or pass question_copies=allow.{others if more else ''}"
    )
