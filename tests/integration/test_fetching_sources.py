"""Sources fetched from real git repositories and from registries on this machine.

Each corpus here tries to run something; a marker file would prove that it did.
"""

import base64
import hashlib
import io
import os
import shutil
import socket
import subprocess
import tarfile
import tempfile
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bench.corpora import (
    Checkout,
    GitSource,
    Indexes,
    NpmSource,
    PypiSource,
    content_digest,
    read_source,
)
from bench.corpora.clones import remove_clones
from bench.errors import (
    HashMismatchError,
    SourceError,
    UnreachableError,
    UnsafeArchiveError,
)
from tests.integration.git_repositories import Repository

LFS_POINTER = "version https://git-lfs.example/spec/v1\noid sha256:00\nsize 1\n"


@pytest.fixture(autouse=True)
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give temporary files a folder of their own, and see that it is empty in the end."""
    folder = tmp_path_factory.mktemp("scratch")
    before = tempfile.tempdir
    tempfile.tempdir = str(folder)
    yield folder
    remove_clones()
    tempfile.tempdir = before
    assert list(folder.iterdir()) == []


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder, apart from this machine's configuration."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_NAME": "Test" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "test@example.org" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_DATE": "2026-01-01T00:00:00Z" for who in ("AUTHOR", "COMMITTER")},
    }
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return done.stdout.decode().strip()


def plant_traps(folder: Path, marker: Path) -> None:
    """Set everything in a repository that may run a command when it is fetched or checked out."""
    trap = folder / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n", encoding="utf-8")
    trap.chmod(0o755)
    for hook in ("post-checkout", "post-upload-pack", "pre-receive", "reference-transaction"):
        path = folder / ".git/hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(trap.read_text(encoding="utf-8"), encoding="utf-8")
        path.chmod(0o755)
    for key in ("filter.trap.smudge", "filter.trap.clean", "core.fsmonitor", "core.sshCommand"):
        git(folder, "config", key, str(trap))
    git(folder, "config", "uploadpack.packObjectsHook", str(trap))


@pytest.fixture
def hostile(tmp_path: Path) -> tuple[Path, str, Path]:
    """Return a repository full of traps, its commit, and the marker that they would make."""
    folder, marker = tmp_path / "hostile", tmp_path / "marker"
    (folder / "src").mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    for name, content in {
        "a.py": "a = 1\r\n",
        "src/b.py": "b = 2\n",
        "model.txt": LFS_POINTER,
        ".gitattributes": "*.py filter=trap text eol=lf\n*.txt filter=lfs\nsrc export-ignore\n",
        ".gitmodules": '[submodule "sub"]\n\tpath = sub\n\turl = ext::touch marker\n',
    }.items():
        (folder / name).write_bytes(content.encode())
    (folder / "link.py").symlink_to("/etc/hostname")
    git(folder, "-c", "core.autocrlf=false", "add", ".")
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    blob = git(folder, "hash-object", "-w", "--no-filters", "a.py")
    git(folder, "update-index", "--cacheinfo", f"100644,{blob},a.py")
    git(folder, "commit", "--quiet", "--message=first")
    commit = git(folder, "rev-parse", "HEAD")
    plant_traps(folder, marker)
    return folder, commit, marker


def texts(checkout: Checkout) -> dict[str, str]:
    """Return documents by path."""
    documents = checkout.documents
    return {path: documents.text(number) for number, path in enumerate(documents.paths)}


def test_a_commit_is_read_as_it_was_committed_and_nothing_of_it_runs(
    hostile: tuple[Path, str, Path],
) -> None:
    folder, commit, marker = hostile

    checkout = read_source(GitSource(str(folder), commit))

    assert not marker.exists()
    assert checkout.left_out == {"lfs_pointer": 1, "link": 1, "submodule": 1}
    assert checkout.documents.paths == (".gitattributes", ".gitmodules", "a.py", "src/b.py")
    assert texts(checkout)["a.py"] == "a = 1\r\n"


def test_files_of_rankgrid_that_were_committed_are_left_out(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "shop")
    queries = "queries:\n  - {id: q1, query: what is sold, expected_files: [a.py]}\n"
    results = '{"schema": 1, "study": "x", "num_configs": 1, "reports": []}'
    commit = repository.commit(
        "Save", a_dot_py="a = 1\n", eval__q_dot_yaml=queries, baselines__main_dot_json=results
    )

    checkout = read_source(GitSource(str(tmp_path / "shop"), commit))

    assert checkout.documents.paths == ("a.py",)
    assert checkout.own_files == ("baselines/main.json", "eval/q.yaml")


def test_the_traps_do_run_when_the_repository_is_cloned_carelessly(
    hostile: tuple[Path, str, Path], tmp_path: Path
) -> None:
    folder, _, marker = hostile
    settings = ("filter.trap.smudge", str(folder / "trap.sh"))

    git(tmp_path, "-c", "=".join(settings), "clone", "--quiet", str(folder), "clone")

    assert marker.exists()


def test_a_commit_that_no_branch_names_any_more_is_found(
    hostile: tuple[Path, str, Path],
) -> None:
    folder, commit, _ = hostile
    git(folder, "config", "--unset", "core.fsmonitor")
    git(folder, "commit", "--quiet", "--amend", "--no-verify", "--message=second")
    assert git(folder, "rev-parse", "HEAD") != commit

    assert "a.py" in read_source(GitSource(folder.as_uri(), commit)).documents.paths


def test_a_server_that_refuses_commits_by_id_is_fetched_whole(
    hostile: tuple[Path, str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, commit, _ = hostile
    git(folder, "config", "--unset", "core.fsmonitor")
    git(folder, "commit", "--quiet", "--allow-empty", "--no-verify", "--message=second")
    refusing = tmp_path / "bin/git"
    refusing.parent.mkdir()
    refusal = "echo 'fatal: Server does not allow request for unadvertised object' >&2; exit 128"
    refusing.write_text(
        f'#!/bin/sh\ncase " $* " in *" --depth=1 "*) {refusal};; esac\n'
        f'exec {shutil.which("git")} "$@"\n',
        encoding="utf-8",
    )
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", str(refusing.parent), prepend=os.pathsep)

    checkout = read_source(GitSource(str(folder), commit))

    assert texts(checkout)["a.py"] == "a = 1\r\n"


def test_one_folder_of_a_commit_is_read_with_paths_of_its_own(
    hostile: tuple[Path, str, Path],
) -> None:
    folder, commit, _ = hostile

    checkout = read_source(GitSource(str(folder), commit, "src"))

    assert texts(checkout) == {"b.py": "b = 2\n"}
    with pytest.raises(SourceError, match="no folder 'absent'"):
        read_source(GitSource(str(folder), commit, "absent"))


def test_the_same_source_gives_the_same_bytes(hostile: tuple[Path, str, Path]) -> None:
    folder, commit, _ = hostile

    first, second = (read_source(GitSource(str(folder), commit)) for _ in range(2))

    assert first.documents.content.tobytes() == second.documents.content.tobytes()
    assert content_digest(first.documents) == content_digest(second.documents)
    assert first.left_out == second.left_out


def test_a_missing_commit_is_named(hostile: tuple[Path, str, Path]) -> None:
    folder, _, _ = hostile

    with pytest.raises(UnreachableError, match="no such commit") as caught:
        read_source(GitSource(str(folder), "e" * 40))

    assert "eeeeeeeeeeee" in caught.value.message
    assert "\n" not in caught.value.message


def test_an_id_that_is_no_commit_is_refused(hostile: tuple[Path, str, Path]) -> None:
    folder, _, _ = hostile
    tree = git(folder, "rev-parse", "HEAD^{tree}")

    with pytest.raises(UnreachableError, match="no such commit"):
        read_source(GitSource(str(folder), tree))


def test_variables_that_steer_git_do_not_reach_it(
    hostile: tuple[Path, str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, commit, marker = hostile
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_WORK_TREE"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "uploadpack.packObjectsHook")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(folder / "trap.sh"))

    assert len(read_source(GitSource(str(folder), commit)).documents) == 4
    assert not marker.exists()


@pytest.mark.parametrize(
    "url",
    [
        "ext::touch {marker}",
        "ext::sh -c touch% {marker}",
        "--upload-pack=touch {marker}",
        "-u touch {marker}",
        "http://127.0.0.1/x",
        "file:///x?upload-pack=touch",
        "https://user:hunter2@127.0.0.1/x",
    ],
)
def test_an_address_that_may_do_harm_never_reaches_git(url: str, tmp_path: Path) -> None:
    marker = tmp_path / "marker"

    with pytest.raises(SourceError, match=r"^GitSource\.url: ") as caught:
        read_source(GitSource(url.format(marker=marker), "e" * 40))

    assert not marker.exists()
    assert "hunter2" not in caught.value.message


def test_an_absent_repository_and_a_closed_port_are_unreachable(tmp_path: Path) -> None:
    with pytest.raises(UnreachableError, match="no such folder"):
        read_source(GitSource(str(tmp_path / "absent"), "e" * 40))
    with pytest.raises(UnreachableError) as caught:
        read_source(GitSource(f"https://127.0.0.1:{closed_port()}/x", "e" * 40))

    assert "check the url" in caught.value.message
    assert "\n" not in caught.value.message


def test_a_server_that_never_answers_is_given_up_and_no_process_stays() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        source = GitSource(f"https://127.0.0.1:{silent.getsockname()[1]}/x", "e" * 40)

        with pytest.raises(UnreachableError, match=r"no answer within 1 seconds"):
            read_source(source, seconds=1)

        connection, _ = silent.accept()
        with connection:
            connection.settimeout(5)
            # The helper of git that asked has hung up: what it sent has an end.
            assert b"".join(iter(lambda: connection.recv(65536), b""))


def closed_port() -> int:
    """Return a port of this machine where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


