"""The files of queries that a study asked, found by what its folder says of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.authoring.opening import find_suite
from bench.errors import FixtureError, UsageError
from bench.files import data_folder, read_yaml, write_whole
from bench.queries import Entry, asked_of, read_entries, write_queries
from bench.results import StudyResult

CHOSEN = "chosen.yaml"
"""The file in the folder of a study that names its suite as it was typed."""


@dataclass(frozen=True)
class AskedFiles:
    """The queries of a study in the files that answers are written to."""

    by_row: tuple[Entry | None, ...]
    """By row of the study's queries; None for one that no file has."""

    @property
    def files(self) -> tuple[Path, ...]:
        """The files, each once."""
        found = [Path(one.place.file) for one in self.by_row if one is not None]
        return tuple(dict.fromkeys(found))


def asked_files(
    study: StudyResult, folder: Path, *, queries: Path | None, to: Path | None
) -> AskedFiles:
    """Return the queries of a study in the file given, or in those that the study asked.

    With `to` that file is written first, with all queries of the study, unless it exists.
    """
    if to is not None and queries is not None:
        raise UsageError("--to and --queries: only one of them may be given")
    names = tuple(dict.fromkeys(one.repository for one in study.trials[0].queries))
    if to is not None and not to.exists():
        write_whole(to, write_queries(_copied(_places(study, folder), names, study)))
    given = to or queries
    places = dict.fromkeys(map(_plain, names), given) if given else _places(study, folder)
    if given is None:
        _refuse_shipped(study, places.values())
    return _matched(study, {name: _entries(path) for name, path in places.items()})


def _places(study: StudyResult, folder: Path) -> Mapping[str, Path]:
    """Return the file of queries of each repository, as the study's folder names the suite."""
    chosen = folder / CHOSEN
    remedy = "add --queries FILE, the file of its queries"
    if not chosen.is_file():
        raise UsageError(f"{study.id}: does not name the file of its queries; {remedy}")
    settings = read_yaml(chosen, FixtureError)
    typed = settings if isinstance(settings, Mapping) else {}
    names = [_plain(one.repository) for one in study.trials[0].queries]
    if typed.get("queries"):
        return dict.fromkeys(names, Path(str(typed["queries"])).expanduser())
    if typed.get("suite") == "auto":
        return dict.fromkeys(names, _generated(study, remedy))
    suite = find_suite(Path(str(typed.get("suite.path") or typed.get("suite", ""))))
    if suite is None:
        raise UsageError(f"{study.id}: does not name the file of its queries; {remedy}")
    return {one.name: one.queries for one in suite.repositories if one.name in names}


def _generated(study: StudyResult, remedy: str) -> Path:
    """Return the file that `suite=auto` made and kept beside the store."""
    asked = {one.id for one in study.trials[0].queries}
    folder = Path(study.settings.store).expanduser().parent / "generated"
    for file in sorted(folder.glob("*.yaml"), key=lambda one: -one.stat().st_mtime):
        if asked <= {one.query.id for one in read_entries(file)}:
            return file
    raise UsageError(f"{study.id}: its generated queries are not in {folder}; {remedy}")


def _refuse_shipped(study: StudyResult, places: Iterable[Path]) -> None:
    shipped = data_folder("fixtures").resolve()
    if any(shipped in path.resolve().parents for path in places):
        raise UsageError(
            f"suite={study.suite}: comes with rankgrid and is not written to; add --to FILE, which"
            " gets its queries and your answers"
        )


def _entries(path: Path) -> tuple[Entry, ...]:
    if not path.exists():
        raise UsageError(f"{path}: there is no such file; add --queries FILE")
    return read_entries(path)


def _copied(places: Mapping[str, Path], names: Sequence[str], study: StudyResult) -> list[Entry]:
    """Return the queries of a study as those of one file, which names their repositories."""
    asked = {(_plain(one.repository), one.id) for one in study.trials[0].queries}
    several = len(names) > 1
    found = []
    for name, path in places.items():
        entries = asked_of(_entries(path), name) if several else _entries(path)
        own = [one for one in entries if (name, one.query.id) in asked]
        found += [replace(one, repository=name) if several else one for one in own]
    return found


def _matched(study: StudyResult, entries: Mapping[str, Sequence[Entry]]) -> AskedFiles:
    by_key = {
        (name, one.query.id): one
        for name, own in entries.items()
        for one in own
        if one.repository in ("", name) or len(entries) == 1
    }
    rows = study.trials[0].queries
    found = tuple(by_key.get((_plain(one.repository), one.id)) for one in rows)
    if not any(found):
        files = ", ".join(sorted({one.place.file for own in entries.values() for one in own}))
        message = f"{files or 'the file'}: has none of the queries of {study.id}"
        raise UsageError(f"{message}; give the file that it asked with --queries")
    return AskedFiles(found)


def _plain(place: str) -> str:
    """Return the name of a repository without the commit that its queries are asked of."""
    return place.partition("@")[0]
