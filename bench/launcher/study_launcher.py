"""Hands Hydra's whole sweep to one study, so that its trials can share work."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hydra.core.utils import JobReturn
from hydra.plugins.launcher import Launcher
from hydra.types import HydraContext
from omegaconf import DictConfig, OmegaConf, open_dict

from bench.launcher.point import Point


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
        configs = [
            (list(overrides), self._compose(self._config, list(overrides)))
            for overrides in job_overrides
        ]
        points = [
            point_of(config, overrides, choices=config.hydra.runtime.choices)
            for overrides, config in configs
        ]
        from bench.launcher.conduct import conduct

        raise SystemExit(conduct(points))


def point_of(config: DictConfig, overrides: Sequence[str], *, choices: Mapping[str, str]) -> Point:
    """Return a composed configuration as plain values: Hydra's types stop here."""
    own = config.copy()
    with open_dict(own):
        own.pop("hydra", None)
    values = OmegaConf.to_container(own, resolve=True, throw_on_missing=False)
    if not isinstance(values, dict):
        message = "a configuration must be a mapping"
        raise TypeError(message)
    return Point(
        overrides=tuple(overrides),
        config={str(name): value for name, value in values.items()},
        choices={str(name): str(choice) for name, choice in choices.items()},
    )
