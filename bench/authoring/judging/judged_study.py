"""A study under judgement: every answer is written at once, and its effect is known."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bench.authoring.judging.asked_queries import AskedFiles
from bench.authoring.judging.candidates import Candidate
from bench.authoring.judging.recording import JudgedFile
from bench.authoring.judging.scoring import StoredTrials
from bench.authoring.judging.session import Asked, Session
from bench.engine import ArtifactStore
from bench.queries import Entry, JudgedPlace, digest_of
from bench.results import StudyResult


def _today() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d}"


@dataclass
class JudgedStudy:
    """The questions about a study, and the files with the answers."""

    session: Session
    entries: list[Entry | None]
    by: str
    """Name of the person who answers."""
    today: Callable[[], str] = _today
    _files: dict[str, JudgedFile] = field(default_factory=dict)
    _written: list[tuple[int, Entry | None]] = field(default_factory=list)
    """For each answer the row and the previous version of the query; None for skipped places."""

    @classmethod
    def opened(
        cls, study: StudyResult, store: ArtifactStore, files: AskedFiles, *, by: str, second: bool
    ) -> "JudgedStudy":
        """Return a study with its open questions; a second round asks about others' answers."""
        asked = [_asked(one, by, second=second) if one else None for one in files.by_row]
        session = Session(study, StoredTrials(study, store), asked, second)
        return cls(session, list(files.by_row), by)

    @property
    def current(self) -> Candidate | None:
        """The next place to judge, or None at the end."""
        return self.session.current if self.session.left else None

    def entry(self, candidate: Candidate) -> Entry:
        """Return the query of a candidate."""
        found = self.entries[candidate.row]
        if found is None:  # pragma: no cover - only queries of a file have candidates
            raise LookupError(candidate.row)
        return found

    def answer(self, candidate: Candidate, *, relevant: bool | None) -> None:
        """Write an answer, then update the scores. None skips the place without writing."""
        entry, before = self.entry(candidate), None
        if relevant is not None:
            targets = self.session.targets_of(candidate) if relevant else ()
            changed = self._file(entry).record(entry, self._place(candidate, relevant), targets)
            self.entries[candidate.row], before = changed, entry
        self.session.answer(candidate, relevant=relevant)
        self._written.append((candidate.row, before))

    def undo(self) -> bool:
        """Undo the last answer, in the file as well; return whether there was one."""
        if not self._written:
            return False
        row, before = self._written[-1]
        if before is not None:
            self._file(before).take_back()
            self.entries[row] = before
        self._written.pop()
        self.session.undo()
        return True

    def text(self, candidate: Candidate) -> str:
        """Return the text of a candidate."""
        spot = self.session.spot_of(candidate)
        return self.session.tree_of(candidate).text(spot) if spot else ""

    def _place(self, candidate: Candidate, relevant: bool) -> JudgedPlace:
        # Hidden text changes what trials see, so a digest would not match the files.
        is_whole = not any(one and one.hidden for one in self.entries)
        digest = digest_of(self.text(candidate)) if is_whole else ""
        return JudgedPlace(candidate.target, relevant, self.by, self.today(), digest)

    def _file(self, entry: Entry) -> JudgedFile:
        return self._files.setdefault(entry.place.file, JudgedFile(entry))


def _asked(entry: Entry, by: str, *, second: bool) -> Asked:
    own = tuple(one for one in entry.judged if one.by == by)
    return Asked(entry.query, entry.judged, own if second else entry.judged)


def progress(judged: JudgedStudy) -> str:
    """Return the progress: the number of answers, open hits, and answers until a decision."""
    session = judged.session
    count = len(session.given)
    answers = "1 answer" if count == 1 else f"{count} answers"
    if session.second:
        return f"{answers}: {session.left} hits left"
    tested = session.tested
    if tested is None:
        return f"{answers}: too few queries for a test"
    if tested.decided:
        return f"{answers}: decided, {tested.cheapest or tested.winner}"
    return f"{answers}: {len(tested.may_be_best)} trials left; {_forecast(session)}"


def _forecast(session: Session) -> str:
    needed = session.answers_to_decide()
    if needed is not None:
        return f"about {needed} more will decide"
    if not session.can_estimate:
        return "too few answers to say how many more will decide"
    return f"the {session.left} hits left would hardly decide; more queries would"
