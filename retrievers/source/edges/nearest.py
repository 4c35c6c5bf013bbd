"""Choice among definitions with the same name by the distance of their paths."""

from collections.abc import Mapping, Sequence

_SEVERAL = -1


def folder_of(path: str) -> str:
    """Return the folder of a path with slashes, or an empty text at the root."""
    return path.rpartition("/")[0]


class Nearest:
    """An index of rows by their files and by all folders above these.

    It is built once per name and answers for every file that uses the name.
    """

    def __init__(self, rows: Sequence[int], paths: Mapping[int, str]) -> None:
        self._in_file: dict[str, int] = {}
        self._below: dict[str, int] = {}
        for row in rows:
            path = paths[row]
            self._add(self._in_file, path, row)
            folder = folder_of(path)
            while folder:
                self._add(self._below, folder, row)
                folder = folder_of(folder)
            self._add(self._below, "", row)

    @staticmethod
    def _add(held: dict[str, int], place: str, row: int) -> None:
        held[place] = _SEVERAL if place in held else row

    def holds(self, path: str) -> bool:
        """Tell whether any of the rows is in a file."""
        return path in self._in_file

    def to(self, path: str) -> int:
        """Return the row with the most folders in common with a path, or -1 for several."""
        if path in self._in_file:
            return self._in_file[path]
        folder = folder_of(path)
        while folder and folder not in self._below:
            folder = folder_of(folder)
        return self._below.get(folder, _SEVERAL)
