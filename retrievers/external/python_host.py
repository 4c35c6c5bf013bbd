"""The host program of a Python engine. It reads queries and writes hits, a line of JSON each.

A process of its own isolates an engine that hangs or crashes. The output of the engine goes to
standard error, since standard output has the answers.
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
    """Create the engine, let it index the tree, and answer queries until the input ends."""
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
        except Exception as error:  # any error is the answer to this query
            _say(answers, {"error": f"{type(error).__name__}: {error}"})


def _say(answers: Any, value: object) -> None:
    answers.write(json.dumps(value) + "\n")
    answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
