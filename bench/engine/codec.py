"""Conversion of artifacts to bytes: arrays, texts and plain JSON, never pickles.

A record is a frozen dataclass whose fields are NumPy arrays, tuples of strings, or values with an
exact JSON. The container is safetensors: a JSON header, then the arrays' raw bytes.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
from safetensors.numpy import save

from bench.errors import ArtifactError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
D = TypeVar("D", bound="DataclassInstance")
_TEXT, _LENGTHS = "text:", "lengths:"
_ENDS = "ends:"
"""Prefix of the ends of texts, which earlier versions stored instead of lengths."""
_MARKS, _CONTINUES = 0xC0, 0x80
"""Mask and value of the leading bits of a UTF-8 byte that continues a character."""
_MALFORMED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
"""Errors of reading a payload with a damaged header."""
_LENGTH_BYTES = 8
"""Bytes of a payload before its JSON header, which are the length of the header."""
_MOST_HEADER_BYTES = 100_000_000


class Codec(Protocol[T]):
    """Conversion of a stage's result to bytes and back."""

    def encode(self, value: T, /) -> bytes:
        """Return `value` as bytes."""
        ...

    def decode(self, payload: bytes, /) -> T:
        """Return the value that `payload` holds."""
        ...

    def kept(self, value: T, payload: bytes, /) -> T:
        """Return `value` as decoded from `payload`, its bytes, so that it can be kept."""
        ...


class Record(Codec[D]):
    """Codec of a dataclass, field by field."""

    def __init__(self, kind: type[D]) -> None:
        self.kind = kind

    def encode(self, value: D, /) -> bytes:
        """Return the fields as arrays and JSON."""
        arrays: dict[str, np.ndarray[Any, Any]] = {}
        plain: dict[str, object] = {}
        for field in fields(value):
            item = getattr(value, field.name)
            if isinstance(item, np.ndarray):
                arrays[field.name] = np.ascontiguousarray(item)
            elif _is_texts(item):
                arrays.update(_packed(field.name, item))
            else:
                plain[field.name] = item
        try:
            text = json.dumps({self.kind.__name__: plain}, allow_nan=False)
        except (TypeError, ValueError) as error:
            message = f"{self.kind.__name__} cannot be stored: {error}"
            raise ArtifactError(message) from error
        # One key, because safetensors writes several in no particular order.
        return save(arrays, metadata={"record": text})

    def decode(self, payload: bytes, /) -> D:
        """Return the record that `payload` holds; its arrays are parts of the payload."""
        return self._decoded(payload, {})

    def kept(self, value: D, payload: bytes, /) -> D:
        """Return a record with the texts of `value`, because decoding them takes long."""
        items = {field.name: getattr(value, field.name) for field in fields(value)}
        return self._decoded(
            payload, {name: item for name, item in items.items() if _is_texts(item)}
        )

    def _decoded(self, payload: bytes, texts: Mapping[str, tuple[str, ...]]) -> D:
        try:
            arrays, text = _arrays(payload)
            plain = json.loads(text)[self.kind.__name__]
            values: dict[str, object] = {name: _as_tuples(item) for name, item in plain.items()}
            for name, array in arrays.items():
                if name.startswith(_TEXT):
                    own = name.removeprefix(_TEXT)
                    values[own] = texts[own] if own in texts else _unpacked(own, arrays)
                elif not name.startswith((_LENGTHS, _ENDS)):
                    values[name] = array
        except _MALFORMED as error:
            message = f"not a stored {self.kind.__name__}: {error}"
            raise ArtifactError(message) from error
        return self.kind(**values)


def _is_texts(item: object) -> bool:
    return isinstance(item, tuple) and set(map(type, item)) == {str}


def _packed(name: str, texts: tuple[str, ...]) -> dict[str, np.ndarray[Any, Any]]:
    content = "".join(texts).encode("utf-8", "surrogatepass")
    packed = np.frombuffer(content, np.uint8)
    ends = np.cumsum([*map(len, texts)], dtype=np.int64)
    if ends[-1] < len(content):  # from ends in characters to ends in bytes
        continues = _continues(packed)
        ends += np.searchsorted(continues - np.arange(len(continues)), ends, side="right")
    # Lengths instead of ends: a longer text would change the ends of all texts after it.
    return {_TEXT + name: packed, _LENGTHS + name: np.diff(ends, prepend=0).astype(np.int32)}


def _unpacked(name: str, arrays: Mapping[str, np.ndarray[Any, Any]]) -> tuple[str, ...]:
    content = arrays[_TEXT + name]
    if _ENDS + name in arrays:
        ends = arrays[_ENDS + name]
    else:
        ends = np.cumsum(arrays[_LENGTHS + name], dtype=np.int64)
    text = str(content.data, "utf-8", "surrogatepass")
    if len(text) < len(content):  # from ends in bytes to ends in characters
        ends = ends - np.searchsorted(_continues(content), ends)
    stops = ends.tolist()
    return tuple(map(text.__getitem__, map(slice, [0, *stops[:-1]], stops)))


def _continues(text: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the places of the UTF-8 bytes that continue a character; usually there are few."""
    return np.flatnonzero((text & _MARKS) == _CONTINUES)


def array_in(read: Callable[[int, int], bytes | None], name: str) -> np.ndarray[Any, Any] | None:
    """Return one array of a payload, given a function that reads a part of it; None if damaged."""
    try:
        first = _body(read(0, _LENGTH_BYTES) or b"")
        about = json.loads(read(_LENGTH_BYTES, first) or b"")[name]
        start, stop = about["data_offsets"]
        return _array(about, read(first + start, first + stop) or b"", 0)
    except _MALFORMED:
        return None


def _arrays(payload: bytes) -> tuple[dict[str, np.ndarray[Any, Any]], str]:
    """Return the arrays of a payload and its text, without a copy of the arrays.

    The library of the format copies each array twice.
    """
    first = _body(payload)
    header = json.loads(payload[_LENGTH_BYTES:first])
    text: str = header.pop("__metadata__")["record"]
    places = {name: first + about["data_offsets"][0] for name, about in header.items()}
    return {name: _array(about, payload, places[name]) for name, about in header.items()}, text


def _body(payload: bytes) -> int:
    """Return the offset of the first array of a payload."""
    length = int.from_bytes(payload[:_LENGTH_BYTES], "little")
    if length > _MOST_HEADER_BYTES:
        raise ValueError(f"a header of {length} bytes")
    return _LENGTH_BYTES + length


def _array(about: Mapping[str, Any], content: bytes, offset: int) -> np.ndarray[Any, Any]:
    kind, (start, stop) = _type_named(about["dtype"]), about["data_offsets"]
    found = np.frombuffer(content, kind, (stop - start) // kind.itemsize, offset)
    return found.reshape(about["shape"])


def _type_named(name: str) -> "np.dtype[Any]":
    """Return the type of an array by its name in a header, such as `I32`."""
    if name == "BOOL":
        return np.dtype(np.bool_)
    return np.dtype(f"<{name[0].lower()}{int(name[1:]) // 8}")


def _as_tuples(value: object) -> object:
    """Convert JSON's lists back to tuples."""
    if isinstance(value, list):
        return tuple(_as_tuples(item) for item in value)
    if isinstance(value, dict):
        return {name: _as_tuples(item) for name, item in value.items()}
    return value
