"""The newest commit of a remote git repository."""

import re

from bench.corpora.addresses import local_folder_of, transport_of
from bench.corpora.repository import FETCH_SECONDS, open_repository
from bench.errors import SourceError

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def head_of(url: str, name: str, *, seconds: float = FETCH_SECONDS) -> str:
    """Return the commit of the default branch of a git URL."""
    address = str(local_folder_of(url)) if transport_of(url) == "file" else url
    with open_repository(url, name, seconds=seconds) as repository:
        status, answer = repository.attempt("ls-remote", "--", address, "HEAD")
    commit = answer.partition(" ")[0]
    if status or not _COMMIT.fullmatch(commit):
        message = f"{name}: its newest commit cannot be read ({answer or 'it has none'})"
        raise SourceError(f"{message}; check the url, the network and your access")
    return commit
