"""The store and the tracking server that a results file names.

The file may come from anyone. Its store is used if it is the default or below the current folder.
Anything else must be passed as a flag, or the file must be trusted.
"""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from bench.errors import UsageError
from bench.files import STORE
from bench.settings.trust import is_trusted, refuse_interpolations, shown

if TYPE_CHECKING:
    from bench.settings import StudySettings


def recorded_store(settings: "StudySettings", where: str, trusted: Collection[Path]) -> str:
    """Return the store that a results file names, if it is allowed."""
    store = settings.store or STORE
    refuse_interpolations(store, where)
    if store != STORE and not _is_below_here(store):
        _refuse_unless_trusted(
            f"store={store} is outside the current folder", f"--store {store}", where, trusted
        )
    return store


def recorded_uri(settings: "StudySettings", where: str, trusted: Collection[Path]) -> str:
    """Return the tracking server that a results file names, if it is allowed."""
    uri = settings.tracking.uri
    refuse_interpolations(uri, where)
    if uri:
        said = f"tracking.uri={uri} chooses where results are sent"
        _refuse_unless_trusted(said, f"--uri {uri}", where, trusted)
    return uri


def _is_below_here(store: str) -> bool:
    """Return True if a store is inside the current folder after resolving links."""
    return "://" not in store and Path.cwd() in Path(store).expanduser().resolve().parents


def _refuse_unless_trusted(said: str, flag: str, where: str, trusted: Collection[Path]) -> None:
    place = Path(where).expanduser()
    file = place / "results.json" if place.is_dir() else place
    if is_trusted(file, trusted):
        return
    remedy = f"Add {shown(flag)}"
    # An MLflow run or a git revision is not a file that could be trusted.
    remedy += f", or read the file and add --trust {file}" if file.is_file() else ""
    raise UsageError(f"{where}: {shown(said)}. {remedy}.")
