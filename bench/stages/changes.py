"""Days since the last change of each file, from git."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np

from bench.corpora import GitSource, LocalSource
from bench.corpora.change_days import changed_days, changed_days_at, head_of
from bench.engine import Read, Record, Stage
from bench.errors import SettingError, SourceError
from bench.stages.sources import CheckOut, CheckOutFolder
from retrievers.interface import ChangeDays, Documents


@dataclass(frozen=True)
class ReadChangeDays(Stage[ChangeDays]):
    """Read the git history that leads to a commit."""

    kind: ClassVar[str] = "read-change-days"
    codec: ClassVar[Record[ChangeDays]] = Record(ChangeDays)

    commit: str
    source: GitSource | LocalSource
    repository: str = field(default="", compare=False)

    @property
    def subject(self) -> str:
        """Name of the repository."""
        return self.repository

    def run(self, read: Read, /) -> ChangeDays:
        """Return the days of every file in the history."""
        found = self._found()
        read.count(files=len(found))
        return ChangeDays(tuple(found), np.array(list(found.values()), np.float64))

    def _found(self) -> dict[str, float]:
        if isinstance(self.source, GitSource):
            return changed_days_at(self.source)
        folder = Path(self.source.path)
        if head_of(folder) != self.commit:
            message = f"{folder}: it got another commit while the study ran; run it again"
            raise SourceError(message)
        return changed_days(folder)


def change_days(documents: Stage[Documents]) -> ReadChangeDays:
    """Return the stage that reads the history, or raise `SettingError` without git."""
    source = documents.source if isinstance(documents, CheckOutFolder | CheckOut) else None
    if isinstance(source, LocalSource):
        return ReadChangeDays(head_of(Path(source.path)), source, documents.subject)
    if isinstance(source, GitSource):
        return ReadChangeDays(source.commit, source, documents.subject)
    message = f"retriever.scoring.commit_recency: {documents.subject} is not a git repository"
    raise SettingError(f"{message}, so the dates of its changes are unknown; set it to 0")
