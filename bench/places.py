"""Where the project's data files are, and the folders that rankgrid makes for its own files."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_folder(name: str) -> Path:
    """Return the folder `conf` or `fixtures`, wherever rankgrid runs from."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def create_ignored(folder: Path) -> None:
    """Create a folder whose files git ignores; a folder that exists stays as it is."""
    if folder.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("*\n", encoding="utf-8")
