"""The name and the documentation of a test ask for the definitions that it exercises.

A definition that many tests exercise is not what a single one is about. The file of the test is
hidden from every trial.
"""

from collections import Counter
from collections.abc import Iterator

from bench.authoring.generated.candidates import Candidate, Reading, Rejection
from bench.authoring.generated.plain import name_words, sentences
from bench.queries import Target

_FEW_TESTS = 3
_MOST_ANSWERS = 3
_NO_WORDS = frozenset(("test", "tests", "it", "should", "spec"))


def from_tests(reading: Reading) -> Iterator[Candidate | Rejection]:
    """Yield a question for each test that exercises something of its own."""
    subjects = reading.pairs("tests")
    exercised = Counter(target for own in subjects.values() for target in {row for row, _ in own})
    for test in sorted(subjects):
        if test >= len(reading.symbols):
            continue
        rows = sorted({row for row, _ in subjects[test]} & reading.asked)
        own = tuple(row for row in rows if exercised[row] <= _FEW_TESTS)
        if not own:
            continue
        if len(own) > _MOST_ANSWERS:
            yield "too many answers"
            continue
        path = reading.path(test)
        hidden = (Target("file", path=path),)
        start, end = reading.tree.lines_of(reading.tree.definition(test))
        yield Candidate("tests", _text(reading, test), own, path, start, end, hidden)


def _text(reading: Reading, test: int) -> str:
    words = [word for word in name_words(reading.simple(test)) if word not in _NO_WORDS]
    return ". ".join(filter(None, (" ".join(words), sentences(reading.symbols.docs[test]))))
