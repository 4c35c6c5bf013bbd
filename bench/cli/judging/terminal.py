"""Judging in the terminal: the question, a candidate with its code, and one key per answer."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bench.cli.fixtures.draft_view import code_lines, wrapped
from bench.cli.fixtures.user_programs import page
from bench.errors import RankgridError
from bench.printable import one_line

if TYPE_CHECKING:
    from bench.authoring.judging import AskedFiles, Candidate, JudgedStudy

_PROMPT = "right? yes, no, skip, undo, view, quit> "
_HELP = (
    "y: right   n: not right   s: skip   u: undo the last answer\n"
    "v: view all of the code   q: quit (all answers are written)"
)
_INTERRUPTED = 130
_ANSWERS = {"y": True, "n": False, "s": None}


def converse(judged: "JudgedStudy", files: "AskedFiles") -> int:
    """Ask until all questions are answered or the user quits. Answers are written at once."""
    print("\n".join(beginning(judged, files)))
    code = 0
    try:
        if judged.current is not None:
            print(_HELP)
        while (candidate := judged.current) is not None:
            print("\n" + "\n".join(question_lines(judged, candidate, whole=False)))
            if not _answered(judged, candidate):
                break
    except EOFError:
        print("\nthe input ended")
    except KeyboardInterrupt:
        print()
        code = _INTERRUPTED
    print("\n".join(ending(judged, files)))
    return code


def beginning(judged: "JudgedStudy", files: "AskedFiles") -> Iterator[str]:
    """Yield the number of hits to judge, and the files for the answers."""
    from bench.advice import measure_label

    session = judged.session
    count = len(session.trials.trials)
    measure = measure_label(session.study.settings.advice.measure)
    if session.second:
        yield f"{session.left} hits were judged by others and not by {judged.by}"
    elif session.left:
        left = f"{len(session.leading)} of {count} trials lead in {measure}"
        yield f"{left}; {session.left} unjudged hits may change their order"
    else:
        yield "no unjudged hit would change the order of the leading trials"
    yield f"answers of {judged.by} go to {_listed(files)}"


def ending(judged: "JudgedStudy", files: "AskedFiles") -> Iterator[str]:
    """Yield the number of answers, and the next step."""
    from bench.authoring.judging import progress

    given = judged.session.given
    if not given:
        yield "no answers"
        return
    yield progress(judged)
    right = sum(bool(one.relevant) for one in given)
    written = f"{right} right and {len(given) - right} not, written to {_listed(files)}"
    yield f"{written}; run the study again to use them"
    yield from agreement_lines(files, judged) if judged.session.second else ()


def agreement_lines(files: "AskedFiles", judged: "JudgedStudy | None" = None) -> Iterator[str]:
    """Yield a line with Cohen's kappa for each pair of people who judged the same hits."""
    from bench.authoring.judging import agreements

    entries = judged.entries if judged else files.by_row
    found = agreements(one for one in entries if one is not None)
    if not found:
        yield "no hit was judged by two people; --second asks about those of others"
    for one in found:
        kappa = one.kappa
        shown = "not defined: all answers are the same" if kappa is None else f"{kappa:.2f}"
        yield one_line(
            f"{one.first} and {one.second}: {one.hits} hits judged by both, {one.equal} equal, "
            f"Cohen's kappa {shown}"
        )


def question_lines(judged: "JudgedStudy", candidate: "Candidate", *, whole: bool) -> Iterator[str]:
    """Yield the question and the code of a candidate, in at most 80 columns."""
    query, session = judged.entry(candidate).query, judged.session
    yield from wrapped("question: ", query.text)
    spot = session.spot_of(candidate)
    if candidate.target.level == "symbol":
        yield from wrapped("  ", candidate.target.symbol)
    if spot is not None:
        is_file = candidate.target.level == "file"
        yield from code_lines(spot, session.tree_of(candidate), is_file=is_file, whole=whole)


def _answered(judged: "JudgedStudy", candidate: "Candidate") -> bool:
    """Ask about a candidate until there is an answer. Return whether to continue."""
    from bench.authoring.judging import progress

    while True:
        answer = input(_PROMPT).strip().lower()[:1]
        try:
            if answer in _ANSWERS:
                judged.answer(candidate, relevant=_ANSWERS[answer])
                print(progress(judged))
                return True
            if answer == "u":
                print(progress(judged) if judged.undo() else "there is no answer to undo")
                return True
        except RankgridError as error:
            print(one_line(error.message))
            continue
        if answer == "q":
            return False
        if answer == "v":
            page("\n".join(question_lines(judged, candidate, whole=True)))
        else:
            print(_HELP)


def _listed(files: "AskedFiles") -> str:
    return ", ".join(map(str, files.files))