Pages = Mapping[str, tuple[str, bytes]]


@contextmanager
def serving(pages: Pages) -> Iterator[str]:
    """Serve pages (by path: content type or redirect, body) on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, body = pages.get(self.path, ("", b"not here"))
            if kind.startswith("redirect:"):
                self.send_response(302)
                self.send_header("Location", kind.removeprefix("redirect:"))
            else:
                self.send_response(200 if kind else 404)
                self.send_header("Content-Type", kind or "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def tarball(files: Mapping[str, str]) -> bytes:
    """Return a gzipped tar of some files."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content.encode())
            archive.addfile(info, io.BytesIO(content.encode()))
    return file.getvalue()


def pinned(content: bytes, file: str = "demo-1.0.tar.gz") -> PypiSource:
    """Return the source that pins a file of the package demo."""
    return PypiSource("Demo", "1.0", file, hashlib.sha256(content).hexdigest())


def index_of(content: bytes, file: str = "demo-1.0.tar.gz") -> Pages:
    """Return the pages of an index that has one file."""
    link = f'<a href="../../files/{file}#sha256={"0" * 64}" data-yanked="bad">{file}</a>'
    return {
        "/simple/demo/": ("text/html", f"<!DOCTYPE html>{link}".encode()),
        f"/files/{file}": ("application/octet-stream", content),
    }


