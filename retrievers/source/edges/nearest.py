"""Which of several definitions a file means: the one whose path shares most with its own."""

from collections.abc import Mapping, Sequence

_SEVERAL = -1


def folder_of(path: str) -> str:
    """Return the folder of a path, as in other paths."""
    return path.rpartition("/")[0]


class Nearest:
    """Some rows, by their files and by the folders that those are in.

    Made once for rows that are asked for from many files.
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
        """Return the only row, or the only one that shares most of its path; -1 if unclear."""
        if path in self._in_file:
            return self._in_file[path]
        folder = folder_of(path)
        while folder and folder not in self._below:
            folder = folder_of(folder)
        return self._below.get(folder, _SEVERAL)
