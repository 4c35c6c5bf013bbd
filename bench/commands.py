"""Commands for users to type next, in a form that works in the current shell."""

import shlex
import shutil
import sys
from pathlib import Path

_SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "bench"


def command(text: str) -> str:
    """Return `rankgrid TEXT`, with the path of the program if the shell would not find it."""
    return f"{_program()} {text}"


def bench_command(text: str) -> str:
    """Return the command that runs a study; in a checkout it is the script, ready or not."""
    if not _is_on_path() and _SCRIPT.is_file():
        return f"{shown_path(_SCRIPT)} {text}"
    return command(f"bench {text}")


def _program() -> str:
    own = _own_program()
    return "rankgrid" if _is_on_path() or not own.is_file() else shown_path(own)


def _own_program() -> Path:
    """Return the program of this environment. The link to its Python must not be resolved."""
    return Path(sys.executable).parent / "rankgrid"


def _is_on_path() -> bool:
    """Return whether `rankgrid` on the path is this program, not that of another environment."""
    found = shutil.which("rankgrid")
    return found is not None and Path(found).parent.resolve() == _own_program().parent.resolve()


def shown_path(path: Path) -> str:
    """Return a path for the command line: quoted, and relative if below the current folder."""
    here = Path.cwd()
    return shlex.quote(str(path.relative_to(here) if path.is_relative_to(here) else path))
