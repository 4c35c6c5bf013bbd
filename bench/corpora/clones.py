"""Cache of clones for the lifetime of a process: another commit needs only a small fetch.

From a repository on this machine nothing is fetched: its objects are read in place.
"""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.corpora.locked_folders import LockedFolder
from bench.corpora.repository import Repository, repository_in

_MOST = 4
_PREFIX = "rankgrid-clone-"
_CLONES: OrderedDict[str, LockedFolder] = OrderedDict()


@contextmanager
def kept_clone(url: str, name: str, *, seconds: float) -> Iterator[Repository]:
    """Yield a repository that can fetch from `url`, with the earlier fetches of this process.

    After an error the clone is removed, because an interrupted fetch may be incomplete.
    """
    clone, is_new = _CLONES.pop(url, None), False
    if clone is None or not Path(clone.name).is_dir():
        clone, is_new = LockedFolder.new(_PREFIX), True
    try:
        repository = repository_in(clone.name, url, name, seconds=seconds)
        if is_new:
            repository.make()
            repository.borrow()
        yield repository
    except BaseException:
        clone.remove()
        raise
    _CLONES[url] = clone
    while len(_CLONES) > _MOST:
        _CLONES.popitem(last=False)[1].remove()


def remove_clones() -> None:
    """Remove the clones that this process keeps."""
    while _CLONES:
        _CLONES.popitem()[1].remove()
