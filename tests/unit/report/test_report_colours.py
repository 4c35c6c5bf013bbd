"""The report can be read by those who see little: contrast as WCAG 2.2 defines and asks for it."""

import re
from pathlib import Path

import pytest

import bench.report.html

STYLE = (Path(bench.report.html.__file__).parent / "style.css").read_text("utf-8")
TEXT, SIGN = 4.5, 3.0
Colour = tuple[float, ...]


def blocks() -> list[dict[str, Colour]]:
    """Return the colours of each theme: light, dark twice (asked for and preferred), paper."""
    found = re.findall(r"\{([^{}]*--paper:[^{}]*)\}", STYLE)
    themes = [dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block)) for block in found]
    return [{name: colour(value) for name, value in theme.items()} for theme in themes]


def colour(text: str) -> Colour:
    """Return red, green and blue from 0 to 1."""
    return tuple(int(text[at : at + 2], 16) / 255 for at in (1, 3, 5))


def luminance(one: Colour) -> float:
    """Return how bright a colour is, by WCAG's definition."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in one)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    """Return the ratio of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return `share` of one colour in another."""
    return tuple(share * a + (1 - share) * b for a, b in zip(one, other, strict=True))


def test_contrast_is_that_of_the_definition() -> None:
    """Black on white is 21; #777777 on white is known as just too little."""
    white = colour("#ffffff")

    assert contrast(colour("#000000"), white) == pytest.approx(21)
    assert contrast(colour("#777777"), white) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", blocks())
def test_text_and_signs_stand_out_from_what_they_are_on(theme: dict[str, Colour]) -> None:
    """Text on paper and on raised grounds; lines and markers; numbers on the fullest shades."""
    theme = blocks()[0] | theme
    grounds = [theme["paper"], theme["raised"]]
    shades = [
        mixed(theme["heat"], theme["paper"], 0.63),
        mixed(theme["good"], theme["paper"], 0.36),
        mixed(theme["bad"], theme["paper"], 0.36),
    ]

    for name in ("ink", "quiet", "link", "good", "bad"):
        assert min(contrast(theme[name], ground) for ground in grounds) >= TEXT, name
    for series in ("s0", "s1", "s2", "s3", "s4", "s5"):
        assert contrast(theme[series], theme["paper"]) >= SIGN, series
    assert min(contrast(theme["ink"], shade) for shade in shades) >= TEXT


def test_there_are_all_themes() -> None:
    """Light, dark by preference, dark by choice, and paper."""
    assert len(blocks()) == 4
