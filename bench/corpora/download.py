"""Bounded downloads over HTTPS, or HTTP from this machine."""

import hashlib
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, cast

from bench.corpora.addresses import may_be_fetched, on_one_line, redacted
from bench.errors import SourceError, UnreachableError
from retrievers.servers import Connections

if TYPE_CHECKING:
    import httpx2
    from unearth.fetchers import PyPIClient

ARCHIVE_BYTES = 1024 * 1024 * 1024
"""Maximum bytes of a downloaded archive."""
_PAGE_BYTES = 32 * 1024 * 1024
_SECONDS_OF_SILENCE = 30.0
_SECONDS_OF_DOWNLOAD = 900.0
"""Seconds for one source, including index pages and the archive."""


@contextmanager
def open_client(
    *,
    index_urls: Iterable[str] = (),
    trusted_hosts: Iterable[str] = (),
    certificates: str = "",
    seconds: float = _SECONDS_OF_DOWNLOAD,
) -> Iterator["PyPIClient"]:
    """Yield an HTTP client that uses credentials of the index URL or netrc and never prompts.

    All its requests together must finish within `seconds`.
    """
    import ssl

    from unearth.auth import MultiDomainBasicAuth
    from unearth.fetchers import PyPIClient

    trusted, connections = frozenset(trusted_hosts), Connections()

    def trace(request: "httpx2.Request") -> None:
        request.extensions = {**request.extensions, "trace": connections.trace}

    def refuse_plain_http(request: "httpx2.Request") -> None:
        url = str(request.url)
        if not may_be_fetched(url) and request.url.scheme != "file":
            if request.url.host in trusted or request.url.netloc.decode() in trusted:
                return
            message = (
                f"{redacted(url)} is plain http to another machine; "
                "use https, or trust the host in pip's configuration"
            )
            raise SourceError(message)

    def refuse_local_files(response: "httpx2.Response") -> None:
        if response.headers.get("location", "").lower().lstrip().startswith("file:"):
            message = f"{redacted(str(response.url))} redirects to a file of this machine; refused"
            raise SourceError(message)

    verify = ssl.create_default_context(cafile=certificates) if certificates else True
    client = PyPIClient(
        trusted_hosts=trusted,
        verify=verify,
        timeout=_SECONDS_OF_SILENCE,
        follow_redirects=True,
        event_hooks={"request": [refuse_plain_http, trace], "response": [refuse_local_files]},
    )
    client.auth = MultiDomainBasicAuth(prompting=False, index_urls=index_urls)
    try:
        with client, connections.within(seconds):
            yield client
    except TimeoutError as error:
        cause = error.__cause__.message if isinstance(error.__cause__, SourceError) else str(error)
        message = f"the download took more than {seconds:g} s ({cause})"
        raise UnreachableError(message) from error


def download(
    client: "PyPIClient", url: str, into: BinaryIO, *, allowed: int = ARCHIVE_BYTES
) -> None:
    """Write the content of a URL into an open file, up to `allowed` bytes."""
    import httpx2

    left = allowed
    try:
        with client.get_stream(url) as response:
            if not response.is_success:
                raise UnreachableError(f"{redacted(url)} answered {response.status_code}")
            for piece in response.iter_bytes():
                left -= len(piece)
                if left < 0:
                    message = f"{redacted(url)} is larger than the limit; pin another"
                    raise SourceError(message)
                into.write(piece)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise unreachable(url, error) from error


def get_page(client: "PyPIClient", url: str) -> bytes:
    """Return the content of a page, up to 32 MiB."""
    page = io.BytesIO()
    download(client, url, page, allowed=_PAGE_BYTES)
    return page.getvalue()


def unreachable(url: str, error: Exception) -> UnreachableError:
    """Return an error with the URL and the reason."""
    reason = on_one_line(str(error).replace(url, redacted(url))) or type(error).__name__
    message = f"{redacted(url)} could not be reached ({reason}); check the network and the address"
    return UnreachableError(message)


def digest_of_file(file: BinaryIO, algorithm: str) -> bytes:
    """Return the digest of an open file, and rewind the file."""
    file.seek(0)
    digest = hashlib.file_digest(cast(io.BufferedIOBase, file), algorithm).digest()
    file.seek(0)
    return digest
