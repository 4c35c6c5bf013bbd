"""More questions by wider rules, where a repository has few fair ones."""

import re

from bench.authoring.generated import FEW, Generated, Generating, generate
from bench.launcher.generated import about_made
from bench.study.origins import WIDER
from retrievers.interface import Documents

THINGS = re.split(
    r",\s+",
    """red apples autumn orchards, wooden chairs kitchen tables, letters distant cousins wrote,
    bicycles without working brakes, songs forgotten harbours, silver spoons grandmother owned,
    blankets winter shelters, lanterns narrow mountain paths, tickets evening theatres,
    kites children lost yesterday, bread village bakers made, maps unknown southern islands,
    clocks railway stations, umbrellas rainy festivals, carpets royal palaces,
    violins travelling musicians, ladders tall libraries, baskets market women carry,
    mirrors empty ballrooms, candles sleeping monks, boats wide frozen lakes,
    gloves careful gardeners, telescopes lonely astronomers, hammers busy carpenters,
    pencils bored pupils, ropes daring climbers""",
)


def made(used: int, unused: int, *, widen_below: int = FEW, hidden: str = "") -> Generated:
    """Return what is made of functions with a file each; another file names the used ones."""
    tree = {}
    for number, thing in enumerate(THINGS[: used + unused]):
        code = f'def step_{number}(data):\n    """Collect {thing}."""\n    return data.go(1)[2:]\n'
        tree[f"part_{number:02}.py"] = code
    tree["use.py"] = "".join(f"from part import step_{number}\n" for number in range(used))
    tree["internal.py"] = hidden
    return generate(Documents.of(list(tree.items())), Generating(widen_below=widen_below))


def test_with_few_fair_questions_more_are_made_and_marked() -> None:
    found = made(3, 12)

    marks = [one.query.tags for one in found.entries]
    assert marks == [()] * 3 + [(WIDER,)] * 12
    asked = [target.symbol for one in found.entries[:3] for target in one.query.targets]
    assert asked == [f"part_{number:02}.py::step_{number}" for number in range(3)]
    assert len({one.query.id for one in found.entries}) == 15
    assert all(one.generated and one.hidden for one in found.entries)
    assert found.wider == 12
    said = about_made(found)[1]
    assert said == (
        "fair questions: 3 only; 12 more were made by wider rules (tag: wider); about half"
        " of these read as fair"
    )


def test_with_enough_fair_questions_none_is_made_by_wider_rules() -> None:
    found = made(25, 1)

    assert [one.query.tags for one in found.entries] == [()] * 25
    assert found.wider == 0
    assert not any("wider" in line for line in about_made(found))


def test_nothing_is_widened_unless_wanted() -> None:
    assert len(made(3, 12, widen_below=0).entries) == 3


def test_wider_rules_keep_what_would_give_answers_away_or_is_not_for_users() -> None:
    hidden = (
        'def borrow_books(a):\n    """Borrow books which strangers returned."""\n    go(a)\n\n\n'
        'def walk(a):\n    """Feed grey pigeons every noon.\n\n    Internal helper.\n'
        '    """\n    go(a)\n'
    )

    found = made(3, 12, hidden=hidden)

    assert len(found.entries) == 15
    assert found.rejected == {"names its answer": 1, "internal or generated": 1}


def test_wider_rules_accept_a_question_that_another_definition_answers_as_well() -> None:
    said = "Collect autumn apples, red and green, from orchards every summer evening"

    found = made(3, 12, hidden=f'def rival(a):\n    """{said}."""\n    go(a)\n')

    marks = {one.query.text: one.query.tags for one in found.entries}
    assert marks[f"Collect {THINGS[0]}"] == (WIDER,)
    assert marks[f"Collect {THINGS[1]}"] == ()
    assert len(marks) == 16
