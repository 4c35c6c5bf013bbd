"""A swept setting that changes no ranking is named, with the reason where it is known."""

from dataclasses import replace

from bench.results import TrialResult
from bench.results.query_result import Hit
from bench.results.unmoved import notes_on_unmoved
from tests.unit.report.sample_study import several

KIND = "retriever.walk.weights.reads_env"


def trial(axes: dict[str, object], *paths: str) -> TrialResult:
    """Return a trial whose every query has hits in these files."""
    name = " ".join(f"{axis}={value}" for axis, value in axes.items())
    made = several(name, better=0.0, queries=4)
    hits = tuple(Hit(path, 1, 9) for path in paths)
    return replace(
        made, axes=axes, queries=tuple(replace(query, hits=hits) for query in made.queries)
    )


def test_a_setting_that_changes_no_ranking_is_named_with_its_values_and_the_reason() -> None:
    trials = [trial({KIND: value}, "a.py", "b.py") for value in (0.4, 1)]

    (note,) = notes_on_unmoved(trials)

    assert note == (
        f"{KIND}=0.4,1 changed no ranking here: no edges of this kind, or none between symbols"
        " that were found"
    )


def test_a_setting_without_a_known_reason_is_named_by_what_was_seen() -> None:
    (note,) = notes_on_unmoved([trial({"retriever.b": value}, "a.py") for value in (0, 1)])

    assert note.endswith("every query has the same hits in the same order")


def test_a_setting_of_an_engine_is_named_only_where_it_ranks() -> None:
    timed = [trial({"vectors.m": value}, "a.py") for value in (8, 16)]
    ranked = [replace(one, ranked_by="an engine") for one in timed]

    assert list(notes_on_unmoved(timed)) == []
    (note,) = notes_on_unmoved(ranked)
    assert note.startswith("vectors.m=8,16 changed no ranking here: vectors.scan_below_kilobytes")


def test_another_order_of_one_query_is_a_change() -> None:
    first = trial({KIND: 0.4}, "a.py", "b.py")
    other = trial({KIND: 1}, "a.py", "b.py")
    turned = replace(other.queries[0], hits=other.queries[0].hits[::-1])
    second = replace(other, queries=(turned, *other.queries[1:]))

    assert list(notes_on_unmoved([first, second])) == []


def test_each_setting_is_judged_by_trials_that_differ_in_it_alone() -> None:
    trials = [
        trial({KIND: kind, "retriever.walk.alpha": alpha}, f"{alpha}.py")
        for kind in (0.4, 1)
        for alpha in (0.2, 0.5)
    ]

    (note,) = notes_on_unmoved(trials)

    assert note.startswith(KIND)


def test_a_setting_that_counts_beside_one_value_of_another_is_not_named() -> None:
    trials = [
        trial(
            {KIND: kind, "retriever.walk.alpha": alpha}, "a.py" if alpha == 0.2 else f"{kind}.py"
        )
        for kind in (0.4, 1)
        for alpha in (0.2, 0.5)
    ]

    assert list(notes_on_unmoved(trials)) == []


def test_engines_of_vectors_and_a_setting_with_one_value_are_not_named() -> None:
    engines = [trial({"vectors.m": value}, "a.py") for value in (8, 16)]

    assert list(notes_on_unmoved(engines)) == []
    assert list(notes_on_unmoved([trial({KIND: 1}, "a.py")])) == []
