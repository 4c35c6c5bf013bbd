"""Placement of labels beside points, without overlaps."""

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
    """A rectangle that is already occupied."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, x: float, y: float, reach: float) -> "Box":
        """Return the square around a point; `reach` is half its side."""
        return cls(x - reach, y - reach, x + reach, y + reach)

    def meets(self, other: "Box") -> bool:
        """Return True if two rectangles overlap."""
        apart = self.right <= other.left or other.right <= self.left
        return not (apart or self.bottom <= other.top or other.bottom <= self.top)


def placed(
    labels: Sequence[tuple[str, Spot]],
    *,
    taken: Sequence[Box],
    within: tuple[Spot, Spot],
) -> list[tuple[str, Spot]]:
    """Return the position of each label; labels without room beside their points are omitted."""
    boxes, found = list(taken), []
    for text, (x, y) in labels:
        for shift, drop in _PLACES:
            # The first free position wins, so earlier labels and positions have priority.
            start = x + shift - _offset(text, shift)
            box = Box(start, y + drop - _HEIGHT + 2, start + _WIDTH * len(text), y + drop + 2)
            if _inside(box, within) and not any(box.meets(other) for other in boxes):
                boxes.append(box)
                found.append((text, (start, y + drop)))
                break
    return found


def _offset(text: str, shift: float) -> float:
    """Return the width of a label to the left of its anchor."""
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
