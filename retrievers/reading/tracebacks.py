"""Lines of tracebacks: which frames they are, in the forms that runtimes print them in."""

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
    """A call in a traceback: its file and its function, empty where the line does not say it."""

    path: str
    function: str


def frame_of(line: str) -> Frame | None:
    """Return the frame that a line is."""
    for form in _FORMS:
        found = form.match(line)
        if found:
            return Frame(found["path"].replace("\\", "/"), found["name"] or "")
    return None


def is_head(line: str) -> bool:
    """Whether a line announces a traceback."""
    return _HEADS.match(line) is not None


def shows_source(line: str, previous: str) -> bool:
    """Whether a line is the source that Python prints below a frame."""
    head = _PYTHON_SOURCE.match(previous)
    return head is not None and line.startswith(head[1] + "  ")
