"""A file of a Python package as a source. It is verified and read, never built or installed."""

from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO, cast

from bench.corpora.archives import read_archive
from bench.corpora.download import digest_of_file, download, open_client, unreachable
from bench.corpora.file_filter import FileFilter
from bench.corpora.indexes import Indexes
from bench.corpora.sources import PypiSource
from bench.errors import HashMismatchError, SourceError, UnreachableError
from bench.near_names import close_names

if TYPE_CHECKING:
    from unearth.fetchers import Fetcher
    from unearth.link import Link


def read_pypi(source: PypiSource, file_filter: FileFilter, indexes: Indexes) -> None:
    """Pass the files of an sdist or a wheel to the file filter."""
    with TemporaryFile() as file:
        fetch_pypi(source, file, indexes)
        read_archive(file, file_filter, name=source.file)


def fetch_pypi(source: PypiSource, file: BinaryIO, indexes: Indexes) -> None:
    """Write an sdist or a wheel into an open file and check its SHA-256."""
    opened = open_client(
        index_urls=indexes.index_urls,
        trusted_hosts=indexes.trusted_hosts,
        certificates=indexes.certificates,
    )
    with opened as client:
        url = _find(cast("Fetcher", client), source, indexes)
        download(client, url, file)
    found = digest_of_file(file, "sha256").hex()
    if found != source.sha256:
        message = (
            f"{_name(source)}: {source.file} has sha256 {found}, expected {source.sha256}; "
            "correct the pin if the new content is what you want"
        )
        raise HashMismatchError(message)


def _find(client: "Fetcher", source: PypiSource, indexes: Indexes) -> str:
    """Return the URL of the file at the first index that has it."""
    seen: list[str] = []
    silent: list[str] = []
    for place, expand in _places(source, indexes):
        try:
            links = _links(client, place, expand=expand)
        except SourceError as error:
            silent.append(error.message)
            continue
        for link in links:
            if link.filename == source.file:
                return str(link.url_without_fragment)
            seen.append(link.filename)
    if silent:
        raise UnreachableError(f"{_name(source)}: {source.file} was not found: {silent[0]}")
    near = close_names(source.file, sorted(set(seen)))
    remedy = f"did you mean {' or '.join(near)}?" if near else "correct the name or the index"
    raise UnreachableError(f"{_name(source)}: no index has the file {source.file}; {remedy}")


def _places(source: PypiSource, indexes: Indexes) -> list[tuple[str, bool]]:
    """Return index locations, local ones first, each with True for a folder or page of files."""
    from packaging.utils import canonicalize_name

    name = canonicalize_name(source.package)
    pages = [(f"{url.rstrip('/')}/{name}/", False) for url in indexes.index_urls]
    places = [(url, True) for url in indexes.find_links] + pages
    return sorted(places, key=lambda place: not place[0].startswith("file:"))


def _links(client: "Fetcher", place: str, *, expand: bool) -> "list[Link]":
    import httpx2
    from unearth.collector import (
        LinkCollectError,
        collect_links_from_location,
        fetch_page,
        parse_html_page,
        parse_json_response,
    )
    from unearth.link import Link

    location = Link(place)
    if location.is_file:
        path = Path(location.file_path)
        is_there = path.exists() if expand else (path / "index.html").exists()
        found = collect_links_from_location(client, location, expand=expand) if is_there else ()
        return list(found)
    try:
        page = fetch_page(client, location)
    except (LinkCollectError, httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        if "Client Error(404)" in str(error):
            return []
        raise unreachable(place, error) from error
    is_json = page.content_type.lower().startswith("application/vnd.pypi.simple.v1+json")
    parse = parse_json_response if is_json else parse_html_page
    # A page must not name files of this machine.
    return [link for link in parse(page) if not link.is_file]


def _name(source: PypiSource) -> str:
    return f"pypi package {source.package} {source.version}"