def test_an_sdist_is_read_and_its_build_is_not_run(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    setup = f"import pathlib\npathlib.Path({str(marker)!r}).touch()\n"
    build = '[build-system]\nrequires=[]\nbuild-backend="setup"\nbackend-path=["."]\n'
    content = tarball(
        {
            "demo-1.0/setup.py": setup,
            "demo-1.0/pyproject.toml": build,
            "demo-1.0/demo/a.py": "a = 1\n",
            "demo-1.0/PKG-INFO": "Name: demo\n",
        }
    )

    with serving(index_of(content)) as url:
        indexes = Indexes(index_urls=(f"{url}/simple",))
        checkout, again = (read_source(pinned(content), indexes=indexes) for _ in range(2))

    assert not marker.exists()
    assert texts(checkout)["setup.py"] == setup
    assert checkout.documents.paths == ("demo/a.py", "pyproject.toml", "setup.py")
    assert checkout.left_out == {"metadata": 1}
    assert content_digest(checkout.documents) == content_digest(again.documents)


def test_a_wheel_is_read_from_a_folder_of_files(tmp_path: Path) -> None:
    name = "demo-1.0-cp39-cp39-win_amd64.whl"
    with zipfile.ZipFile(tmp_path / name, "w") as archive:
        archive.writestr("demo/a.py", "a = 1\n")
        archive.writestr("demo-1.0.dist-info/RECORD", "")
    source = pinned((tmp_path / name).read_bytes(), name)

    checkout = read_source(source, indexes=Indexes(find_links=(tmp_path.as_uri(),)))

    assert texts(checkout) == {"demo/a.py": "a = 1\n"}


def test_an_index_that_answers_in_json_or_elsewhere_is_understood() -> None:
    content = tarball({"demo-1.0/a.py": "a\n"})
    page = b'{"files": [{"filename": "demo-1.0.tar.gz", "url": "/files/demo-1.0.tar.gz"}]}'
    pages = {
        **index_of(content),
        "/simple/demo/": ("redirect:/json/demo/", b""),
        "/json/demo/": ("application/vnd.pypi.simple.v1+json", page),
    }

    with serving(pages) as url:
        checkout = read_source(pinned(content), indexes=Indexes(index_urls=(f"{url}/simple/",)))

    assert checkout.documents.paths == ("a.py",)


def test_the_second_index_serves_what_the_first_does_not_have() -> None:
    content = tarball({"demo-1.0/a.py": "a\n"})

    with serving({}) as empty, serving(index_of(content)) as full:
        closed = f"http://127.0.0.1:{closed_port()}"
        indexes = Indexes(index_urls=tuple(f"{url}/simple" for url in (closed, empty, full)))
        checkout = read_source(pinned(content), indexes=indexes)

    assert checkout.documents.paths == ("a.py",)


def test_another_content_than_the_pinned_is_a_mismatch_that_names_both() -> None:
    served, wanted = tarball({"demo-1.0/a.py": "evil\n"}), tarball({"demo-1.0/a.py": "good\n"})

    with serving(index_of(served)) as url, pytest.raises(HashMismatchError) as caught:
        read_source(pinned(wanted), indexes=Indexes(index_urls=(f"{url}/simple",)))

    for part in ("Demo", hashlib.sha256(served).hexdigest(), hashlib.sha256(wanted).hexdigest()):
        assert part in caught.value.message


def test_an_sdist_that_leaves_its_folder_is_refused(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    content = tarball({"demo-1.0/a.py": "a\n", f"demo-1.0/{'../' * 20}{marker}": "x\n"})

    with serving(index_of(content)) as url, pytest.raises(UnsafeArchiveError):
        read_source(pinned(content), indexes=Indexes(index_urls=(f"{url}/simple",)))

    assert not marker.exists()


def test_a_file_that_no_index_has_is_answered_with_near_names() -> None:
    content = tarball({"demo-1.0/a.py": "a\n"})

    with serving(index_of(content, "demo-1.0.zip")) as url, pytest.raises(UnreachableError) as got:
        read_source(pinned(content), indexes=Indexes(index_urls=(f"{url}/simple",)))

    assert "did you mean demo-1.0.zip" in got.value.message


def test_a_closed_index_is_unreachable_and_its_credentials_are_not_shown() -> None:
    url = f"http://user:hunter2@127.0.0.1:{closed_port()}/simple"

    with pytest.raises(UnreachableError) as caught:
        read_source(pinned(b""), indexes=Indexes(index_urls=(url,)))

    assert "hunter2" not in caught.value.message
    assert "could not be reached" in caught.value.message


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("file://{file}", "redirects to a file of this machine|no index has the file"),
        ("http://example.org/demo-1.0.tar.gz", "plain http to another machine"),
    ],
)
def test_an_index_has_no_say_over_other_places(target: str, reason: str, tmp_path: Path) -> None:
    content = tarball({"demo-1.0/a.py": "a\n"})
    file = tmp_path / "demo-1.0.tar.gz"
    file.write_bytes(content)
    place = target.format(file=file)
    linked = {"/simple/demo/": ("text/html", f'<a href="{place}">x</a>'.encode())}
    sent = {**index_of(content), "/files/demo-1.0.tar.gz": (f"redirect:{place}", b"")}

    for pages in (linked, sent):
        with serving(pages) as url, pytest.raises(SourceError, match=reason):
            read_source(pinned(content), indexes=Indexes(index_urls=(f"{url}/simple",)))


