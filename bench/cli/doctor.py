"""`rankgrid doctor`: checks this machine, or looks for problems in a finished study."""

import argparse
import importlib.util
import os
import shutil
import sys
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.cli.json_flag import add_json_flag, print_json
from bench.cli.study_flags import add_places, study_settings
from bench.commands import command
from bench.errors import UsageError
from bench.processors import processor_count

if TYPE_CHECKING:
    from bench.settings import StudySettings

_ENOUGH_DISK, _LITTLE_DISK = 10 * 10**9, 2 * 10**9
_PYTHON = (3, 11)
_PACKAGES = ("torch", "sentence_transformers", "ray", "mlflow", "qdrant_edge", "pyarrow")
_PAGE = "docs/troubleshooting.md"


@dataclass(frozen=True)
class Finding:
    """A result of a check. Its state is ok, warn or bad."""

    state: str
    said: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.state:4}  {self.said}" + (f"; {self.remedy}" if self.remedy else "")


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "doctor", help="check this machine, or find problems in a study and their remedies"
    )
    parser.add_argument(
        "asked",
        nargs="*",
        metavar="RESULTS | SETTING=VALUE",
        help="a study (see rankgrid compare -h), or settings whose servers to check",
    )
    add_places(parser)
    add_json_flag(parser, "findings (each with state: ok, warn or bad; said; remedy), ok")
    parser.set_defaults(command=_doctor)


def _doctor(found: argparse.Namespace) -> int:
    settings = study_settings(found)
    overrides = [text for text in found.asked if "=" in text]
    studies = [text for text in found.asked if "=" not in text]
    if len(studies) > 1 or (studies and overrides):
        message = "takes one study, or settings; give one or the other"
        raise UsageError(f"doctor {' '.join(found.asked)}: {message}")
    about = _of_study(studies[0], settings) if studies else _of_machine(settings, overrides)
    findings = list(about)
    is_bad = any(finding.state == "bad" for finding in findings)
    if found.json:
        print_json({"findings": [asdict(finding) for finding in findings], "ok": not is_bad})
        return int(is_bad)
    for finding in findings:
        print(finding)
    if any(finding.state != "ok" for finding in findings):
        print(f"More: {_PAGE}")
    return int(is_bad)


def _of_machine(settings: "StudySettings", overrides: Sequence[str]) -> Iterator[Finding]:
    yield _python()
    yield from _packages()
    yield _program("git", "repositories by git and REV:PATH need it")
    yield from _store(settings)
    yield _model()
    yield _processors()
    if settings.tracking.uri:
        yield _tracking(settings)
    if overrides:
        yield from _servers(overrides)


def _servers(overrides: Sequence[str]) -> Iterator[Finding]:
    """Yield the state of each server in the settings, with a timeout of 2 seconds."""
    from bench.cli.servers import problem_of, servers_of

    for kind, url in servers_of(overrides):
        problem = problem_of(url)
        if problem:
            said = f"{kind} {url} does not answer ({problem})"
            yield Finding("bad", said, "start it, or correct its url")
        else:
            yield Finding("ok", f"{kind} {url} answers")


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < _PYTHON:
        return Finding("bad", f"Python {version}", "3.11 or newer is needed")
    return Finding("ok", f"Python {version}")


def _packages() -> Iterator[Finding]:
    missing = [name for name in _PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        yield Finding("bad", f"not installed: {', '.join(missing)}", "run scripts/bootstrap")
    else:
        yield Finding("ok", f"installed: {', '.join(_PACKAGES)}")


def _program(name: str, why: str) -> Finding:
    place = shutil.which(name)
    return Finding("ok", f"{name}: {place}") if place else Finding("warn", f"no {name}", why)


def _store(settings: "StudySettings") -> Iterator[Finding]:
    if "://" in settings.store:
        yield _far_store(settings)
        return
    place = Path(settings.store).expanduser().resolve()
    nearest = next(path for path in (place, *place.parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        yield Finding("bad", f"store {place} cannot be written", "give --store and store= another")
        return
    yield Finding("ok", f"store {place} can be written")
    yield _disk(shutil.disk_usage(nearest).free)


def _disk(free: int) -> Finding:
    said = f"{free / 10**9:.0f} GB free for the store"
    if free < _LITTLE_DISK:
        return Finding("bad", said, f"make room, or {command('cache --prune')}")
    return Finding("warn" if free < _ENOUGH_DISK else "ok", said)


def _far_store(settings: "StudySettings") -> Finding:
    """Write, read and remove a small file, like a study."""
    from bench.wiring import open_store

    name = f"contents/doctor-{uuid.uuid4().hex}"
    try:
        store = open_store(settings)
        store.write_checked(name, b"well")
        same = store.read_checked(name) == b"well"
        store.remove(name)
    except Exception as error:
        cause = " ".join(str(error).split())[:200]
        return Finding("bad", f"store {settings.store}: {cause}", "see store= and its credentials")
    return Finding("ok" if same else "bad", f"store {settings.store} can be written and read")


def _model() -> Finding:
    """Check for the files of the default model without loading them."""
    from retrievers.dense import EmbeddingModel

    model = EmbeddingModel()
    try:
        identity = model.identity
    except ValueError as error:
        return Finding("bad", f"embedding model: {error}", "retriever=bm25 needs none")
    return Finding("ok", f"embedding model {model.model} is there ({identity[:40]})")


def _processors() -> Finding:
    from retrievers.dense.settings import resolved_dtype

    count = processor_count()
    dtype = resolved_dtype("auto")
    said = f"{count} processors, embedding in {dtype}"
    if dtype != "bfloat16":
        return Finding("ok", said, "without bfloat16 embedding takes about twice as long")
    return Finding("ok", said)


def _tracking(settings: "StudySettings") -> Finding:
    from bench.errors import TrackingError
    from bench.tracking.place import place_of
    from bench.tracking.reachability import check_answers
    from bench.wiring import home, tracking_settings

    place = place_of(tracking_settings(settings), home(settings))
    try:
        check_answers(place)
    except TrackingError as error:
        return Finding(
            "bad", error.message, f"tracking=none runs without; {command('track')} sends later"
        )
    return Finding("ok", f"tracking server {place.uri} answers")


def _of_study(text: str, settings: "StudySettings") -> Iterator[Finding]:
    from bench.advice import plural
    from bench.compare.symptoms import symptoms
    from bench.wiring import find_study

    study = find_study(text, settings).study
    found = symptoms(study)
    if not found:
        trials = plural(len(study.trials), "trial", "trials")
        yield Finding("ok", f"study {study.id}: nothing conspicuous in {trials}")
    for one in found:
        state = "bad" if one.kind == "failed" else "warn"
        yield Finding(state, f"{one.kind}: {one.trial}: {one.seen}", one.remedy)
