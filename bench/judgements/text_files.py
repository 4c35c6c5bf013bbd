"""The text of a file that somebody else wrote."""

from pathlib import Path

from bench.errors import FixtureError
from bench.judgements.located import Place

_MOST_BYTES = 100_000_000


def read_text(path: Path) -> str:
    """Return the UTF-8 text of the file at `path`."""
    if not path.exists():
        raise FixtureError(f"{path}: there is no such file; check the path")
    if not path.is_file():
        raise FixtureError(f"{path}: is not a regular file; give a file of queries")
    content = _content(path)
    if len(content) > _MOST_BYTES:
        raise FixtureError(
            f"{path}: is larger than {_MOST_BYTES // 1_000_000} MB; split it into several files"
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = Place(str(path), content.count(b"\n", 0, error.start) + 1)
        message = f"byte {content[error.start]:#04x} is not UTF-8; save the file as UTF-8"
        raise place.error(message) from error


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES + 1)
    except OSError as error:
        message = f"{path}: cannot be read ({error.strerror}); check its permissions"
        raise FixtureError(message) from error
