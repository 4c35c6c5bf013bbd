"""A git repository whose configuration names a program wherever git has a setting for one."""

from pathlib import Path

from tests.integration.git_repositories import Repository

_HOOKS = ("post-checkout", "post-index-change", "pre-auto-gc", "reference-transaction")


def make_hostile(repository: Repository, mark: Path, *, missing: str) -> None:
    """Name `touch MARK` in each such setting, and claim that the file `missing` is elsewhere.

    The repository becomes a partial clone: git fetches the object that is gone by running the
    command that the remote's address names.
    """
    program = repository.folder / ".git" / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\n", encoding="utf-8")
    program.chmod(0o755)
    hooks = repository.folder / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in _HOOKS:
        (hooks / name).symlink_to(program)
    blob = repository.git("rev-parse", f"HEAD:{missing}")
    (repository.folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with (repository.folder / ".git" / "config").open("a", encoding="utf-8") as file:
        file.write(_CONFIG.format(program=program, hooks=hooks, mark=mark))
    attributes = repository.folder / ".git" / "info" / "attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text("* filter=evil diff=evil merge=evil\n", encoding="utf-8")


_CONFIG = """
[core]
    repositoryFormatVersion = 1
    fsmonitor = {program}
    hooksPath = {hooks}
    pager = {program}
    editor = {program}
    askPass = {program}
    sshCommand = {program}
    gitProxy = {program}
    alternateRefsCommand = {program}
[extensions]
    partialClone = evil
[remote "evil"]
    promisor = true
    url = "ext::{program}"
    uploadpack = {program}
[protocol]
    allow = always
[protocol "ext"]
    allow = always
[protocol "file"]
    allow = always
[credential]
    helper = "!{program}"
[pager]
    log = {program}
    cat-file = {program}
[alias]
    cat-file = "!{program}"
    log = "!{program}"
    rev-parse = "!{program}"
[log]
    showSignature = true
[gpg]
    program = {program}
[diff]
    external = {program}
[diff "evil"]
    command = {program}
    textconv = {program}
[filter "evil"]
    clean = {program}
    smudge = {program}
    process = {program}
    required = true
[uploadpack]
    packObjectsHook = {program}
[gc]
    auto = 1
[maintenance]
    auto = true
"""
