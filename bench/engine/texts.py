"""Cache of expensive texts, by the content that they were made from.

Each text is a file, written atomically: paid answers are kept, even if a study is interrupted.
"""

from typing import TYPE_CHECKING

from bench.engine.caches import digest_of

if TYPE_CHECKING:
    from bench.engine.store import ArtifactStore


class TextCache:
    """Texts by the digest of their content."""

    def __init__(self, store: "ArtifactStore", name: str) -> None:
        self._store = store
        self._folder = f"contents/{name}"

    def find(self, *content: str) -> str | None:
        """Return the text that was made from this content, or None."""
        found = self._store.read_checked(self._place(content))
        return None if found is None else found.decode("utf-8", "surrogatepass")

    def add(self, text: str, *content: str) -> None:
        """Store a text under the content that it was made from."""
        self._store.write_checked(self._place(content), text.encode("utf-8", "surrogatepass"))

    def _place(self, content: tuple[str, ...]) -> str:
        return f"{self._folder}/{digest_of(*content).hex()}"
