"""A store that a user may not use is one line that names it and says what to do."""

from collections.abc import Callable
from typing import Any, ClassVar

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from bench.engine import ArtifactStore
from bench.errors import OutputError


class Locked(MemoryFileSystem):  # type: ignore[misc]  # fsspec is untyped
    """A store of somebody else: root may read any file, so that a folder would not do."""

    protocol: ClassVar[str] = "locked"

    def cat_file(self, *_: Any, **__: Any) -> bytes:
        """Refuse."""
        raise PermissionError("no")

    def pipe_file(self, *_: Any, **__: Any) -> None:
        """Refuse."""
        raise PermissionError("no")


fsspec.register_implementation("locked", Locked, clobber=True)


@pytest.mark.parametrize(
    ("use", "told"),
    [
        (lambda store: store.read_checked("a"), "read from"),
        (lambda store: store.write_checked("a", b"x"), "written to"),
    ],
)
def test_it_says_what_is_forbidden_and_the_remedy(
    use: Callable[[ArtifactStore], object], told: str
) -> None:
    with pytest.raises(OutputError, match=f"cannot be {told} by this user. Change its perm"):
        use(ArtifactStore("locked://store"))
