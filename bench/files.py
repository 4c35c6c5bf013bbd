"""Files: written whole or not at all, and read with errors that name the line.

The folders of the project's own data are found here as well. The meaning of files is defined
elsewhere.
"""

import errno
import json
import os
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import yaml

from bench.errors import OutputError, RankgridError

OUTPUT, STORE = "outputs", ".rankgrid/store"
"""Default folders of results and of the store."""

_PACKAGE = Path(__file__).resolve().parent
_MOST_BYTES = 100_000_000
_NAME_START = 40
"""Characters of a file's name in the name of its draft, which must not exceed the limit."""
_FULL = (errno.ENOSPC, errno.EDQUOT)

ErrorKind = type[RankgridError]


def data_folder(name: str) -> Path:
    """Return the folder `conf` or `fixtures`, in a checkout or an installation."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


# -- Writing ----------------------------------------------------------------------------------


def create_ignored(folder: Path) -> None:
    """Create a folder that git ignores; an existing folder is not changed."""
    if not folder.is_dir():
        write_whole(folder / ".gitignore", "*\n")


def write_whole(path: Path, *pieces: str | bytes, sync: bool = True) -> None:
    """Write a file and its parent folders; readers see the old content or the new one.

    Without `sync`, a crash of the machine may leave the file empty or torn. Files with a digest of
    their own tolerate that, and waiting for the disk takes longer than writing a small file.
    """
    whole = [piece.encode("utf-8") if isinstance(piece, str) else piece for piece in pieces]
    try:
        if _is_stream(path):
            path.write_bytes(b"".join(whole))
        else:
            # A link stays a link: the file that it leads to is replaced.
            real = Path(os.path.realpath(path)) if path.is_symlink() else path
            _replace(real, whole, sync=sync)
    except OSError as error:
        message = f"{path}: cannot be written ({_reason(error)}); {_remedy(error)}"
        raise OutputError(message) from error


def _is_stream(path: Path) -> bool:
    """Whether a path is a pipe or a device, which a rename would replace by a file."""
    if str(path).startswith(("/proc/", "/dev/fd/", "/dev/std")):
        return True
    return path.exists() and not path.is_file() and not path.is_dir()


def _replace(path: Path, pieces: Iterable[bytes], *, sync: bool) -> None:
    # The process alone is not enough: threads write too, and containers may share a folder.
    writer = f"{os.getpid()}-{uuid.uuid4().hex}"
    draft = path.with_name(f".{path.name[:_NAME_START]}.{writer}.draft")
    try:
        with _created(draft) as file:
            file.writelines(pieces)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        if path.is_file():
            shutil.copymode(path, draft)
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def _created(path: Path) -> BinaryIO:
    """Open a new file; folders are looked at only where one is missing."""
    try:
        return path.open("xb")
    except (FileNotFoundError, NotADirectoryError):
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("xb")


def _reason(error: OSError) -> str:
    if error.errno == errno.EEXIST:  # raised if the folder to create is a file
        return "a file is in the place of its folder"
    return error.strerror or str(error)


def _remedy(error: OSError) -> str:
    if error.errno in _FULL:
        return "free some space there"
    return "choose a place in a folder that can be written to"


def write_table(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write rows as a Parquet file with the columns of all rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    whole = pa.BufferOutputStream()
    pq.write_table(_table(rows), whole)
    write_whole(path, whole.getvalue().to_pybytes())


def _table(rows: Sequence[Mapping[str, object]]) -> Any:
    """Return rows as an Arrow table.

    Rows are converted via JSON. Creating an Arrow array from a Python list imports pandas if it is
    installed, which takes longer than all other work on tables in a small study.
    """
    import pyarrow as pa
    from pyarrow.json import ParseOptions, ReadOptions, read_json

    lines = "\n".join(json.dumps(row, allow_nan=False) for row in rows).encode()
    return read_json(
        pa.BufferReader(lines),
        read_options=ReadOptions(use_threads=False, block_size=len(lines) + 1),
        parse_options=ParseOptions(explicit_schema=pa.schema(_arrow_type(rows))),
    )


def _arrow_type(values: Sequence[Any]) -> Any:
    """Return the Arrow type of all these values; without it, Arrow would guess dates."""
    import pyarrow as pa

    some = [value for value in values if value is not None]
    if not some:
        return pa.null()
    if isinstance(some[0], Mapping):
        names = dict.fromkeys(name for value in some for name in value)
        return pa.struct(
            [(name, _arrow_type([value.get(name) for value in some])) for name in names]
        )
    if isinstance(some[0], Sequence) and not isinstance(some[0], str):
        return pa.list_(_arrow_type([item for value in some for item in value]))
    kinds = {type(value) for value in some}
    if kinds == {int, float}:
        return pa.float64()
    (kind,) = kinds
    return {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), str: pa.string()}[kind]


# -- Reading ----------------------------------------------------------------------------------


def opened(path: Path, kind: ErrorKind) -> BinaryIO:
    """Open a file for reading; refuse missing files, folders and pipes."""
    if not path.exists():
        raise kind(f"{path}: there is no such file; check the path")
    if not path.is_file():
        raise kind(f"{path}: is not a regular file; give a file")
    try:
        return path.open("rb")
    except OSError as error:
        message = f"{path}: cannot be read ({error.strerror}); check its permissions"
        raise kind(message) from error


def read_bytes(path: Path, kind: ErrorKind, *, most: int = _MOST_BYTES) -> bytes:
    """Return the content of a file; refuse more than `most` bytes."""
    with opened(path, kind) as file:
        content = file.read(most + 1)
    if len(content) > most:
        limit = most // 1_000_000
        raise kind(f"{path}: is larger than {limit} MB; split it into several files")
    return content


def read_text(path: Path, kind: ErrorKind) -> str:
    """Return the UTF-8 text of a file."""
    return decoded(read_bytes(path, kind), str(path), kind)


def decoded(content: bytes, file: str, kind: ErrorKind, *, line: int = 1) -> str:
    """Return the text of bytes; `line` is the number of their first line, for errors."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line += content.count(b"\n", 0, error.start)
        wrong = f"byte {content[error.start]:#04x} is not UTF-8; save the file as UTF-8"
        raise kind(f"{file}:{line}: {wrong}") from error


