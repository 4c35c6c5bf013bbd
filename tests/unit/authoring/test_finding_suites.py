"""Which suite a name or a file means."""

from pathlib import Path

import pytest

from bench.authoring.opening import find_suite


def test_a_folder_does_not_hide_the_shipped_suite_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many repositories have a folder `docs`."""
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)

    found = find_suite(Path("docs"))

    assert found is not None
    assert found.name == "docs"
