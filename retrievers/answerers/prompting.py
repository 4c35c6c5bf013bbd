"""The prompt of a chat server: a template, filled with passages and a question."""

import re
from collections.abc import Sequence
from pathlib import Path

from retrievers.answerers.reply import Passage, quoted
from retrievers.errors import AnswererError

PROMPT = Path(__file__).with_name("prompt.txt").read_text(encoding="utf-8")
"""The default template."""
_FIELD = re.compile(r"\{(question|passages|refusal)\}")
_NEEDED = ("question", "passages")


def check_prompt(template: str) -> None:
    """Raise an error for a template without the question or the passages."""
    there = set(_FIELD.findall(template))
    for name in _NEEDED:
        if name not in there:
            raise AnswererError(f"prompt: has no {{{name}}}; put it where the {name} goes")


def prompt_for(template: str, question: str, passages: Sequence[Passage], *, refusal: str) -> str:
    """Return the template with its fields filled. Inserted texts are not searched again."""
    shown = (
        f"[#{number}] {passage.place}\n{quoted(passage.text)}"
        for number, passage in enumerate(passages, 1)
    )
    values = {"question": question, "passages": "\n\n".join(shown), "refusal": refusal}
    return _FIELD.sub(lambda found: values[found[1]], template)
