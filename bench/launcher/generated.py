"""`suite=auto`: queries generated from the repository, in a folder beside the store."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from bench.commands import command
from bench.corpora import AnyCommit, LocalSource, Source, content_digest
from bench.corpora.commits import is_repository
from bench.corpora.heads import head_of
from bench.corpora.own_files import YAML_SIGN
from bench.errors import SettingError, nearest
from bench.files import create_ignored, write_whole
from bench.launcher.points import Point
from bench.printable import plural
from bench.queries import CorpusFolder
from bench.settings.choosing import parse_files
from bench.settings.fields import typed
from bench.settings.suite import own_repository
from bench.wiring import folder_beside
from retrievers.interface import Documents

if TYPE_CHECKING:
    from bench.authoring.generated import Generated, Generating, Said, SourceName

_VERSION = 6
"""Of what is made of equal documents; raise it when other queries come out."""
_FEWEST, _MOST = 10, 1000
_FOLDER = "generated"
_COMMITS = 1000
"""Number of the newest commits that are searched for queries."""


@dataclass(frozen=True)
class Made:
    """Queries that were generated from a repository."""

    repository: str
    """The value of `repository` for `suite=own`: a folder, or a git URL with its commit."""
    generated: "Generated"
    text: str
    """The content of the query file."""


def with_generated_queries(points: Sequence[Point], say: Callable[[str], None]) -> Sequence[Point]:
    """Return points with a file of generated queries instead of `suite=auto`."""
    config = points[0].config
    if config["suite"].get("kind") != "auto":
        return points
    if any(point.config["suite"] != config["suite"] for point in points):
        message = "suite.count and suite.sources take one value in a grid"
        raise SettingError(message)
    repository, file = _kept(config, say)
    # The settings of the generator stay, because they have an effect and belong to chosen.yaml.
    own = {**config["suite"], "kind": "own", "name": "auto"}
    more = {"suite": own, "repository": repository, "queries": str(file)}
    return [replace(point, config={**point.config, **more}) for point in points]


def make_from(config: Mapping[str, Any]) -> Made:
    """Generate queries from the repository of a configuration."""
    repository = _repository(config, _wanted(config))
    return repository.make()


def about_made(made: "Generated") -> list[str]:
    """Return the counts of queries by source, and of rejected candidates by reason."""
    counts = ", ".join(f"{count} from {source}" for source, count in made.by_source.items())
    lines = [f"{plural(len(made.entries), 'query', 'queries')} generated: {counts}"]
    if made.wider:
        few = f"fair questions: {len(made.entries) - made.wider} only"
        more = f"{made.wider} more were made by wider rules (tag: wider)"
        lines.append(f"{few}; {more}; about half of these read as fair")
    if made.rejected:
        reasons = ", ".join(f"{count} {reason}" for reason, count in made.rejected.items())
        lines.append(f"rejected: {reasons}")
    return lines


def _kept(config: Mapping[str, Any], say: Callable[[str], None]) -> tuple[str, Path]:
    """Return the repository and its query file, which an earlier run may have written."""
    if config.get("queries"):
        message = f"queries={config['queries']}: suite=auto makes its own; use suite=own"
        raise SettingError(message)
    folder = folder_beside(str(config["store"]), _FOLDER)
    repository = _repository(config, _wanted(config))
    file = folder / f"{repository.name}-{repository.key}.yaml"
    if not file.exists():
        made = repository.make()
        create_ignored(folder.parent)
        folder.mkdir(exist_ok=True)
        write_whole(file, made.text)
        for line in about_made(made.generated):
            say(line)
    say(f"queries: {file}")
    return repository.place, file


@dataclass(frozen=True)
class _Repository:
    """A repository with its documents, and the settings of the generated queries."""

    name: str
    place: str
    head: str
    """The newest commit, or blank if the history is not used."""
    issues: Mapping[str, str]
    """The texts of linked issues by their numbers."""
    documents: Documents
    wanted: "Generating"

    @property
    def key(self) -> str:
        """A short hash of everything that determines the queries."""
        said = f"{self.head}\0{sorted(self.issues.items())}"
        whole = f"{_VERSION}\0{content_digest(self.documents)}\0{self.wanted}\0{said}"
        return hashlib.sha256(whole.encode()).hexdigest()[:12]

    def make(self) -> Made:
        """Generate the queries, or raise an error if there are too few."""
        from bench.authoring.generated import generate
        from bench.queries import write_queries

        if not self.documents.paths:
            message = f"repository={self.place}: no text files found that could be searched"
            raise SettingError(f"{message}; give the folder of the code")
        made = generate(self.documents, self.wanted, said=self._said() if self.head else None)
        if len(made.entries) < _FEWEST:
            raise SettingError(_too_few(self.place, made, self.wanted))
        head = "".join(f"# {line}\n" for line in about_made(made))
        return Made(self.place, made, YAML_SIGN + head + write_queries(made.entries))

    def _said(self) -> "Said":
        """Return the texts of commits and linked issues."""
        from bench.authoring.generated import Said
        from bench.authoring.mining import Mining, mine
        from bench.corpora.history import open_history

        url = self.place.rpartition("@")[0] if "://" in self.place else self.place
        with open_history(url, most_commits=_COMMITS) as history:
            mined = mine(history, Mining(most_drafts=_COMMITS), linked=self.issues)
        return Said(mined, self.issues)


def _repository(config: Mapping[str, Any], wanted: "Generating") -> _Repository:
    from bench.authoring.generated import HISTORY
    from bench.authoring.opening import read_tree

    place = config.get("repository")
    if not isinstance(place, str) or not place:
        message = "suite=auto: needs the code to search; add repository=PATH"
        raise SettingError(message)
    name, source, exact = _source(place)
    documents = read_tree(source, Path(".rankgrid"), parse_files(config))
    issues = _issues(config, wanted)
    has_history = not set(HISTORY).isdisjoint(wanted.sources)
    if has_history and isinstance(source, LocalSource) and not is_repository(Path(source.path)):
        message = f"repository={place}: is not a git repository, which commits and issues need"
        raise SettingError(f"{message}; leave them out of suite.sources")
    head = head_of(place, name) if has_history else ""
    return _Repository(name, exact, head, issues, documents, wanted)


def _issues(config: Mapping[str, Any], wanted: "Generating") -> Mapping[str, str]:
    from bench.authoring.linked_issues import read_linked

    file = config["suite"].get("issues")
    if "issues" not in wanted.sources:
        return {}
    if not isinstance(file, str) or not Path(file).expanduser().is_file():
        message = f"suite.issues={typed(file)}: must be a file for suite.sources=[issues]"
        raise SettingError(f'{message}; use JSON Lines with {{"id": 12, "text": "…"}}')
    return read_linked(Path(file).expanduser())


def _wanted(config: Mapping[str, Any]) -> "Generating":
    from bench.authoring.generated import FEW, SOURCES, Generating

    count, sources = config["suite"].get("count"), config["suite"].get("sources")
    if type(count) is not int or not _FEWEST <= count <= _MOST:
        message = f"suite.count={typed(count)}: must be a whole number from {_FEWEST} to {_MOST}"
        raise SettingError(f"{message}; write suite.count=120 for example")
    if isinstance(sources, str) or not sources:
        message = f"suite.sources={typed(sources)}: must be a list"
        raise SettingError(f"{message}; write suite.sources=[documentation] for example")
    for one in sources:
        if one not in SOURCES:
            message = f"suite.sources=[{one}]: no such source; {nearest(str(one), SOURCES)}"
            raise SettingError(message)
    chosen = cast("tuple[SourceName, ...]", tuple(dict.fromkeys(sources)))
    seed = config.get("seed")
    # Who chooses sources gets these and no others.
    few = FEW if chosen == Generating().sources else 0
    return Generating(count, chosen, seed if isinstance(seed, int) else 0, few)


def _source(place: str) -> tuple[str, Source, str]:
    """Return the name and source of a repository, and its place, with a commit for a git URL."""
    found = own_repository(place, Path())
    source = found.source
    if isinstance(source, CorpusFolder):  # pragma: no cover - a place is a folder or a git URL
        raise SettingError(f"repository={place}: is a collection; use suite=beir")
    if isinstance(source, AnyCommit):
        place = f"{place}@{head_of(source.url, found.name)}"
        source = cast("Source", own_repository(place, Path()).source)
    return found.name, source, place


def _too_few(place: str, made: "Generated", wanted: "Generating") -> str:
    count = plural(len(made.entries), "query", "queries")
    message = f"repository={place}: {count} could be generated, and a study needs at least"
    more = "" if wanted.widen_below else ", or leave out suite.sources"
    remedy = f"Write queries instead ({command('fixtures new --help')}){more}."
    return f"{message} {_FEWEST}. {remedy}"
