"""The web page for judging: one document without external resources.

The page shows untrusted code. All of it is escaped. The content security policy allows only the
script and the style of the page, and only its own forms.
"""

import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING

from bench.authoring.judging import progress
from bench.printable import one_line, printable

if TYPE_CHECKING:
    from bench.authoring.judging import Candidate, JudgedStudy

_AROUND = 3
_MOST_LINES = 400
STYLE = """\
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 70rem; padding: 1rem 1rem 6rem; }
h1 { font-size: 1.25rem; line-height: 1.35; margin: .5rem 0; overflow-wrap: anywhere; }
.place { font-family: ui-monospace, monospace; font-size: .875rem; overflow-wrap: anywhere; }
.effect { color: color-mix(in srgb, currentColor 75%, transparent); margin: 0; }
.code { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 6px;
  margin: .75rem 0; overflow-x: auto; }
table { border-collapse: collapse; font: .8125rem/1.45 ui-monospace, monospace; min-width: 100%; }
td { padding: 0 .75rem; white-space: pre; tab-size: 4; }
td:first-child { color: color-mix(in srgb, currentColor 65%, transparent); text-align: right;
  user-select: none; width: 1%; }
tr.own { background: color-mix(in srgb, #2f7ed8 14%, transparent); }
form { background: Canvas; border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent);
  bottom: 0; display: flex; flex-wrap: wrap; gap: .5rem; justify-content: center; left: 0;
  padding: .75rem; position: fixed; right: 0; }
button { border: 1px solid color-mix(in srgb, currentColor 40%, transparent); border-radius: 6px;
  background: ButtonFace; color: ButtonText; cursor: pointer; font: inherit;
  padding: .4rem .8rem; }
kbd { border: 1px solid color-mix(in srgb, currentColor 35%, transparent); border-radius: 3px;
  font-size: .8em; margin-left: .3rem; padding: 0 .3rem; }
.wrong { border-left: 4px solid #c33; padding-left: .75rem; }
"""
SCRIPT = """\
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const button = document.querySelector(`button[value="${CSS.escape(event.key)}"]`);
  if (button) { event.preventDefault(); button.click(); }
});
let sent = false;
document.querySelector("form")?.addEventListener("submit", event => {
  if (sent) event.preventDefault();
  sent = true;
});
"""
_BUTTONS = (("y", "Right"), ("n", "Not right"), ("s", "Skip"), ("u", "Undo"), ("q", "Quit"))


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


POLICY = (
    f"default-src 'none'; style-src {_source(STYLE)}; script-src {_source(SCRIPT)}; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def question_page(judged: "JudgedStudy", candidate: "Candidate", number: int, wrong: str) -> str:
    """Return the page for a candidate. `number` identifies the question in repeated posts."""
    query = judged.entry(candidate).query
    buttons = "".join(
        f'<button name="answer" value="{key}">{label}<kbd>{key}</kbd></button>'
        for key, label in _BUTTONS
    )
    error = f'<p class="wrong" role="alert">{_shown(wrong)}</p>' if wrong else ""
    return _page(
        "Judge",
        f'<p class="effect">{_shown(progress(judged))}</p>{error}<h1>{_shown(query.text)}</h1>'
        f"{_code(judged, candidate)}"
        f'<form method="post" action="answer"><input type="hidden" name="number" value="{number}">'
        f"{buttons}</form>",
    )


def last_page(lines: list[str]) -> str:
    """Return the page after the last answer."""
    said = "".join(f"<p>{_shown(line)}</p>" for line in lines)
    return _page("Judged", f"<h1>Done</h1>{said}<p>You can close this page.</p>")


def _page(title: str, content: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>"
        f"<body><main>{content}</main><script>{SCRIPT}</script></body></html>"
    )


def _code(judged: "JudgedStudy", candidate: "Candidate") -> str:
    """Return the lines of a candidate with context as a table."""
    session = judged.session
    spot, tree = session.spot_of(candidate), session.tree_of(candidate)
    if spot is None:  # pragma: no cover - such places are not asked about
        return ""
    lines = re.split("\n", tree.documents.text(spot.document).removesuffix("\n"))
    first, last = tree.lines_of(spot)
    shown = range(max(first - _AROUND, 1), min(last + _AROUND, len(lines)) + 1)
    rows = "".join(
        f"<tr{' class=own' if first <= number <= last else ''}><td>{number}</td>"
        f"<td>{escape(printable(lines[number - 1].rstrip()))}</td></tr>"
        for number in shown[:_MOST_LINES]
    )
    left = len(shown) - _MOST_LINES
    more = f"<p>… {left} more lines</p>" if left > 0 else ""
    name = candidate.target.symbol.rpartition("::")[2]
    place = f"{tree.documents.paths[spot.document]}:{first}-{last}"
    return (
        f'<p class="place">{_shown(f"{name} {place}".strip())}</p>'
        f'<div class="code" tabindex="0"><table>{rows}</table></div>{more}'
    )


def _shown(text: str) -> str:
    return escape(one_line(text))
