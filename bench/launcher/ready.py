"""Ready studies: `study=harness` stands for the grid that conf/study/harness.yaml writes out."""

from collections.abc import Sequence
from pathlib import Path

import yaml

from bench.errors import SettingError, UsageError, nearest

_MULTIRUN = ("-m", "--multirun")


def written_out(arguments: Sequence[str], conf: Path) -> list[str]:
    """Return the command line with a ready study as its axes; an axis that was typed stays."""
    asked = [text for text in arguments if text.startswith("study=")]
    if not asked:
        return list(arguments)
    if len(asked) > 1:
        raise UsageError(f"{' '.join(asked)}: a grid is one ready study, or none")
    rest = [text for text in arguments if text not in asked]
    typed = {text.partition("=")[0] for text in rest}
    axes = [
        f"{name}={values}" for name, values in _axes(asked[0], conf).items() if name not in typed
    ]
    grid = [] if typed & set(_MULTIRUN) else ["-m"]
    return [*grid, *rest, *axes]


def _axes(text: str, conf: Path) -> dict[str, str]:
    name = text.partition("=")[2]
    known = {file.stem: file for file in (conf / "study").glob("*.yaml")}
    if name not in known:
        raise SettingError(f"{text}: no such ready study; {nearest(name, known)}")
    found = yaml.safe_load(known[name].read_text(encoding="utf-8"))
    return {str(axis): str(values) for axis, values in found.items()}
