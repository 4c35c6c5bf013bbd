"""Write docs/reference.md, and the overview in docs/retrievers.md, from the files of conf/.

Their comments are the descriptions, so that what `--help` shows and what the pages say are one
text. With --check, write nothing and fail if a page is not what would be written.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference.md"
RETRIEVERS = ROOT / "docs" / "retrievers.md"
BEGIN, END = "<!-- made by scripts/make_reference.py -->\n", "<!-- end -->"
HEADINGS = ("When", "Index", "Query")
"""Headings in the comment of a retriever's file, besides its description."""
LEFT_OUT = {"study"}
HEAD = """# Every setting

Made by `scripts/make_reference.py` from `conf/`: do not edit. A setting is typed as `name=value`;
with `-m`, several values make an axis. Fields of a group are typed as `group.field=value`, after
`group=choice`.
"""


def main() -> None:
    """Write the pages, or check that they are up to date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if the page is not fresh")
    check = parser.parse_args().check
    pages = {PAGE: reference(ROOT / "conf"), RETRIEVERS: with_overview(ROOT / "conf")}
    for place, page in pages.items():
        if not check:
            place.write_text(page, encoding="utf-8")
        elif place.read_text(encoding="utf-8") != page:
            sys.exit(f"{place.name} is not fresh: run scripts/make_reference.py")


def with_overview(conf: Path) -> str:
    """Return the page of retrievers with an up-to-date overview."""
    rows = [
        "| `retriever=` | what it does | when | an index costs | a query |",
        "|---|---|---|---|---|",
    ]
    for choice in sorted((conf / "retriever").glob("*.yaml")):
        said = head(choice.read_text(encoding="utf-8"))
        cells = [_cell(said.get(name, "")) for name in ("", *HEADINGS)]
        rows.append(f"| `{choice.stem}` | {' | '.join(cells)} |")
    before, _, rest = RETRIEVERS.read_text(encoding="utf-8").partition(BEGIN)
    table = "\n".join(rows)
    return f"{before}{BEGIN}{table}\n{END}{rest.partition(END)[2]}"


def reference(conf: Path) -> str:
    """Return the reference page."""
    groups = sorted(path for path in conf.iterdir() if path.is_dir() and path.name not in LEFT_OUT)
    top = (conf / "config.yaml").read_text(encoding="utf-8")
    own = top[top.index("\n\n") :]
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


def head(text: str) -> dict[str, str]:
    """Return the parts of a file's first comment by heading; "" is the description."""
    said: dict[str, str] = {}
    heading = ""
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        own = line.lstrip("# ").rstrip()
        name, colon, rest = own.partition(": ")
        if colon and name in HEADINGS:
            heading, own = name, rest
        said[heading] = f"{said.get(heading, '')} {own}".strip()
    said[""] = said.get("", "")[:1].upper() + said.get("", "")[1:]
    return said


def _about(text: str) -> str:
    """Return the first comment of a file as a paragraph."""
    said = head(text)
    more = [f"{name}: {said[name]}." for name in HEADINGS if name in said]
    return " ".join([said[""] + ("." if more else ""), *more]).strip()


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
    """Yield the dotted name, the default and the description of each setting."""
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
