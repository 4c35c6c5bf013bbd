"""Keep the current folder off the import path of every Python process that we start.

`python -m`, `python -c` and the helpers of `multiprocessing` put the current folder first. It may
be an untrusted repository, whose `yaml.py` would run instead of the installed one.
"""

import os
from pathlib import Path

_FOLDERS = "PYTHONPATH"
_NAME, _OURS = "PYTHONSAFEPATH", "rankgrid"
"""Python only checks whether the variable is set. The value `rankgrid` shows that we set it."""


def keep_current_folder_out() -> None:
    """Add the protection to the environment, which every later process inherits."""
    if not os.environ.get(_NAME):
        os.environ[_NAME] = _OURS


def safe_path_variables() -> dict[str, str]:
    """Return the variables of the protection, for an environment that is not inherited."""
    return {_NAME: os.environ.get(_NAME) or _OURS}


def users_environment() -> dict[str, str]:
    """Return the environment for a program that the user names, without our protection.

    With the protection, `python engine.py` would not find the modules next to its file. The
    program runs in another folder, so the folders of PYTHONPATH become absolute.
    """
    own = {name: value for name, value in os.environ.items() if (name, value) != (_NAME, _OURS)}
    if own.get(_FOLDERS):
        folders = own[_FOLDERS].split(os.pathsep)
        own[_FOLDERS] = os.pathsep.join(str(Path(one).absolute()) for one in folders if one)
    return own