NPM_FILES = {
    "package/index.js": "module.exports = 1\n",
    "package/package.json": '{"scripts": {"install": "touch marker"}}\n',
}


def npm_source(content: bytes, package: str = "demo") -> NpmSource:
    """Return the source that pins a tarball by its sha256."""
    return NpmSource(package, "1.0.0", hashlib.sha256(content).hexdigest())


@contextmanager
def registry_of(content: bytes, tarball_url: str = "", package: str = "demo") -> Iterator[str]:
    """Serve a registry that has one package."""
    pages: dict[str, tuple[str, bytes]] = {"/demo-1.0.0.tgz": ("application/gzip", content)}
    with serving(pages) as url:
        place = tarball_url or f"{url}/demo-1.0.0.tgz"
        answer = f'{{"dist": {{"tarball": "{place}"}}}}'.encode()
        pages[f"/{package}/1.0.0"] = ("application/json", answer)
        yield url


@pytest.mark.parametrize(("package", "path"), [("demo", "demo"), ("@team/demo", "@team%2Fdemo")])
def test_a_tarball_is_read_by_sha256_or_by_integrity(package: str, path: str) -> None:
    content = tarball(NPM_FILES)
    digest = base64.b64encode(hashlib.sha512(content).digest()).decode()
    by_integrity = NpmSource(package, "1.0.0", integrity=f"sha512-{digest}")

    with registry_of(content, package=path) as url:
        found = [
            read_source(source, registry=url)
            for source in (npm_source(content, package), by_integrity)
        ]

    for checkout in found:
        assert checkout.documents.paths == ("index.js", "package.json")


