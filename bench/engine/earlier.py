"""Result of a stage at an earlier commit of its repository, with the inputs of that time.

A stage may update this result: most of a commit is unchanged since the commit before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from bench.engine.stage import Fingerprint, Stage

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class Earlier(Generic[T_co]):
    """Earlier result of a stage, with the earlier results of its inputs."""

    result: T_co
    inputs: "Mapping[Fingerprint, Any]"
    """Earlier results of the inputs, by the fingerprint of the input that is used today."""

    def __call__(self, stage: "Stage[T]", /) -> T:
        """Return the earlier result of an input that is used today."""
        found: T = self.inputs[stage.fingerprint]
        return found