def read_yaml(path: Path, kind: ErrorKind) -> Any:
    """Return the plain value of a YAML file."""
    text = read_text(path, kind)
    with yaml_errors(text, str(path), kind):
        return yaml.safe_load(text)


@contextmanager
def yaml_errors(text: str, file: str, kind: ErrorKind) -> Iterator[None]:
    """Convert errors of the YAML parser to one line with the position."""
    try:
        yield
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        what = error.problem or "cannot be understood"
        raise kind(f"{file}:{line}: is not valid YAML: {what}; correct this line") from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        message = f"holds a character that YAML does not allow ({error.reason}); remove it"
        raise kind(f"{file}:{line}: {message}") from error
    except (ValueError, RecursionError) as error:  # invalid dates, or endless nesting
        message = f"{file}: is not valid YAML: {' '.join(str(error).split())}; correct it"
        raise kind(message) from error


def read_json(path: Path, kind: ErrorKind, *, most: int = _MOST_BYTES) -> Any:
    """Return the plain value of a JSON file."""
    text = decoded(read_bytes(path, kind, most=most), str(path), kind)
    return json_value(text, str(path), kind)


def json_value(
    text: str,
    file: str,
    kind: ErrorKind,
    *,
    line: int = 1,
    of_pairs: Callable[[list[tuple[str, Any]]], Any] | None = None,
) -> Any:
    """Return the JSON value of a text; `line` is the number of its first line, for errors."""
    try:
        return json.loads(text, object_pairs_hook=of_pairs)
    except json.JSONDecodeError as error:
        line += error.lineno - 1
        message = f"{file}:{line}: is not valid JSON: {error.msg}; correct this line"
        raise kind(message) from error
    except (ValueError, RecursionError) as error:
        message = "is not valid JSON: it nests or counts too far; correct this line"
        raise kind(f"{file}:{line}: {message}") from error
