"""The door: our own flags first, then Hydra; every usage error exits 2.

python bench/run.py -m chunk=512,1024,2048 reranker=on,off
"""

import os
import re
import sys
from dataclasses import replace

import hydra
from hydra._internal.utils import get_args_parser
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from omegaconf import DictConfig
from omegaconf.errors import OmegaConfBaseException

from bench.errors import RankgridError, UsageError
from bench.files import data_folder
from bench.launcher import point_of
from bench.launcher.explain import INTERRUPTED, explained
from bench.launcher.flags import (
    Flags,
    given_flags,
    hide_flags_from_completion,
    remember,
    take_flags,
)
from bench.launcher.overrides import check_overrides, without_idle
from bench.launcher.quoting import quoted
from bench.launcher.ready import written_out
from bench.printable import guard_output
from bench.settings.trust import shown
from retrievers.import_path import keep_current_folder_out

CONF = data_folder("conf")


@hydra.main(version_base="1.3", config_path=str(CONF), config_name="config")
def main(config: DictConfig) -> None:
    """Run a study of the one trial that was asked for; -m goes by the launcher instead."""
    from bench.launcher.conduct import conduct

    hydra_config = HydraConfig.get()
    idle = given_flags().idle
    typed = [*hydra_config.overrides.task, *idle]
    point = point_of(config, typed, choices=hydra_config.runtime.choices, idle=idle)
    raise SystemExit(conduct([point]))


def door() -> None:
    """Take our flags out of the command line, check the rest, and give it to Hydra."""
    flags = Flags()
    guard_output()
    keep_current_folder_out()
    try:
        hide_flags_from_completion()
        flags, rest = take_flags(sys.argv[1:])
        remember(flags)
        sys.argv[1:] = _for_hydra(rest, flags)
        os.environ["HYDRA_FULL_ERROR"] = "1"
        main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except (RankgridError, HydraException, OmegaConfBaseException) as error:
        sys.exit(explained(error, debug=flags.debug))


_TAKES_VALUE = {"--cfg", "-c", "--package", "-p", "--info", "-i"}


def _options_first(rest: list[str]) -> tuple[list[str], list[str]]:
    """Return Hydra's options and the overrides: Hydra wants them in this order, people do not."""
    options: list[str] = []
    overrides: list[str] = []
    for text, previous in zip(rest, ["", *rest], strict=False):
        is_option = text.startswith("-") or previous in _TAKES_VALUE
        (options if is_option else overrides).append(text)
    return options, overrides


_OF_OTHERS = {
    "--config-path": "config_path",
    "--config-name": "config_name",
    "--config-dir": "config_dir",
    "--experimental-rerun": "experimental_rerun",
}
_SEARCHPATH = re.compile(r"\W*hydra\.searchpath\b")


def _refuse_other_folders(rest: list[str]) -> None:
    """Refuse configuration from elsewhere, which could name any class for Hydra to make.

    Settings are checked against our own conf/ only, so such a folder could add nothing useful.
    """
    # Hydra's own parser knows abbreviations and attached values as well.
    found, _ = get_args_parser().parse_known_args(rest)
    given = [flag for flag, name in _OF_OTHERS.items() if getattr(found, name) is not None]
    given += [shown(text) for text in rest if _SEARCHPATH.match(text)]
    if given:
        message = (
            f"{given[0]}: configuration is read from rankgrid's own conf/ only."
            " Type the settings, or write them to a file and use study=FILE.yaml."
        )
        raise UsageError(message)


def _for_hydra(rest: list[str], flags: Flags) -> list[str]:
    """Check what is left of the command line and return it as Hydra can compose it."""
    _refuse_other_folders(rest)
    rest = [quoted(text) for text in written_out(rest, CONF, flags.trusted)]
    options, overrides = _options_first(rest)
    if {"--help", "-h", "--hydra-help"} & set(options):
        return rest
    is_grid = bool({"-m", "--multirun"} & set(options))
    if is_grid and {"--cfg", "-c"} & set(options):
        message = "--cfg shows one configuration; leave -m out, or show a grid with --plan"
        raise UsageError(message)
    check_overrides(overrides, CONF, multirun=is_grid)
    if is_grid:
        # Hydra composes a grid's defaults first, which may lack a field that some trials have.
        return [*options, *(f"++{text}" if _is_field(text) else text for text in overrides)]
    kept, idle = without_idle(overrides, CONF)
    remember(replace(flags, idle=tuple(idle)))
    return [*options, *kept]


def _is_field(text: str) -> bool:
    name = text.partition("=")[0]
    return "." in name and not name.startswith("hydra")


if __name__ == "__main__":
    door()
