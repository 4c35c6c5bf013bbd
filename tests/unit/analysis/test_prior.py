"""Own queries and those about other repositories, weighed against each other."""

import numpy as np
import pytest

from bench.analysis import Asked, combined, expected_regrets
from bench.analysis.prior import best_prediction


def asked(
    name: str, lead: float, queries: int, *, kind: str = "api", noise: float = 0.2, seed: int = 0
) -> Asked:
    """Return queries about a repository, on which the second of two trials leads by `lead`."""
    random = np.random.default_rng((seed, len(name), queries))
    apart = random.normal(0, noise, queries)
    apart += lead - apart.mean()
    common = random.random(queries)
    return Asked(
        np.stack([common - apart / 2, common + apart / 2], axis=1),
        (name,) * queries,
        (kind,) * queries,
    )


def others(lead: float, *, apart: float = 0.03, kind: str = "api") -> Asked:
    """Return 24 queries about each of 12 repositories, whose leads differ by `apart`."""
    leads = lead + apart * np.linspace(-1.5, 1.5, 12)
    first, *rest = (
        asked(f"r{number}", own, 24, kind=kind, seed=number) for number, own in enumerate(leads)
    )
    for one in rest:
        first = first.and_those(one)
    return first


def test_the_prediction_is_the_one_by_hand() -> None:
    """Two other repositories of 4 queries, an own one of 10, and a spread of 0.05 between them.

    Each other mean has the variance 0.05 + 1/4 = 0.3, their mean 0.15, and what it says of the
    own repository 0.15 + 0.05 = 0.2. The own mean has 1/10. So it counts
    (1/0.1) / (1/0.1 + 1/0.2) = 2/3, and the variance is 1 / (10 + 5) = 1/15.
    """
    truth = 0.05 * np.eye(3)
    noisy = truth + np.diag([1 / 10, 1 / 4, 1 / 4])

    found = best_prediction(truth, noisy, np.array([1.0, 0, 0]), np.ones(3, np.bool_))

    assert found.weights == pytest.approx([2 / 3, 1 / 6, 1 / 6])
    assert found.variance == pytest.approx(1 / 15)


def test_ten_queries_hardly_move_what_others_say_and_three_hundred_replace_it() -> None:
    few, many = (combined(asked("own", -0.1, n), others(0.06)) for n in (10, 300))

    assert few.leads.argmax() == 1
    assert few.share < 0.25
    assert many.leads.argmax() == 0
    assert many.share > 0.7
    assert many.leads[1] - many.leads[0] == pytest.approx(-0.1, abs=0.03)


def test_where_repositories_differ_much_own_queries_count_more() -> None:
    alike, unlike = (combined(asked("own", -0.1, 20), others(0.06, apart=a)) for a in (0.0, 0.3))

    assert unlike.share > alike.share + 0.3


def test_the_prediction_is_for_the_kinds_of_questions_of_the_study() -> None:
    """The second trial is better on one kind of question and worse on the other."""
    mixed = others(0.2, kind="api").and_those(others(-0.2, kind="error"))

    api, error = (combined(asked("own", 0.0, 3, kind=kind), mixed) for kind in ("api", "error"))

    assert api.elsewhere.argmax() == 1
    assert error.elsewhere.argmax() == 0


def test_stand_ins_for_peoples_questions_count_less_than_these() -> None:
    """Three hundred generated questions say how a repository differs, and replace nobody's."""
    own = asked("own", -0.1, 300, kind="generated: tests")

    as_peoples = combined(own, others(0.06))
    as_stand_ins = combined(own, others(0.06), are_stand_ins=True)

    assert as_peoples.leads.argmax() == 0
    assert as_stand_ins.leads.argmax() == 1
    assert 0 < as_stand_ins.share < as_peoples.share - 0.2
    assert as_stand_ins.errors[0, 0] > as_peoples.errors[0, 0]


def test_stand_ins_predict_the_kinds_that_people_ask_elsewhere() -> None:
    """The second trial is better on api questions, of which there are as many, or three times."""
    mixed = others(0.2, kind="api").and_those(others(-0.2, kind="error"))
    mostly = mixed.and_those(others(0.2, kind="api")).and_those(others(0.2, kind="api"))
    own = asked("own", 0.0, 3, kind="generated: guides")

    level, better = (combined(own, rest, are_stand_ins=True) for rest in (mixed, mostly))

    assert level.elsewhere == pytest.approx([0, 0], abs=0.02)
    assert better.elsewhere[1] - better.elsewhere[0] == pytest.approx(0.1, abs=0.03)


def test_where_repositories_differ_much_stand_ins_count_more() -> None:
    own = asked("own", -0.1, 40, kind="generated: tests")

    alike, unlike = (
        combined(own, others(0.06, apart=apart), are_stand_ins=True) for apart in (0.0, 0.3)
    )

    assert unlike.share > alike.share + 0.2


def test_own_scores_do_not_enter_what_others_say() -> None:
    low, high = (combined(asked("own", lead, 20), others(0.06)) for lead in (-0.1, 0.1))

    assert low.elsewhere == pytest.approx(high.elsewhere)
    assert low.leads[1] < high.leads[1]


def test_equal_trials_are_expected_to_lose_nothing() -> None:
    """Nothing varies: there is no direction to predict along."""
    level = Asked(np.full((8, 2), 0.5), ("own",) * 4 + ("o",) * 4, ("api",) * 8)
    own, rest = level.without(["o"]), level.without(["own"])

    found = combined(own, rest)

    assert found.leads.tolist() == [0, 0]
    assert expected_regrets(found, 0).tolist() == [0, 0]


def test_a_lead_that_is_the_same_on_every_query_is_a_lead() -> None:
    """Nothing varies from query to query, but the second trial is better everywhere."""
    low = np.linspace(0.2, 0.8, 8)
    level = Asked(np.stack([low, low + 0.1], axis=1), ("own",) * 4 + ("o",) * 4, ("api",) * 8)

    found = combined(level.without(["o"]), level.without(["own"]))

    assert found.leads == pytest.approx([-0.05, 0.05])


def test_the_expected_regret_is_that_of_normal_draws() -> None:
    """Of two independent leads of variance v the larger is on average sqrt(v / pi) above 0."""
    found = combined(asked("own", 0.0, 30), others(0.0))
    variance = found.errors[0, 0] * 2  # both leads vary against each other

    regrets = expected_regrets(found, 0) + found.leads - found.leads.mean()

    assert regrets == pytest.approx([np.sqrt(variance / np.pi)] * 2, rel=0.1)
