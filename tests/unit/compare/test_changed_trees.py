"""Two studies of different trees: the questions that both have are compared, the others named."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from bench.compare import Pair, Reason, compare, match_queries, shared_questions, study_causes
from bench.compare.text_page import counted
from bench.errors import UsageError
from bench.gate import Allowed, Asked, State, Verdict, judge
from bench.queries import TargetState
from bench.results import AskedQuestion, RepositoryIdentity, StudyResult
from tests.unit.compare.sample_results import query, results, study, trial

HERE = TargetState("Target")
LINES = TargetState("a.py:1-4", "", "", "aaaaaabbbbbbccccccdddddd")


def searched(
    tree: str, states: Mapping[str, TargetState], *, rank: int | None = 1, digest: str = "question"
) -> StudyResult:
    """Return a stored study of a tree, with the state of each query's target."""
    made = study([trial([query(f"x/{name}", rank) for name in states])])
    questions = tuple(AskedQuestion("x", name, digest, (one,)) for name, one in states.items())
    identity = RepositoryIdentity("x", tree * 16, "q" * 16, len(states))
    return results(replace(made, corpus=(identity,), questions=questions))


def gated(before: StudyResult, after: StudyResult) -> Verdict:
    """Return the verdict of a study against a baseline."""
    return judge(after, Asked(allowed=Allowed()), baseline=before)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (HERE, replace(HERE, lost="gone"), Reason.GONE),
        (HERE, replace(HERE, lost="ambiguous"), Reason.AMBIGUOUS),
        (LINES, replace(LINES, lost="rewritten"), Reason.REWRITTEN),
        (LINES, replace(LINES, lines="aaaaaa111111222222333333"), Reason.REWRITTEN),
        (replace(HERE, lost="gone"), HERE, Reason.NEW),
    ],
)
def test_a_question_of_which_a_tree_lacks_the_target_is_left_out(
    before: TargetState, after: TargetState, reason: Reason
) -> None:
    a = searched("d", {"kept": HERE, "lost": before})
    b = searched("e", {"kept": HERE, "lost": after})

    matched = match_queries(a.trials[0], b.trials[0], shared_questions(a, b))

    assert [one.query for one in matched.both] == ["kept"]
    assert [(one.name, one.reason) for one in matched.dropped] == [("x/lost", reason)]
    assert matched.dropped_share == 0.5


@pytest.mark.parametrize(
    "after",
    [
        LINES,
        replace(LINES, at="a.py:9-12"),
        replace(LINES, written="a.py:9-12"),
        replace(LINES, lines="aaaaaabbbbbb111111cccccc"),
    ],
)
def test_lines_that_say_the_same_are_compared_wherever_they_are(after: TargetState) -> None:
    """Their file may have been brought up to date: then it says other lines, not other answers."""
    a, b = searched("d", {"one": LINES}), searched("e", {"one": after})
    identity = replace(b.corpus[0], queries="r" * 16)

    matched = match_queries(a.trials[0], b.trials[0], shared_questions(a, b))

    assert len(matched.both) == 1
    assert not any(one.breaks for one in study_causes(a, replace(b, corpus=(identity,))))


def test_the_same_tree_leaves_nothing_out() -> None:
    one = searched("d", {"one": HERE, "lost": replace(HERE, lost="gone")})

    assert shared_questions(one, one).dropped == {}


def test_another_question_under_the_same_id_cannot_be_compared() -> None:
    """An edited query file breaks the comparison, as it does without a change of the code."""
    a = searched("d", {"one": HERE})
    b = searched("e", {"one": HERE}, digest="another")
    b = replace(b, corpus=(replace(b.corpus[0], queries="r" * 16),))

    found = gated(a, b)

    assert (found.state, found.exit_code) == (State.NOT_COMPARABLE, 4)
    assert "fixtures: x: one changed" in found.lines[0]


def test_the_gate_passes_on_what_is_left_and_lists_the_rest() -> None:
    names = [f"q{number}" for number in range(9)]
    a = searched("d", dict.fromkeys([*names, "lost"], HERE))
    b = searched("e", {**dict.fromkeys(names, HERE), "lost": replace(HERE, lost="gone")})

    found = gated(a, b)

    assert (found.state, found.exit_code) == (State.PASS, 0)
    assert "9 of 10 queries are compared; left out:" in found.checks[0].lines
    assert "1 gone (a target is no longer in the code): x/lost" in found.checks[0].lines
    assert not [line for line in found.checks[0].lines if line.startswith("warning")]


def test_many_lost_questions_are_a_warning() -> None:
    lost = replace(HERE, lost="gone")
    a = searched("d", {"a": HERE, "b": HERE, "c": HERE})
    b = searched("e", {"a": HERE, "b": HERE, "c": lost})

    found = gated(a, b)

    assert found.exit_code == 0
    assert "warning: 33% of the queries are left out" in found.checks[0].lines[-1]


def test_nothing_left_is_not_comparable_and_says_why() -> None:
    a = searched("d", {"one": HERE})
    b = searched("e", {"one": replace(HERE, lost="gone")})

    found = gated(a, b)

    assert found.exit_code == 4
    assert "every query lost a target" in found.lines[0]
    assert "1 gone" in found.lines[1]
    with pytest.raises(UsageError, match="no target of one tree is in the other"):
        compare(a, b, Pair(a.trials[0], b.trials[0], "as named"))


def test_moved_lines_are_named_so_that_their_file_is_updated() -> None:
    a = searched("d", {"one": LINES})
    b = searched("e", {"one": replace(LINES, at="a.py:9-12")})

    found = gated(a, b)

    assert any("the lines of x/one moved" in note for note in found.notes)


def test_a_file_of_an_earlier_version_breaks_only_where_the_tree_changed() -> None:
    """It does not record its targets; the remedy is in the line."""
    a = searched("d", {"one": HERE})
    old = replace(a, questions=())

    same, other = gated(old, a), gated(old, searched("e", {"one": HERE}))

    assert same.exit_code == 0
    assert other.exit_code == 4
    assert "is not recorded in a; run that study again with this rankgrid" in other.lines[0]


def test_a_comparison_shows_what_it_left_out() -> None:
    a = searched("d", {"kept": HERE, "lost": HERE})
    b = searched("e", {"kept": HERE, "lost": replace(HERE, lost="gone")})

    report = compare(a, b, Pair(a.trials[0], b.trials[0], "as named"))

    assert "left out: 1 gone (a target is no longer in the code): x/lost" in counted(report)
