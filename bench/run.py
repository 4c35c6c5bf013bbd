"""The door: our own flags first, then Hydra; every usage error exits 2.

python bench/run.py -m chunk=512,1024,2048 reranker=on,off
"""

import os
import sys

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from omegaconf import DictConfig
from omegaconf.errors import OmegaConfBaseException

from bench.errors import RankgridError
from bench.launcher import point_of
from bench.launcher.explain import INTERRUPTED, explained
from bench.launcher.flags import Flags, hide_flags_from_completion, remember, take_flags
from bench.launcher.overrides import check_overrides
from bench.places import data_folder

CONF = data_folder("conf")


@hydra.main(version_base="1.3", config_path=str(CONF), config_name="config")
def main(config: DictConfig) -> None:
    """Run a study of the one trial that was asked for; -m goes by the launcher instead."""
    from bench.launcher.conduct import conduct

    hydra_config = HydraConfig.get()
    point = point_of(config, hydra_config.overrides.task, choices=hydra_config.runtime.choices)
    raise SystemExit(conduct([point]))


def door() -> None:
    """Take our flags out of the command line, check the rest, and give it to Hydra."""
    flags = Flags()
    try:
        hide_flags_from_completion()
        flags, rest = take_flags(sys.argv[1:])
        remember(flags)
        options, overrides = _options_first(rest)
        _check(options, overrides)
        sys.argv[1:] = [*options, *overrides]
        os.environ["HYDRA_FULL_ERROR"] = "1"
        main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except (RankgridError, HydraException, OmegaConfBaseException) as error:
        sys.exit(explained(error, debug=flags.debug))


_TAKES_VALUE = {"--cfg", "-c", "--package", "-p", "--info", "-i"}
_TAKES_VALUE |= {"--config-name", "-cn", "--config-path", "-cp", "--config-dir", "-cd"}


def _options_first(rest: list[str]) -> tuple[list[str], list[str]]:
    """Return Hydra's options and the overrides: Hydra wants them in this order, people do not."""
    options: list[str] = []
    overrides: list[str] = []
    for text, previous in zip(rest, ["", *rest], strict=False):
        is_option = text.startswith("-") or previous in _TAKES_VALUE
        (options if is_option else overrides).append(text)
    return options, overrides


def _check(options: list[str], overrides: list[str]) -> None:
    if not {"--help", "-h", "--hydra-help"} & set(options):
        check_overrides(overrides, CONF, multirun=bool({"-m", "--multirun"} & set(options)))


if __name__ == "__main__":
    door()
