"""Hands Hydra's whole sweep to one study, so that its trials can share work."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hydra.core.utils import JobReturn
from hydra.plugins.launcher import Launcher
from hydra.types import HydraContext
from omegaconf import DictConfig, OmegaConf, open_dict

from bench.files import data_folder
from bench.launcher.overrides import without_idle
from bench.launcher.point import Point
from bench.launcher.quoting import unquoted


class StudyLauncher(Launcher):
    """Runs all trials of a sweep as one plan."""

    def setup(
        self,
        *,
        hydra_context: HydraContext,
        task_function: Callable[[Any], Any],
        config: DictConfig,
    ) -> None:
        """Keep what Hydra gives before the sweep."""
        del task_function
        self._compose = hydra_context.config_loader.load_sweep_config
        self._config = config

    def launch(
        self, job_overrides: Sequence[Sequence[str]], initial_job_idx: int
    ) -> Sequence[JobReturn]:
        """Run one study over all combinations; its exit code is the program's."""
        del initial_job_idx
        points = [self._point(overrides) for overrides in job_overrides]
        from bench.launcher.conduct import conduct

        raise SystemExit(conduct(points))

    def _point(self, overrides: Sequence[str]) -> Point:
        typed = [text.removeprefix("++") for text in overrides]
        kept, idle = without_idle(typed, data_folder("conf"))
        config = self._compose(self._config, kept)
        choices = config.hydra.runtime.choices
        return point_of(config, typed, choices=choices, idle=idle)


def point_of(
    config: DictConfig,
    overrides: Sequence[str],
    *,
    choices: Mapping[str, str],
    idle: Sequence[str] = (),
) -> Point:
    """Return a composed configuration as plain values: Hydra's types stop here."""
    own = config.copy()
    with open_dict(own):
        own.pop("hydra", None)
    values = OmegaConf.to_container(own, resolve=True, throw_on_missing=False)
    if not isinstance(values, dict):
        message = "a configuration must be a mapping"
        raise TypeError(message)
    return Point(
        overrides=tuple(unquoted(text) for text in overrides),
        idle=tuple(idle),
        config={str(name): value for name, value in values.items()},
        choices={str(name): str(choice) for name, choice in choices.items()},
    )
