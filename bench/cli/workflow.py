"""The GitHub workflow of `rankgrid init --ci`, which compares a pull request with its base."""

import shlex
from pathlib import Path

from bench.errors import UsageError
from bench.files import write_whole
from bench.launcher.overrides import as_setting

WORKFLOW = Path(".github/workflows/rankgrid.yml")
_TEMPLATE = """\
# Search quality of a pull request against its base. Written by `rankgrid init --ci`; edit it.
name: rankgrid
on: pull_request
permissions:
  contents: read
  pull-requests: write # for the comment
jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 2 # the merge of the pull request, and HEAD^1: what it is merged into
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - uses: actions/cache@v4 # finished work, found again by its content
        with:
          path: .rankgrid/store
          key: rankgrid-${{ github.sha }}
          restore-keys: rankgrid-
      - run: >-
          pip install @INSTALL@
      # The settings are those that you ship: retriever=hybrid, chunk=512, study=FILE.
      - run: >-
          rankgrid bench suite=file @SUITE@ retriever=bm25
          latency=off tracking=none --baseline tree:HEAD^1
          --junit "$RUNNER_TEMP/gate.xml" --markdown "$RUNNER_TEMP/gate.md"
          --gate-json "$RUNNER_TEMP/gate.json"
      - if: always()
        continue-on-error: true # the token of a fork may not write
        uses: actions/github-script@v7
        with:
          script: |
            const fs = require("fs");
            const page = fs.readFileSync(`${process.env.RUNNER_TEMP}/gate.md`, "utf8");
            const body = page.slice(0, 65000);
            const issue = {...context.repo, issue_number: context.issue.number};
            const comments = await github.paginate(github.rest.issues.listComments, issue);
            const old = comments.find(one => one.body.startsWith("## rankgrid gate"));
            if (old) {
              await github.rest.issues.updateComment({...context.repo, comment_id: old.id, body});
            } else {
              await github.rest.issues.createComment({...issue, body});
            }
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: rankgrid
          path: |
            outputs/2*
            ${{ runner.temp }}/gate.*
"""


def check_workflow(suite: Path, install: str) -> None:
    """Refuse a workflow that could not run, or that exists.

    The current folder must be the top of a git repository.
    """
    if not Path(".git").exists():
        message = f"--ci: {Path.cwd()} is not the top folder of a git repository. Run init there"
        raise UsageError(f"{message}, or run git init first.")
    if suite.is_absolute() or ".." in suite.parts:
        message = f"--output {suite.parent}: lies outside of this repository. Use a folder in it."
        raise UsageError(message)
    if WORKFLOW.exists():
        raise UsageError(f"{WORKFLOW}: already exists. Remove it to write it again.")
    if not install.strip() or not install.isprintable():
        raise UsageError(f"--install {install!r}: must be what pip install takes, on one line.")


def write_workflow(suite: Path, install: str) -> Path:
    """Write the checked workflow into the current folder."""
    path = shlex.quote(as_setting("suite.path", suite.as_posix()))
    write_whole(WORKFLOW, _TEMPLATE.replace("@INSTALL@", install).replace("@SUITE@", path))
    return WORKFLOW
