"""Write docs/reference.md: every setting with its default, from the files of conf/ themselves.

Their comments are the descriptions, so that what `--help` shows and what the page says are one
text. With --check, write nothing and fail if the page is not what would be written.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference.md"
LEFT_OUT = {"hydra", "study"}
HEAD = """# Every setting

Made by `scripts/make_reference.py` from `conf/`: do not edit. A setting is typed as `name=value`;
with `-m`, several values make an axis. Fields of a group are typed as `group.field=value`, after
`group=choice`.
"""


def main() -> None:
    """Write the page, or check it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if the page is not fresh")
    page = reference(ROOT / "conf")
    if not parser.parse_args().check:
        PAGE.write_text(page, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != page:
        sys.exit("docs/reference.md is not fresh: run scripts/make_reference.py")


def reference(conf: Path) -> str:
    """Return the page."""
    groups = sorted(path for path in conf.iterdir() if path.is_dir() and path.name not in LEFT_OUT)
    top = (conf / "config.yaml").read_text(encoding="utf-8")
    own = top[top.index("\n\n") : top.index("\nhydra:")]
    parts = [HEAD, "## Of a trial or of the study", *_table(own)]
    for group in groups:
        parts.append(f"## {group.name}")
        for choice in sorted(group.glob("*.yaml")):
            text = choice.read_text(encoding="utf-8")
            parts.append(f"### {group.name}={choice.stem}")
            about = _about(text)
            parts += [about] if about else []
            parts += _table(text) if group.name != "suite" else []
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _about(text: str) -> str:
    """Return the comment at the head of a file."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# ").rstrip())
    said = " ".join(lines)
    return said[:1].upper() + said[1:]


def _table(text: str) -> list[str]:
    rows = [
        f"| `{name}` | {_code(value)} | {_cell(said)} |" for name, value, said in _settings(text)
    ]
    return ["\n".join(["| setting | default | |", "|---|---|---|", *rows])] if rows else []


def _code(value: str) -> str:
    return f"`{value}`" if value else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _settings(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the dotted name, the default and the description of every setting."""
    above: list[tuple[int, str]] = []
    found: list[list[str]] = []
    composing = False
    for line in text.splitlines():
        bare = line.strip()
        depth = len(line) - len(line.lstrip())
        if bare.startswith("#") and found and depth:
            found[-1][2] += " " + bare.lstrip("# ")
            continue
        if not bare or bare.startswith("#"):
            continue
        if depth == 0:
            composing = bare == "defaults:"
        if composing or bare.startswith("- "):
            continue
        name, _, rest = bare.partition(":")
        value, _, said = (" " + rest.strip()).partition(" #")
        above = [(own, part) for own, part in above if own < depth]
        dotted = ".".join([*(part for _, part in above), name])
        above.append((depth, name))
        if name not in ("kind", "defaults"):
            found.append([dotted, value.strip(), said.strip(" #")])
    yield from ((name, value, said) for name, value, said in found if value or said)


if __name__ == "__main__":
    main()
