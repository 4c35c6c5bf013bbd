"""Where the project's data files are: in the repository, or beside the installed package."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_folder(name: str) -> Path:
    """Return the folder `conf` or `fixtures`, wherever rankgrid runs from."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
