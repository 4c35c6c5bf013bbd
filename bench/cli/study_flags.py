"""Flags and value types that several commands share."""

import argparse
from typing import TYPE_CHECKING

from bench.files import OUTPUT, STORE

if TYPE_CHECKING:
    from bench.settings import StudySettings


def add_places(parser: argparse.ArgumentParser) -> None:
    """Add the flags for the locations of studies."""
    parser.add_argument(
        "--output", default=OUTPUT, help="the folder of studies (default: outputs)"
    )
    parser.add_argument(
        "--store", default=STORE, help="the store of the studies (default: .rankgrid/store)"
    )
    parser.add_argument("--uri", default="", help="the tracking server, for mlflow:RUN")


def study_settings(found: argparse.Namespace) -> "StudySettings":
    """Return the locations as settings of a study."""
    from bench.settings import StudySettings
    from bench.settings.study import TrackingSettings

    tracking = TrackingSettings("mlflow", found.uri)
    return StudySettings(output=found.output, store=found.store, tracking=tracking)


def minutes(text: str) -> float:
    """Return a finite number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not 0 < number < float("inf"):
        message = f"{text} is not a number above 0"
        raise argparse.ArgumentTypeError(message)
    return number
