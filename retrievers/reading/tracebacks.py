"""Lines of tracebacks, in the formats of several runtimes."""

import re
from dataclasses import dataclass

_PATH = r"(?P<path>[\w$.~@/\\:+-]*[\w$-]\.[A-Za-z]\w{0,9})"
_FORMS = tuple(
    re.compile(rf"^\s*{form}")
    for form in (
        r'File "(?P<path>[^"\n]+)", line \d+(?:, in (?P<name>[\w.<>]+))?',  # Python
        # Java, JavaScript
        rf"at (?:async |new )*(?P<name>[\w$.<>\[\] ]+?) ?\({_PATH}:\d+(?::\d+)?\)",
        rf"at (?P<name>){_PATH}:\d+(?::\d+)?\s*$",  # JavaScript, Rust
        rf"at (?P<name>[\w.`<>]+)\([^)]*\) in {_PATH}:line \d+",  # C#
        rf"(?:from )?{_PATH}:\d+:in [`'](?P<name>[^'\n]+)'",  # Ruby
        rf"#\d+\s+(?:0x\w+ in )?(?P<name>[\w:~<>$]+) ?\(.*?\) (?:at )?{_PATH}:\d+",  # gdb
        rf"(?P<name>){_PATH}:\d+ \+0x[0-9a-f]+",  # Go
        rf"#\d+ {_PATH}\(\d+\): (?P<name>[\w\\:>-]+)\(",  # PHP
    )
)
_PYTHON_SOURCE = re.compile(r"^(\s*)File \"")
_HEADS = re.compile(r"^\s*(?:Traceback \(most recent call last\)|stack backtrace|goroutine \d+)")


@dataclass(frozen=True, slots=True)
class Frame:
    """A call in a traceback: its file and its function, which may be empty."""

    path: str
    function: str


def frame_of(line: str) -> Frame | None:
    """Return the frame in a line, or None."""
    for form in _FORMS:
        found = form.match(line)
        if found:
            return Frame(found["path"].replace("\\", "/"), found["name"] or "")
    return None


def is_head(line: str) -> bool:
    """Whether a line is the head of a traceback."""
    return _HEADS.match(line) is not None


def shows_source(line: str, previous: str) -> bool:
    """Whether a line is the source line that Python prints below a frame."""
    head = _PYTHON_SOURCE.match(previous)
    return head is not None and line.startswith(head[1] + "  ")
