"""The program in which a Python engine runs: queries come in and hits go out, a line of JSON each.

It is a process of its own, so that an engine that hangs or dies takes nothing along. What the
engine prints goes to the standard error, for the standard output is the conversation.
"""

import importlib
import json
import os
import sys
from typing import Any

_REMEDY = (
    "install its package or add its folder to PYTHONPATH (the current folder is not searched)"
)


def main(target: str, root: str) -> None:
    """Make the engine, let it see the tree, and answer until nothing more is asked."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    module, _, name = target.partition(":")
    try:
        kind = getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as error:
        if error.name not in (module, module.partition(".")[0]):
            raise
        _say(answers, {"error": f"{error}; {_REMEDY}"})
        return
    engine = kind()
    if hasattr(engine, "index"):
        engine.index(root)
    _say(answers, {"ready": True})
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            found = engine.search(asked["query"], asked["limit"])
            _say(answers, {"hits": found if isinstance(found, str | dict) else list(found)})
        except Exception as error:  # whatever it is, it is this query's
            _say(answers, {"error": f"{type(error).__name__}: {error}"})


def _say(answers: Any, value: object) -> None:
    answers.write(json.dumps(value) + "\n")
    answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
