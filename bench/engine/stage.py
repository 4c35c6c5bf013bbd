"""Stages: deterministic steps, addressed by everything that their results depend on."""

import hashlib
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, fields, is_dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NewType, Protocol, TypeVar

from bench.engine.codec import Codec
from bench.errors import ArtifactError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from bench.engine.caches import BlobCache, ContentCache
    from bench.engine.earlier import Earlier
    from bench.engine.parts import PartCache
    from bench.engine.texts import TextCache

Fingerprint = NewType("Fingerprint", str)
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_KINDS: dict[str, type["Stage[Any]"]] = {}


class Read(Protocol):
    """Access of a running stage to its inputs, finer caches and counters."""

    def __call__(self, stage: "Stage[T]", /) -> T:
        """Return the result of `stage`."""
        ...

    def earlier(self, stage: "Stage[T]", /, *inputs: "Stage[Any]") -> "Earlier[T] | None":
        """Return the result of `stage` at an earlier commit, or None if it is not stored.

        It has the earlier results of these inputs, by default of all.
        """
        ...

    def cache(self, name: str) -> "ContentCache":
        """Return the cache `name` of rows keyed by the content they were computed from."""
        ...

    def blobs(self, name: str) -> "BlobCache":
        """Return the cache `name` of bytes keyed by the content they were computed from."""
        ...

    def parts(self, name: str) -> "PartCache":
        """Return the cache `name` of large values keyed by the content they were computed from."""
        ...

    def texts(self, name: str) -> "TextCache":
        """Return the cache `name` of texts keyed by the content they were made from."""
        ...

    def count(self, **amounts: int) -> None:
        """Add to the counters stored with the artifact's cost (texts embedded, pairs scored)."""
        ...


@dataclass(frozen=True)
class Stage(ABC, Generic[T_co]):
    """One step of a trial; two equal stages share one artifact.

    A field is an input (a stage, or a tuple of them) or a parameter: None, bool, int, finite
    float, str, a tuple or a frozen dataclass of those. A field declared with `compare=False` is
    not part of the recipe; it does not change the result. Raise `version` when `run` changes what
    it returns for equal fields.
    """

    kind: ClassVar[str]
    version: ClassVar[int] = 1
    codec: ClassVar[Codec[Any]]
    exclusive: ClassVar[bool] = False
    """Whether the stage must run alone on its machine, because it measures time."""

    def __init_subclass__(cls) -> None:
        """Refuse a second class of the same kind: their results would share addresses."""
        known = _KINDS.setdefault(cls.kind, cls)
        if (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
            message = (
                f"stage kind {cls.kind!r} is taken by {known.__module__}.{known.__qualname__}"
            )
            raise ArtifactError(message)

    def __post_init__(self) -> None:
        """Refuse a parameter that has no exact JSON."""
        _ = self.recipe

    def prepare(self) -> None:
        """Load resources that `run` needs besides artifacts, such as a model.

        Its time is reported separately, because only the first stage of a process pays it.
        """

    @abstractmethod
    def run(self, read: Read, /) -> T_co:
        """Compute the result from the fields and the inputs' results."""

    @property
    def leaves_more(self) -> bool:
        """Whether this stage fills a cache that equal stages do not fill.

        Of two equal stages, a plan runs this one, so that later stages can read the cache.
        """
        return False

    def is_final(self, result: Any, /) -> bool:
        """Whether a result is stored; if not, the next study computes it again."""
        return True

    @property
    def subject(self) -> str:
        """Name of the stage's subject for people, such as a repository."""
        return next((stage.subject for stage in self.inputs if stage.subject), "")

    @cached_property
    def inputs(self) -> tuple["Stage[Any]", ...]:
        """Distinct stages that must be done first."""
        found = {
            stage.fingerprint: stage for _, value in _identity(self) for stage in _stages_in(value)
        }
        return tuple(found.values())

    @property
    def versions(self) -> Mapping[str, int]:
        """Versions of the code of the result, by name; for people, not part of the recipe."""
        return {self.kind: self.version}

    @cached_property
    def recipe(self) -> dict[str, object]:
        """Everything the result depends on, as plain JSON."""
        parameters = _plain_fields(self, type(self).__name__)
        return {"stage": self.kind, "version": self.version, "parameters": parameters}

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """Address of the result; equal fingerprints mean equal results."""
        return fingerprint_of(self.recipe)

    @cached_property
    def lineage(self) -> str:
        """Name of the stage that stays the same at every commit of its repository."""
        text = json.dumps(self.recipe, sort_keys=True) if self.inputs else self.subject
        for needed in self.inputs:
            text = text.replace(needed.fingerprint, needed.lineage)
        return hashlib.sha256(f"{self.kind} {text}".encode()).hexdigest()[:32]


_SCALARS = frozenset((type(None), bool, int, str, float))


def fingerprint_of(recipe: Mapping[str, object]) -> Fingerprint:
    """Return the address of the result of a recipe."""
    text = json.dumps(recipe, sort_keys=True, allow_nan=False)
    return Fingerprint(hashlib.sha256(text.encode()).hexdigest())


def _stages_in(value: object) -> Iterator[Stage[Any]]:
    if type(value) in _SCALARS:  # most values, and the check for a stage is slow
        return
    if isinstance(value, Stage):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _stages_in(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for _, item in _identity(value):
            yield from _stages_in(item)


def _plain(value: object, *, where: str) -> object:
    """Return `value` as JSON; different values have different JSON."""
    if type(value) in _SCALARS and (type(value) is not float or math.isfinite(value)):
        return value
    if isinstance(value, Stage):
        return {"artifact": value.fingerprint}
    if type(value) is tuple:
        return [_plain(item, where=f"{where}[{n}]") for n, item in enumerate(value)]
    if is_dataclass(value) and not isinstance(value, type):
        return {
            f"{type(value).__module__}.{type(value).__qualname__}": _plain_fields(value, where)
        }
    message = f"{where}: {value!r} ({type(value).__name__}) cannot be a stage's parameter"
    raise ArtifactError(message)


def _plain_fields(value: "DataclassInstance", where: str) -> dict[str, object]:
    return {name: _plain(item, where=f"{where}.{name}") for name, item in _identity(value)}


def _identity(value: "DataclassInstance") -> Iterator[tuple[str, Any]]:
    """Yield the fields that identify a value.

    A setting marked as `later` is included only if it differs from its default. Results that were
    stored before the setting existed are still found.
    """
    for name, later in _identifying(type(value)):
        own = getattr(value, name)
        if later is None or own != later.default:
            yield name, own


@cache
def _identifying(kind: type["DataclassInstance"]) -> tuple[tuple[str, Field[Any] | None], ...]:
    """Return the names of the fields of a class that count, with those marked as `later`."""
    counting = (field for field in fields(kind) if field.compare)
    return tuple((one.name, one if one.metadata.get("later") else None) for one in counting)
