"""What a worker remembers of its inputs, and how much at most."""

from hypothesis import given
from hypothesis import strategies as st

from bench.engine.caches import Memory
from bench.engine.task import _MEMORY


def test_what_was_used_longest_ago_is_dropped_first() -> None:
    """Using a value keeps it."""
    memory = Memory(bound=2)
    memory.keep("a", "A", 1)
    memory.keep("b", "B", 1)
    memory.get("a")

    memory.keep("c", "C", 1)

    assert [memory.get(name) for name in "abc"] == ["A", None, "C"]


def test_a_value_larger_than_the_bound_drops_nothing() -> None:
    """It would not fit however much went."""
    memory = Memory(bound=2)
    memory.keep("a", "A", 2)

    memory.keep("b", "B", 3)

    assert [memory.get(name) for name in "ab"] == ["A", None]


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 9))), st.integers(0, 20))
def test_the_bound_holds_whatever_is_kept(kept: list[tuple[str, int]], bound: int) -> None:
    """Also when the same value comes twice."""
    memory = Memory(bound)
    sizes: dict[str, int] = {}

    for name, size in kept:
        if memory.get(name) is None:
            sizes[name] = size
        memory.keep(name, name, size)

        assert sum(sizes[one] for one in sizes if memory.get(one)) <= bound


def test_a_worker_keeps_few_inputs() -> None:
    """Many workers share a machine."""
    assert 0 < _MEMORY.bound <= 192_000_000
