"""Where the commands look for stored studies: the flags that several of them take."""

import argparse
from typing import TYPE_CHECKING

from bench.files import OUTPUT, STORE

if TYPE_CHECKING:
    from bench.settings import StudySettings


def add_places(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say where studies are."""
    parser.add_argument("--output", default=OUTPUT, help="the folder of latest")
    parser.add_argument("--store", default=STORE, help="the store the studies used")
    parser.add_argument("--uri", default="", help="the tracking server of mlflow:RUN")


def study_settings(found: argparse.Namespace) -> "StudySettings":
    """Return the places as the settings of a study have them."""
    from bench.settings import StudySettings
    from bench.settings.study import TrackingSettings

    tracking = TrackingSettings("mlflow", found.uri)
    return StudySettings(output=found.output, store=found.store, tracking=tracking)
