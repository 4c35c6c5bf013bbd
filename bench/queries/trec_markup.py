"""TREC's markup: documents as `<DOC>`, topics as `<top>` or `<topic number="…">`."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

from bench.errors import FixtureError
from bench.files import opened, read_text
from bench.queries.located import Place

_HEAD_BYTES = 10_000
_DOCUMENT = re.compile(r"<DOC>(.*?)</DOC>", re.DOTALL | re.IGNORECASE)
_OPEN_DOCUMENT = re.compile(r"<DOC>", re.IGNORECASE)
_ID = re.compile(r"<DOCNO>(.*?)</DOCNO>", re.DOTALL | re.IGNORECASE)
_TITLE = re.compile(r"<(TITLE|HEADLINE|HL|TI)>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
_TEXT = re.compile(r"<TEXT>(.*?)</TEXT>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_TOPIC = re.compile(r"<top>(.*?)</top>|<topic\b([^>]*)>(.*?)</topic>", re.DOTALL)
_OPEN_TOPIC = re.compile(r"<top(?:ic\b[^>]*)?>")
_NUMBER = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]+)")
_ATTRIBUTE = re.compile(r"""\bnumber\s*=\s*["']\s*([^"']+?)\s*["']""")
_ASKED = re.compile(r"<(?:title|query)>\s*(?:Topic:)?([^<]*)")


def has_documents(path: Path) -> bool:
    """Return whether a file begins with documents in markup."""
    with opened(path, FixtureError) as file:
        head = file.read(_HEAD_BYTES).decode("utf-8-sig", "replace")
    return _OPEN_DOCUMENT.search(head) is not None


def marked_up_documents(path: Path) -> Iterator[tuple[Place, str, str]]:
    """Yield the id and the text of each document: its title, a space, then its text."""
    text, end = read_text(path, FixtureError), 0
    for found in _DOCUMENT.finditer(text):
        place, content, end = _place(path, text, found.start()), found[1], found.end()
        identifier = _ID.search(content)
        if identifier is None or not identifier[1].strip():
            raise place.error("a document lacks <DOCNO>; add it")
        yield place, identifier[1].strip(), _text_of(_ID.sub("", content))
    if rest := _OPEN_DOCUMENT.search(text, end):
        raise _place(path, text, rest.start()).error("a document is not closed; add </DOC>")


def _text_of(content: str) -> str:
    """Return the title and the text, or everything but the tags without <TEXT>."""
    title, parts = _TITLE.search(content), _TEXT.findall(content)
    body = "\n".join(map(_plain, parts)) if parts else _plain(content)
    return f"{_plain(title[2])} {body}" if title and parts else body


def _plain(content: str) -> str:
    return html.unescape(_TAG.sub("", content)).strip()


def are_topics(text: str) -> bool:
    """Return whether a text has topics in markup."""
    return _OPEN_TOPIC.search(text) is not None


def marked_up_topics(text: str, path: Path) -> Iterator[tuple[Place, str, str]]:
    """Yield the number and the title of each topic."""
    end = 0
    for topic in _TOPIC.finditer(text):
        place, end = _place(path, text, topic.start()), topic.end()
        content = topic[1] if topic[1] is not None else topic[3]
        number = _NUMBER.search(content) or _ATTRIBUTE.search(topic[2] or "")
        asked = _ASKED.search(content)
        if number is None or asked is None or not asked[1].strip():
            raise place.error("a topic lacks <num> or <title>; add them")
        yield place, number[1], " ".join(html.unescape(asked[1]).split())
    if rest := _OPEN_TOPIC.search(text, end):
        raise _place(path, text, rest.start()).error("a topic is not closed; add </top>")


def _place(path: Path, text: str, offset: int) -> Place:
    return Place(str(path), text.count("\n", 0, offset) + 1)
