"""The unit of a ranking, and the score of a file."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

from retrievers.errors import ListingError

Unit = Literal["chunk", "definition", "file"]
UNITS: tuple[Unit, ...] = get_args(Unit)

_DEEPEST = 100


@dataclass(frozen=True)
class Listing:
    """The unit of a ranking, and the weights of chunks in the score of a file."""

    unit: Unit = "chunk"
    aggregation: float = 0.3
    """unit=file: the weight of each next best chunk in the score of a file, relative to the chunk
    before it; with 0, a file has the score of its best chunk."""
    depth_of_aggregation: int = 4
    """unit=file: the maximum number of chunks that count for a file."""
    file_share: float = 0.0
    """unit=definition: the weight of the file's score in the score of a definition, with both
    relative to the best. The score of a file is the weighted sum of its best definitions."""

    def __post_init__(self) -> None:
        """Raise an error for values out of range."""
        if self.unit not in UNITS:
            raise ListingError(f"unit={self.unit} is not known; choose one of {', '.join(UNITS)}")
        if not 0 <= self.aggregation <= 1:
            raise ListingError(f"aggregation={self.aggregation} is out of range; choose 0 to 1")
        if not 0 <= self.file_share <= 1:
            raise ListingError(f"file_share={self.file_share} is out of range; choose 0 to 1")
        if not 1 <= self.depth_of_aggregation <= _DEEPEST:
            message = (
                f"depth_of_aggregation={self.depth_of_aggregation} is out of range; "
                f"choose 1 to {_DEEPEST}"
            )
            raise ListingError(message)

    @property
    def effective(self) -> "Listing":
        """These settings, with fixed values for settings that have no effect."""
        one = self if self.unit == "definition" else replace(self, file_share=0.0)
        adds_up = one.unit == "file" or one.file_share > 0
        if adds_up and one.aggregation and one.depth_of_aggregation > 1:
            return one
        return replace(one, aggregation=0.0, depth_of_aggregation=1)
