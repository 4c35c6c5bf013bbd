"""Keeps the current folder off the import path of every Python process that is started here.

`python -m`, `python -c` and the helpers of `multiprocessing` put it first. It may be a stranger's
repository, whose `yaml.py` would run in place of the real one.
"""

import os
from pathlib import Path

_FOLDERS = "PYTHONPATH"
_NAME, _OURS = "PYTHONSAFEPATH", "rankgrid"
"""Python reads the variable as set, whatever its value; this value tells that we set it."""


def keep_current_folder_out() -> None:
    """Make the protection part of the environment, which every later process inherits."""
    if not os.environ.get(_NAME):
        os.environ[_NAME] = _OURS


def safe_path_variables() -> dict[str, str]:
    """Return the protection for an environment that is not inherited."""
    return {_NAME: os.environ.get(_NAME) or _OURS}


def users_environment() -> dict[str, str]:
    """Return the environment of a program that the user names: without our protection.

    `python engine.py` finds the modules beside the file only without it. The program runs in a
    folder of its own, so that the folders of PYTHONPATH are named from the root.
    """
    own = {name: value for name, value in os.environ.items() if (name, value) != (_NAME, _OURS)}
    if own.get(_FOLDERS):
        folders = own[_FOLDERS].split(os.pathsep)
        own[_FOLDERS] = os.pathsep.join(str(Path(one).absolute()) for one in folders if one)
    return own
