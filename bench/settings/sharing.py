"""Settings that would send source text or questions to another machine."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from urllib.parse import urlsplit

from bench.corpora.addresses import is_loopback
from bench.errors import SettingError
from bench.settings.study import StudySettings
from bench.settings.trial import TrialSettings
from retrievers.dense import EmbeddingServer, VectorSettings

_PARTS = {
    "retrieval": "retriever",
    "reranker": "reranker",
    "vectors": "vectors",
    "answerer": "answerer",
    "expansion": "query",
}
"""Parts of a trial that may be servers, with their names on the command line."""
_GROUPS = ((EmbeddingServer, "embedder"), (VectorSettings, "vectors"))
"""Parts of a retriever that are groups of settings."""
_LOCAL_STORES = ("file", "local", "memory")


def refuse_remote(settings: StudySettings, trials: Iterable[TrialSettings]) -> None:
    """Refuse servers, stores and clusters on other machines if text must not be shared."""
    if settings.share.text:
        return
    found = [*_of_study(settings), *(one for trial in trials for one in _of_trial(trial))]
    if found:
        message = f"{found[0]}: is not on this machine, and share.text=false keeps text on it."
        raise SettingError(f"{message} Use an address of this machine, or set share.text=true.")


def _of_study(settings: StudySettings) -> Iterator[str]:
    scheme, separator, _ = settings.store.partition("://")
    if separator and scheme not in _LOCAL_STORES:
        yield f"store={settings.store}"
    execution = settings.execution
    address = execution.address.rpartition("://")[2]
    if execution.kind != "local" and address != "local" and not _is_here(f"//{address}"):
        yield f"execution.address={execution.address}"


def _of_trial(trial: TrialSettings) -> Iterator[str]:
    for part, name in _PARTS.items():
        yield from _remote(getattr(trial, part), name)


def _remote(value: object, name: str) -> Iterator[str]:
    """Yield the addresses of other machines in a part of a trial."""
    if isinstance(value, tuple):
        for one in value:
            yield from _remote(one, name)
    if not is_dataclass(value):
        return
    for kind, own in _GROUPS:
        name = own if isinstance(value, kind) else name
    for each in fields(value):
        inner = getattr(value, each.name)
        if not each.name.endswith("url"):
            yield from _remote(inner, name)
        elif inner and not _is_here(str(inner)):
            yield f"{name}.{each.name}={inner}"


def _is_here(url: str) -> bool:
    try:
        return is_loopback(urlsplit(url).hostname or "")
    except ValueError:
        return False
