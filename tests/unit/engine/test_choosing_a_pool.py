"""What execution=auto chooses, and that it says why."""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from bench.engine import Codec, Plan, Read, Record, Stage, choose


@dataclass(frozen=True)
class _Nothing:
    """No result."""


@dataclass(frozen=True)
class _Light(Stage[_Nothing]):
    kind: ClassVar[str] = "choice_light"
    codec: ClassVar[Codec[Any]] = Record(_Nothing)
    repository: str
    number: int = 0

    @property
    def subject(self) -> str:
        return self.repository

    def run(self, read: Read, /) -> _Nothing:
        return _Nothing()


@dataclass(frozen=True)
class _Heavy(_Light):
    kind: ClassVar[str] = "choice_heavy"


def light(count: int) -> list[Stage[Any]]:
    """Return so many light stages of one repository."""
    return [_Light("flask", number) for number in range(count)]


@pytest.mark.parametrize(
    ("stages", "cpu_count", "expected"),
    [
        ([], 2, ("local", 0)),
        (light(11), 2, ("local", 0)),
        (light(12), 2, ("local", 2)),
        (light(12), 1, ("local", 1)),
        ([_Heavy("flask")], 8, ("local", 1)),
        ([_Heavy("flask", 1), _Heavy("flask", 2), *light(2)], 8, ("local", 4)),
        ([_Heavy("flask"), _Light("django")], 8, ("local", 2)),
        ([_Heavy("flask"), _Heavy("django")], 2, ("ray", 2)),
        ([_Heavy("flask"), _Heavy("django")], 1, ("local", 1)),
    ],
)
def test_ray_is_for_heavy_work_on_several_repositories(
    stages: list[Stage[Any]], cpu_count: int, expected: tuple[str, int]
) -> None:
    """Otherwise processes, and for tiny plans this one."""
    found = choose(Plan.reaching(stages), cpu_count=cpu_count, heavy_kinds={"choice_heavy"})

    assert (found.kind, found.workers) == expected
    assert 0 < len(found.reason) < 80
    assert "\n" not in found.reason


def test_the_reason_says_what_decided() -> None:
    """People see it before the work starts."""
    plan = Plan.reaching([_Heavy("flask"), _Heavy("django"), _Heavy("requests")])

    found = choose(plan, cpu_count=4, heavy_kinds={"choice_heavy"})

    assert found.reason == "3 repositories to work on and 4 CPUs"
