"""Archives: what is read, what is left out, and what is refused whole."""

import contextlib
import io
import tarfile
import zipfile
from collections.abc import Callable, Mapping

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bench.corpora.archives import Limits, read_archive
from bench.corpora.file_filter import Checkout, FileFilter
from bench.errors import SourceError, UnsafeArchiveError

Pack = Callable[[Mapping[str, bytes]], io.BytesIO]
ESCAPES = [
    "/etc/passwd",
    "../outside.py",
    "demo/../../outside.py",
    "..\\outside.py",
    "demo\\..\\..\\outside.py",
    "\\\\server\\share.py",
    "C:\\outside.py",
    "c:outside.py",
    "demo/a\0.py",
]


def tar_of(members: Mapping[str, bytes], *extra: tarfile.TarInfo) -> io.BytesIO:
    """Return a gzipped tar with these files and empty entries."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            info.pax_headers = {"path": name}
            archive.addfile(info, io.BytesIO(content))
        for entry in extra:
            archive.addfile(entry)
    return io.BytesIO(file.getvalue())


def zip_of(members: Mapping[str, bytes]) -> io.BytesIO:
    """Return a zip with these files, under names that zipfile itself would cut at a NUL."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo("x")
            info.filename = name
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return io.BytesIO(file.getvalue())


def entry(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    """Return an entry of a tar that has no content."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def read(file: io.BytesIO, *, name: str = "demo.tar.gz", limits: Limits | None = None) -> Checkout:
    """Return what an archive gives."""
    file_filter = FileFilter()
    read_archive(file, file_filter, name=name, limits=limits or Limits())
    return file_filter.checkout()


@pytest.mark.parametrize("pack", [tar_of, zip_of])
@pytest.mark.parametrize("escape", ESCAPES)
def test_one_escaping_name_refuses_the_whole_archive(pack: Pack, escape: str) -> None:
    file = pack({"demo/a.py": b"a", escape: b"b"})

    with pytest.raises(UnsafeArchiveError, match="leaves its folder"):
        read(file)


def test_an_escaping_link_or_folder_refuses_the_archive_too() -> None:
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE):
        with pytest.raises(UnsafeArchiveError):
            read(tar_of({"demo/a.py": b"a"}, entry("../out", kind, "a.py")))


@pytest.mark.parametrize("pack", [tar_of, zip_of])
def test_the_one_top_folder_is_taken_off(pack: Pack) -> None:
    checkout = read(pack({"demo-1.0/a.py": b"a = 1\r\n", "./demo-1.0//src/b.py": b"b"}))

    assert checkout.documents.paths == ("a.py", "src/b.py")
    assert checkout.documents.text(0) == "a = 1\r\n"


def test_several_top_folders_stay() -> None:
    checkout = read(tar_of({"a/x.py": b"x", "b/y.py": b"y"}))

    assert checkout.documents.paths == ("a/x.py", "b/y.py")


def test_a_wheel_keeps_its_paths() -> None:
    checkout = read(zip_of({"demo/a.py": b"a"}), name="demo-1.0-py3-none-any.whl")

    assert checkout.documents.paths == ("demo/a.py",)


def test_links_and_devices_are_left_out_and_counted() -> None:
    file = tar_of(
        {"demo/a.py": b"a"},
        entry("demo/soft.py", tarfile.SYMTYPE, "/etc/passwd"),
        entry("demo/hard.py", tarfile.LNKTYPE, "demo/a.py"),
        entry("demo/pipe", tarfile.FIFOTYPE),
        entry("demo/device", tarfile.CHRTYPE),
        entry("demo/folder", tarfile.DIRTYPE),
    )

    checkout = read(file)

    assert checkout.documents.paths == ("a.py",)
    assert checkout.left_out == {"link": 2, "special": 2}


def test_links_in_a_zip_are_left_out_and_counted() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("demo/a.py", "a")
        link = zipfile.ZipInfo("demo/link.py")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        pipe = zipfile.ZipInfo("demo/pipe")
        pipe.external_attr = 0o010644 << 16
        archive.writestr(pipe, "")

    checkout = read(file)

    assert checkout.documents.paths == ("a.py",)
    assert checkout.left_out == {"link": 1, "special": 1}


@pytest.mark.parametrize("pack", [tar_of, zip_of])
def test_an_archive_that_unpacks_to_far_more_than_it_weighs_is_refused(pack: Pack) -> None:
    file = pack({"demo/zeros.txt": bytes(40 * 1024 * 1024)})

    with pytest.raises(UnsafeArchiveError, match="unpacks to more"):
        read(file)


@pytest.mark.parametrize("pack", [tar_of, zip_of])
def test_the_limits_hold_for_bytes_and_members(pack: Pack) -> None:
    members = {f"demo/{number}.py": b"x" * 6000 for number in range(5)}

    assert len(read(pack(members), limits=Limits(members=5)).documents) == 5
    with pytest.raises(UnsafeArchiveError, match="more than 4 members"):
        read(pack(members), limits=Limits(members=4))
    with pytest.raises(UnsafeArchiveError, match="unpacks to more"):
        read(pack(members), limits=Limits(total_bytes=20_000))


@pytest.mark.parametrize("pack", [tar_of, zip_of])
def test_a_member_over_its_limit_is_left_out_and_counted(pack: Pack) -> None:
    file = pack({"demo/a.py": b"x" * 101, "demo/b.py": b"x" * 100})

    checkout = read(file, limits=Limits(member_bytes=100))

    assert checkout.documents.paths == ("b.py",)
    assert checkout.left_out == {"too_large": 1}


def test_the_table_of_contents_of_a_zip_is_bounded_before_it_is_read() -> None:
    file = zip_of({f"demo/{number}.py": b"x" for number in range(50)})

    with pytest.raises(UnsafeArchiveError, match="table of contents"):
        read(file, limits=Limits(directory_bytes=1000))


def test_a_sparse_member_cannot_claim_bytes_that_are_not_there() -> None:
    sparse = entry("demo/sparse.py", tarfile.GNUTYPE_SPARSE)
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz", format=tarfile.GNU_FORMAT) as archive:
        archive.addfile(sparse)

    assert read(io.BytesIO(file.getvalue())).left_out == {"special": 1}


def test_the_last_of_two_members_of_one_name_counts() -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for content in (b"first", b"second"):
            info = tarfile.TarInfo("demo/a.py")
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))

    documents = read(io.BytesIO(file.getvalue())).documents

    assert documents.paths == ("a.py",)
    assert documents.text(0) == "second"


def test_what_is_no_archive_is_said_to_be_none() -> None:
    with pytest.raises(SourceError, match=r"demo\.tar\.gz: it is neither"):
        read(io.BytesIO(b"hello"))


@pytest.mark.parametrize("pack", [tar_of, zip_of])
@example(cut=4, flip=95, value=2)  # the length of a header beyond what the machine can count
@given(cut=st.integers(4, 150), flip=st.integers(0, 149), value=st.integers(0, 255))
def test_a_damaged_archive_is_an_error_of_ours_or_still_reads(
    pack: Pack, cut: int, flip: int, value: int
) -> None:
    whole = bytearray(pack({"demo/a.py": b"a = 1\n" * 50, "demo/b.py": b"b = 2\n"}).getvalue())
    whole[flip % len(whole)] = value

    for damaged in (bytes(whole), bytes(whole[:cut])):
        with contextlib.suppress(SourceError):
            assert len(read(io.BytesIO(damaged)).documents) <= 2
