"""The text of a file that somebody else wrote."""

from pathlib import Path
from typing import BinaryIO

from bench.errors import FixtureError
from bench.judgements.located import Place

_MOST_BYTES = 100_000_000


def read_text(path: Path) -> str:
    """Return the UTF-8 text of the file at `path`."""
    return decoded(content_of(path), Place(str(path), 1))


def content_of(path: Path) -> bytes:
    """Return what is in the file at `path`, if that is not too much."""
    with opened(path) as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise FixtureError(
            f"{path}: is larger than {_MOST_BYTES // 1_000_000} MB; split it into several files"
        )
    return content


def opened(path: Path) -> BinaryIO:
    """Open a file to be read; refuse what is absent, a folder or a pipe."""
    if not path.exists():
        raise FixtureError(f"{path}: there is no such file; check the path")
    if not path.is_file():
        raise FixtureError(f"{path}: is not a regular file; give a file of queries")
    try:
        return path.open("rb")
    except OSError as error:
        message = f"{path}: cannot be read ({error.strerror}); check its permissions"
        raise FixtureError(message) from error


def decoded(content: bytes, place: Place) -> str:
    """Return the text of bytes that stand at `place` and below."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = Place(place.file, place.line + content.count(b"\n", 0, error.start))
        message = f"byte {content[error.start]:#04x} is not UTF-8; save the file as UTF-8"
        raise place.error(message) from error
