"""What has one entry in a ranking, and the score of a file."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

from retrievers.errors import ListingError

Unit = Literal["chunk", "definition", "file"]
UNITS: tuple[Unit, ...] = get_args(Unit)

_DEEPEST = 100


@dataclass(frozen=True)
class Listing:
    """The unit of a ranking, and how the chunks of a file add up where files are listed."""

    unit: Unit = "chunk"
    aggregation: float = 0.3
    """unit=file: the weight of each next best chunk of a file relative to the one before it in
    the score of the file; 0: a file has the score of its best chunk."""
    depth_of_aggregation: int = 4
    """unit=file: how many chunks of a file count."""
    file_share: float = 0.0
    """unit=definition: what the score of its file adds to a definition, each as a share of the
    best; the score of a file is that of its best definitions, added up as files add up chunks."""

    def __post_init__(self) -> None:
        """Refuse values that are not allowed."""
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
        """These settings with one value for whatever makes no difference."""
        one = self if self.unit == "definition" else replace(self, file_share=0.0)
        adds_up = one.unit == "file" or one.file_share > 0
        if adds_up and one.aggregation and one.depth_of_aggregation > 1:
            return one
        return replace(one, aggregation=0.0, depth_of_aggregation=1)
