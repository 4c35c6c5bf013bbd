"""HTML elements that escape text from corpora and queries."""

from collections.abc import Iterable
from html import escape

from bench.printable import printable

_VOID = frozenset(("br", "circle", "col", "input", "line", "meta", "path", "rect"))


class Markup(str):
    """Text that is already HTML. All other text is escaped."""

    __slots__ = ()


Child = str | float | int | Iterable["Child"] | None


def element(name: str, /, *children: Child, **attributes: object) -> Markup:
    """Return an element; `class_` becomes class, `data_x` becomes data-x, None is omitted."""
    opening = f"<{name}{''.join(_attribute(*pair) for pair in attributes.items())}"
    if name in _VOID and not children:
        return Markup(f"{opening}/>")
    return Markup(f"{opening}>{markup(children)}</{name}>")


def markup(child: Child) -> Markup:
    """Return a child as HTML; lists keep their order, None is empty."""
    if child is None:
        return Markup("")
    if isinstance(child, Markup):
        return child
    if isinstance(child, (str, int, float)):
        return Markup(escape(_printable(str(child))))
    return Markup("".join(markup(each) for each in child))


def _attribute(name: str, value: object) -> str:
    if value is None or value is False:
        return ""
    plain = name.rstrip("_").replace("_", "-") if name != "viewBox" else name
    return f" {plain}" if value is True else f' {plain}="{escape(_printable(str(value)))}"'


def _printable(text: str) -> str:
    """Return text without control characters and lone surrogates, which HTML cannot hold."""
    return printable(text.encode("utf-8", "replace").decode("utf-8"))


def section(key: str, title: str, *children: Child) -> Markup:
    """Return a titled section that links can point to."""
    heading = element("h2", title, id=f"{key}-title")
    return element("section", heading, children, id=key, aria_labelledby=f"{key}-title")


def collapsed(key: str, title: str, *children: Child) -> Markup:
    """Return a titled section that opens on a click or through a link."""
    head = element("summary", element("h2", title, id=f"{key}-title"))
    part = element("details", head, children, class_="part")
    return element("section", part, id=key, aria_labelledby=f"{key}-title")


def scrolled(label: str, *children: Child, tall: bool = False) -> Markup:
    """Return wide or tall content in a frame that also scrolls by keyboard."""
    kind = "scrolled tall" if tall else "scrolled"
    return element("div", children, class_=kind, tabindex=0, role="region", aria_label=label)
