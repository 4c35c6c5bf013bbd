"""Notes on documents that contain questions word for word."""

from collections.abc import Iterator

from bench.queries import QuestionCopies

_NAMED = 5


def notes_on_copies(copies: QuestionCopies, *, asked: int) -> tuple[str, ...]:
    """Return a note on questions inside their own answers, and one for each allowed document."""
    return (*_leaks(copies, asked), *_allowed(copies))


def _leaks(copies: QuestionCopies, asked: int) -> Iterator[str]:
    found = dict.fromkeys((one.repository, one.query) for one in copies.in_answers)
    if not found:
        return
    ids = [query for _, query in found]
    more = ", …" if len(ids) > _NAMED else ""
    are, they = ("is", "it is") if len(ids) == 1 else ("are", "they are")
    answers = "its own answer" if len(ids) == 1 else "their own answers"
    yield (
        f"{len(ids)} of {asked} {'question' if asked == 1 else 'questions'} {are} word for word "
        f"in {answers} ({', '.join(ids[:_NAMED])}{more}); "
        f"{they} easier to find than a question in other words"
    )


def _allowed(copies: QuestionCopies) -> Iterator[str]:
    for one in copies.in_others[:_NAMED]:
        yield (
            f"question_copies=allow: {one.path} of {one.repository} holds "
            f"{len(one.queries)} questions word for word and is not their answer; "
            "it may rank above the answers"
        )
    more = len(copies.in_others) - _NAMED
    if more > 0:
        documents = "document" if more == 1 else "documents"
        yield f"question_copies=allow: {more} more {documents} like that"
