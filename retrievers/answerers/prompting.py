"""The prompt of a chat server: a template, filled with passages and a question."""

import re
from collections.abc import Sequence
from pathlib import Path

from retrievers.answerers.reply import Passage, quoted
from retrievers.errors import AnswererError

PROMPT = Path(__file__).with_name("prompt.txt").read_text(encoding="utf-8")
"""The template that is used if none is given."""
_FIELD = re.compile(r"\{(question|passages|refusal)\}")
_NEEDED = ("question", "passages")


def check_prompt(template: str) -> None:
    """Refuse a template that would leave out what is asked, or what it is asked of."""
    there = set(_FIELD.findall(template))
    for name in _NEEDED:
        if name not in there:
            raise AnswererError(f"prompt: has no {{{name}}}; put it where the {name} goes")


def prompt_for(template: str, question: str, passages: Sequence[Passage], *, refusal: str) -> str:
    """Return the template with its fields filled; what fills them is not looked at again."""
    shown = (
        f"[#{number}] {passage.place}\n{quoted(passage.text)}"
        for number, passage in enumerate(passages, 1)
    )
    values = {"question": question, "passages": "\n\n".join(shown), "refusal": refusal}
    return _FIELD.sub(lambda found: values[found[1]], template)
