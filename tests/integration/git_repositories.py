"""Git repositories whose history a test writes."""

import os
import subprocess
from pathlib import Path


class Repository:
    """A git repository that a test writes the history of."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        """Run git in the folder, apart from this machine's configuration."""
        environment = {
            **os.environ,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            **{f"GIT_{who}_NAME": "somebody" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "somebody@example.org" for who in ("AUTHOR", "COMMITTER")},
        }
        found = subprocess.run(
            ["git", *arguments],  # noqa: S607 - whichever git the machine has
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return found.stdout.strip()

    def commit(self, message: str, **files: str | None) -> str:
        """Write or remove files (`__` parts folders, `_dot_` the extension), and commit."""
        for name, text in files.items():
            place = self.folder / name.replace("_dot_", ".").replace("__", "/")
            place.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                place.unlink()
            else:
                place.write_text(text, encoding="utf-8")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--no-verify", f"--message={message}")
        return self.git("rev-parse", "HEAD")
