"""The host program of a Python chunker. It reads and writes a line of JSON per document.

The output of the chunker goes to standard error, since standard output has the answers.
"""

import importlib
import inspect
import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

_REMEDY = (
    "install its package or add its folder to PYTHONPATH (the current folder is not searched)"
)


def main(target: str) -> None:
    """Cut every document. An exception becomes the answer for its document."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    cut = _loaded(target)
    names = set(inspect.signature(cut).parameters)
    for line in sys.stdin:
        asked = json.loads(line)
        answers.write(json.dumps(_cut(cut, asked, names)) + "\n")
    answers.close()


def _loaded(target: str) -> Callable[..., Any]:
    module, _, name = target.partition(":")
    try:
        found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as error:
        if error.name not in (module, module.partition(".")[0]):
            raise
        sys.exit(f"{error}; {_REMEDY}")
    return _method(found) if inspect.isclass(found) else found


def _method(kind: Callable[[], Any]) -> Callable[..., Any]:
    chosen: Callable[..., Any] = kind().cut
    return chosen


def _cut(cut: Callable[..., Any], asked: Mapping[str, Any], names: set[str]) -> object:
    try:
        return [list(pair) for pair in cut(**{n: v for n, v in asked.items() if n in names})]
    except Exception as error:  # any error is the answer for this document
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    main(*sys.argv[1:])
