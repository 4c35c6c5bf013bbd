"""What every choice of `reranker=` promises; the choices are read from conf/."""

import numpy as np
import pytest

from tests.contract.choices import CONF, QUERIES, TEXTS, AskServed, Trying, check, repository_trial

RERANKERS = sorted(path.stem for path in (CONF / "reranker").glob("*.yaml"))
every_reranker = pytest.mark.parametrize("kind", RERANKERS)


@every_reranker
def test_a_reranker_reorders_the_first_hits_and_loses_none(trying: Trying, kind: str) -> None:
    """What stood behind stays behind, in its order."""
    typed = [] if kind == "off" else ["reranker.depth=2"]
    stages = repository_trial(trying.reranker(kind, *typed))

    before, after = trying.made(stages.ruled_ranking), trying.made(stages.ranking)

    check(after, trying.made(stages.chunks), queries=len(QUERIES), depth=1000)
    for query in range(len(QUERIES)):
        old, new = before.of_query(query)[0].tolist(), after.of_query(query)[0].tolist()
        assert sorted(old[:2]) == sorted(new[:2])
        assert old[2:] == new[2:]


@every_reranker
def test_a_reranker_gives_the_same_order_again(trying: Trying, kind: str) -> None:
    """Stored scores equal computed ones to the last bit."""
    stages = repository_trial(trying.reranker(kind))

    once, again = trying.made(stages.ranking), trying.made(stages.ranking, is_fresh=True)

    assert stages.ranking.codec.encode(once) == stages.ranking.codec.encode(again)


@pytest.mark.parametrize("kind", [kind for kind in RERANKERS if kind != "off"])
def test_a_reranker_may_leave_less_than_it_was_given(trying: Trying, kind: str) -> None:
    """So many as are to be kept."""
    stages = repository_trial(trying.reranker(kind, "reranker.keep=1"))

    rankings = trying.made(stages.ranking)

    assert np.diff(rankings.stops, prepend=0).max() == 1


@every_reranker
def test_a_served_reranker_gives_no_more_than_asked_for(trying: Trying, kind: str) -> None:
    """And what was judged."""
    stages = repository_trial(trying.reranker(kind))
    judged = trying.made(stages.ranking)

    shown = trying.made(AskServed(stages.served, TEXTS, (2,))).chunks

    assert all(len(set(own)) == len(own) <= 2 for own in shown)
    assert [own[:1] for own in shown] == [
        tuple(judged.of_query(query)[0][:1].tolist()) for query in range(len(TEXTS))
    ]


@every_reranker
def test_a_reranker_reads_as_many_files_as_its_depth_and_lists_each_once(
    trying: Trying, kind: str
) -> None:
    """The unit comes before it: of a list of chunks it would read two of the same file."""
    typed = [] if kind == "off" else ["reranker.depth=2"]
    stages = repository_trial(trying.reranker(kind, "retriever.unit=file", *typed))
    document = trying.made(stages.chunks).document

    before, after = trying.made(stages.listed_ranking), trying.made(stages.ranking)
    shown = trying.made(AskServed(stages.served, TEXTS, (2,))).chunks

    for query in range(len(QUERIES)):
        old, new = before.of_query(query)[0].tolist(), after.of_query(query)[0].tolist()
        assert sorted(old[:2]) == sorted(new[:2])
        assert old[2:] == new[2:]
        assert len(set(document[new].tolist())) == len(new)
        assert list(shown[query]) == new[:2]
