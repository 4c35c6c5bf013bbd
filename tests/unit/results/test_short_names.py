"""Short names of trials: the parts that differ, within the width, and each name only once."""

from hypothesis import given
from hypothesis import strategies as st

from bench.results.short_names import headed_names, short_names


def test_what_all_names_share_is_said_once() -> None:
    found = short_names(["chunk=512 reranker=on weight=0.3", "chunk=512 reranker=off weight=0.3"])

    assert found.shared == "chunk=512 weight=0.3"
    assert list(found.of.values()) == ["reranker=on", "reranker=off"]


def test_spaces_in_a_value_begin_no_part() -> None:
    found = short_names(["weights=[0.2, 0.8] chunk=64", "weights=[0.2, 0.6] chunk=64"])

    assert found.shared == "chunk=64"
    assert list(found.of.values()) == ["weights=[0.2, 0.8]", "weights=[0.2, 0.6]"]


def test_a_label_and_the_only_trial_keep_their_names() -> None:
    assert short_names(["nightly build", "chunk=64"]).of["nightly build"] == "nightly build"
    assert short_names(["chunk=64 reranker=on"]).of == {
        "chunk=64 reranker=on": "chunk=64 reranker=on"
    }


def test_a_name_that_is_part_of_another_is_not_cut_to_nothing() -> None:
    found = short_names(["chunk=64", "chunk=64 reranker=on"])

    assert found.shared == ""
    assert list(found.of.values()) == ["chunk=64", "chunk=64 reranker=on"]


def test_groups_go_first_where_there_is_no_room_for_them() -> None:
    names = ["retriever.walk.alpha=0.5 chunker.overlap=8", "retriever.walk.alpha=1 chunk=64"]

    assert short_names(names, room=60).of[names[0]] == names[0]
    assert short_names(names, room=30).of[names[0]] == "alpha=0.5 overlap=8"


def test_settings_that_end_alike_keep_their_groups() -> None:
    names = ["retriever.model=a reranker.model=b", "retriever.model=c reranker.model=d"]

    assert short_names(names, room=34).of[names[0]] == names[0]


def test_the_middle_of_what_is_still_too_long_is_left_out() -> None:
    found = short_names(["embedder.model=/models/first/large", "embedder.model=/x"], room=15)

    assert list(found.of.values()) == ["model=/…t/large", "model=/x"]


def test_names_that_are_equal_when_cut_are_numbered() -> None:
    found = short_names(["embedder=aaaa1bbbb", "embedder=aaaa2bbbb"], room=9)

    assert list(found.of.values()) == ["embe…bbbb", "em…bb (2)"]


@given(st.lists(st.text("ab= .xyz", min_size=1), min_size=1, unique=True), st.integers(12, 40))
def test_short_names_fit_and_differ(names: list[str], room: int) -> None:
    found = short_names(names, room).of

    assert list(found) == names
    assert len(set(found.values())) == len(names)
    assert all(len(text) <= room for text in found.values())


def test_values_stand_under_their_settings_where_whole_names_do_not_fit() -> None:
    names = [
        f"retriever={retriever} chunk={size} chunker={chunker} reranker=off"
        for retriever in ("bm25", "lexical")
        for size in (256, 2048)
        for chunker in ("recursive", "symbol")
    ]

    found = headed_names(names, 30)

    assert found.heading == "retriever chunk chunker"
    assert found.shared == "reranker=off"
    assert found.of[names[0]] == "bm25 256 recursive"
    assert found.of[names[-1]] == "lexical 2048 symbol"


def test_names_that_fit_keep_their_settings() -> None:
    found = headed_names(["chunk=256 retriever=bm25", "chunk=512 retriever=bm25"], 30)

    assert (found.heading, list(found.of.values())) == ("trial", ["chunk=256", "chunk=512"])


def test_names_of_different_settings_are_not_cut_to_values() -> None:
    long = "retriever=command retriever.command=" + "x" * 40

    found = headed_names(["retriever=bm25 chunk=256", long], 30)

    assert found.heading == "trial"
    assert found.of["retriever=bm25 chunk=256"] == "retriever=bm25 chunk=256"