def test_another_tarball_than_the_pinned_is_a_mismatch() -> None:
    content = tarball(NPM_FILES)
    wrong = NpmSource("demo", "1.0.0", integrity="sha512-AAAA")

    with registry_of(content) as url:
        for source in (npm_source(b"other"), wrong):
            with pytest.raises(HashMismatchError, match=r"demo 1\.0\.0"):
                read_source(source, registry=url)


def test_a_version_that_the_registry_does_not_have_is_unreachable() -> None:
    with serving({}) as url, pytest.raises(UnreachableError, match="answered 404"):
        read_source(npm_source(b""), registry=url)


def test_a_registry_that_answers_nonsense_is_unreachable() -> None:
    with (
        serving({"/demo/1.0.0": ("application/json", b"[1]")}) as url,
        pytest.raises(UnreachableError, match="did not name a tarball"),
    ):
        read_source(npm_source(b""), registry=url)


@pytest.mark.parametrize("place", ["http://example.org/x.tgz", "file:///etc/hostname", "x"])
def test_a_tarball_is_taken_from_https_or_this_machine_only(place: str) -> None:
    with registry_of(b"", place) as url, pytest.raises(SourceError, match="neither https"):
        read_source(npm_source(b""), registry=url)


def test_a_registry_without_https_is_refused_before_it_is_asked() -> None:
    with pytest.raises(SourceError, match="neither https"):
        read_source(npm_source(b""), registry="http://registry.example/")


def test_without_npm_and_without_a_variable_the_remedy_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in [name for name in os.environ if name.lower() == "npm_config_registry"]:
        monkeypatch.delenv(name)

    with pytest.raises(SourceError, match="set the environment variable npm_config_registry"):
        read_source(npm_source(b""))


def test_without_npm_the_variable_names_the_registry(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    content = tarball(NPM_FILES)
    monkeypatch.setenv("PATH", str(tmp_path))

    with registry_of(content) as url:
        monkeypatch.setenv("npm_config_registry", url)
        checkout = read_source(npm_source(content))

    assert checkout.documents.paths == ("index.js", "package.json")
