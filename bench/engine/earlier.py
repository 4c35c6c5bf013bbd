"""The result of a stage at an earlier commit of its repository, and what it was made of there.

A stage may make its result of these: most of a commit is what the commit before it had.
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
    """A result, and the inputs that it was made of."""

    result: T_co
    inputs: "Mapping[Fingerprint, Any]"
    """By the fingerprint of the input that is in its place today."""

    def __call__(self, stage: "Stage[T]", /) -> T:
        """Return what was in the place of an input."""
        found: T = self.inputs[stage.fingerprint]
        return found
