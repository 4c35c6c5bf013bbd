"""How bytes become text."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.corpora.text import decode, holds_nul


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_utf8_comes_back_as_it_was(text: str) -> None:
    assert decode(codecs.BOM_UTF8 + text.encode()) == text


@given(st.binary(max_size=200))
def test_no_bytes_make_decoding_fail(content: bytes) -> None:
    text = decode(content, is_python=True)

    assert text is None or isinstance(text, str)


def test_line_ends_are_kept() -> None:
    assert decode(b"one\r\ntwo\rthree\n") == "one\r\ntwo\rthree\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_read_by_its_mark(encoding: str) -> None:
    content = "\ufeffclass Grün {}".encode(encoding)

    assert decode(content) == "class Grün {}"
    assert not holds_nul(content)


def test_utf32_is_not_mistaken_for_utf16() -> None:
    assert decode(codecs.BOM_UTF32_LE + "ab".encode("utf-32-le")) is None


@pytest.mark.parametrize(
    "head",
    [b"# -*- coding: koi8-r -*-\n", b"#!/usr/bin/python\n# vim: set fileencoding=koi8-r :\n"],
)
def test_a_python_file_is_read_as_it_declares(head: bytes) -> None:
    content = head + "имя = 1\n".encode("koi8-r")

    assert decode(content, is_python=True) == head.decode() + "имя = 1\n"


def test_a_declaration_counts_in_the_first_two_lines_of_python_only() -> None:
    late = b"import os\n# coding: koi8-r\nx = '\xe9'\n"
    elsewhere = b"# coding: koi8-r\nx = '\xe9'\n"

    assert decode(late, is_python=True) == late.decode("cp1252")
    assert decode(elsewhere) == elsewhere.decode("cp1252")


@pytest.mark.parametrize("name", ["nonsense", "rot13", "zlib", "idna", "punycode", "utf-7"])
def test_a_declared_codec_that_is_no_plain_encoding_is_passed_over(name: str) -> None:
    content = f"# coding: {name}\nx = 'ü'\n".encode()

    assert decode(content, is_python=True) == content.decode()


def test_western_text_is_read_without_any_mark() -> None:
    assert decode(b"na\xefve \x80") == "naïve €"


def test_bytes_that_no_western_text_has_are_undecodable() -> None:
    assert decode(b"\x81\x8d\x8f\xff") is None


def test_a_nul_byte_counts_within_the_first_eight_kibibytes() -> None:
    assert holds_nul(b"x" * 8191 + b"\0")
    assert not holds_nul(b"x" * 8192 + b"\0")
