"""Candidates are found whatever has happened to the store."""

from pathlib import Path

from bench.authoring.pooling import Pool
from bench.corpora import LocalSource, content_digest, read_source
from bench.engine import ArtifactStore, Task, perform
from bench.stages import CheckOutFolder


def test_damaged_documents_are_read_again(tmp_path: Path) -> None:
    """The folder still has them."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "cart.py").write_text("total = 1\n", encoding="utf-8")
    source = LocalSource(str(tmp_path / "code"))
    stage = CheckOutFolder(content_digest(read_source(source).documents), source=source)
    store = ArtifactStore(str(tmp_path / "store"))
    perform(Task(stage, store.url))
    (file,) = (path for path in (tmp_path / "store" / "artifacts").rglob("*") if path.is_file())
    file.write_bytes(file.read_bytes()[:-1])

    documents = Pool("shop", stage, {}, store).documents()

    assert documents.paths == ("cart.py",)
