"""Text of others can be printed: it is read as before, and obeyed by nothing."""

import io
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.text import Text

from bench.errors import FixtureError, SettingError, lines_of
from bench.printable import GuardedStream, guard_output, one_line, printable
from bench.report.console import open_console


@given(text=st.text(st.characters()))
@example(text="\x1b]0;a\x07\x9b\u202e\u2066\u200b\ufeff\ud800\U000e0041\r")
def test_no_control_character_is_left(text: str) -> None:
    """Joiners are the only ones of their category, and only among the letters that need them."""
    shown = printable(text)

    kept = [sign for sign in shown if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    assert set(kept) <= {"\n", "\t", "\u200c", "\u200d"}
    assert printable(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "plain\ttext\n",
        "Größe, naïve, Ελλάδα, 漢字, e\u0301",
        "\u0645\u06cc\u200c\u062e\u0648",
        "👩\u200d🔧",
        "1\u202f000",
    ],
)
def test_what_people_write_stays(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a\ufffd[31mb"),
        ("cart\u200d.py", "cart\ufffd.py"),
        ("\u200dcart", "\ufffdcart"),
        ("a\r\nb\rc", "a\nb\ufffdc"),
    ],
)
def test_what_is_obeyed_or_not_seen_is_replaced(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_one_line_is_one_line() -> None:
    assert one_line(" a\r\n::error::b\x85\u2028c\td\x1b ") == "a ::error::b c d\ufffd"


def test_an_error_is_one_line_and_that_of_queries_has_one_for_each() -> None:
    assert lines_of(SettingError("path=a\nb\x1b: no such file")) == [
        "path=a b\ufffd: no such file"
    ]
    assert lines_of(FixtureError("2 are wrong\n  a\x07\n\n  b\n")) == [
        "2 are wrong",
        "a\ufffd",
        "b",
    ]
    assert lines_of(ValueError("first\nsecond")) == ["first"]
    assert lines_of(ValueError()) == ["ValueError()"]


def test_a_guarded_stream_is_the_stream_but_for_what_is_written() -> None:
    below = io.StringIO()
    stream = GuardedStream(below)

    counts = [stream.write("a\x1bb"), stream.write("é\n")]
    stream.writelines(["c\x07", "d"])
    stream.flush()

    assert below.getvalue() == "a\ufffdbé\nc\ufffdd"
    assert counts == [3, 2]
    assert not stream.isatty()


def test_everything_that_is_printed_is_guarded_once(capsys: pytest.CaptureFixture[str]) -> None:
    guard_output()
    guarded = sys.stdout
    guard_output()

    sys.stdout.write("out\x1b\n")
    sys.stderr.write("error\x1b\n")

    assert sys.stdout is guarded
    assert capsys.readouterr() == ("out\ufffd\n", "error\ufffd\n")


def test_a_console_has_the_codes_of_its_own_styles_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Markup in text is text, and links are none."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    guard_output()
    console = open_console()

    console.print(Text("a\x1b[2Jb\u202e", style="bold"))
    console.print("[red]c[/red] :cat: [link=http://x]d[/link]")

    bold, plain = capsys.readouterr().out.splitlines()
    assert bold == "\x1b[1ma\ufffd[2Jb\ufffd\x1b[0m"
    assert plain == "[red]c[/red] :cat: [link=http://x]d[/link]"
