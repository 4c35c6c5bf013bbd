"""Puts labels beside points so that none covers another label or point."""

from collections.abc import Sequence
from dataclasses import dataclass

_WIDTH, _HEIGHT = 7.2, 12.0
_PLACES = (
    (9, 4),
    (-9, 4),
    (0, -10),
    (0, 19),
    (8, -8),
    (-8, -8),
    (8, 16),
    (-8, 16),
    (22, 4),
    (-22, 4),
)
Spot = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle that is taken."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, x: float, y: float, reach: float) -> "Box":
        """Return the square around a point."""
        return cls(x - reach, y - reach, x + reach, y + reach)

    def meets(self, other: "Box") -> bool:
        """Return whether two rectangles share something."""
        apart = self.right <= other.left or other.right <= self.left
        return not (apart or self.bottom <= other.top or other.bottom <= self.top)


def placed(
    labels: Sequence[tuple[str, Spot]],
    *,
    taken: Sequence[Box],
    within: tuple[Spot, Spot],
) -> list[tuple[str, Spot]]:
    """Return where each label starts; one that has no room beside its point is left out."""
    boxes, found = list(taken), []
    for text, (x, y) in labels:
        for shift, drop in _PLACES:
            start = x + shift - _offset(text, shift)
            box = Box(start, y + drop - _HEIGHT + 2, start + _WIDTH * len(text), y + drop + 2)
            if _inside(box, within) and not any(box.meets(other) for other in boxes):
                boxes.append(box)
                found.append((text, (start, y + drop)))
                break
    return found


def _offset(text: str, shift: float) -> float:
    """Return how much of a label lies left of where it is hung up."""
    width = _WIDTH * len(text)
    return 0.0 if shift > 0 else width if shift < 0 else width / 2


def _inside(box: Box, within: tuple[Spot, Spot]) -> bool:
    (left, right), (top, bottom) = within
    return (
        left <= box.left
        and box.right <= right + 12
        and top - 12 <= box.top
        and box.bottom <= bottom
    )
