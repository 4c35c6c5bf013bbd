"""Ready studies: `study=harness` stands for the grid that conf/study/harness.yaml writes out.

`study=outputs/latest/chosen.yaml` is one too: what a study advises, which is a grid of one.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from bench.errors import SettingError, UsageError, nearest
from bench.files import read_yaml
from bench.launcher.overrides import is_sweep

_MULTIRUN = ("-m", "--multirun")
_OF_SUITE = ("repository", "queries")
"""What a suite is made of; another suite that is typed has its own."""


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
        f"{name}={values}"
        for name, values in _axes(asked[0], conf).items()
        if not _is_typed(name, typed)
    ]
    needs_grid = any(map(is_sweep, axes)) and not typed & set(_MULTIRUN)
    return [*(["-m"] if needs_grid else []), *rest, *axes]


def _is_typed(name: str, typed: AbstractSet[str]) -> bool:
    of_suite = name in _OF_SUITE or name.startswith("suite.")
    return name in typed or (of_suite and "suite" in typed)


def _axes(text: str, conf: Path) -> dict[str, str]:
    found = _read(text, conf)
    if not isinstance(found, dict) or not found:
        raise SettingError(f"{text}: not a ready study; it must be a list of AXIS: VALUES")
    return {str(axis): "null" if values is None else str(values) for axis, values in found.items()}


def _read(text: str, conf: Path) -> object:
    name = text.partition("=")[2]
    known = {file.stem: file for file in (conf / "study").glob("*.yaml")}
    if name not in known and not name.endswith(".yaml"):
        raise SettingError(f"{text}: no such ready study; {nearest(name, known)}; or a .yaml file")
    return read_yaml(known.get(name) or Path(name).expanduser(), SettingError)
