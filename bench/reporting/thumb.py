"""What the means of one trial say by themselves, by rules of thumb."""

from collections.abc import Callable

from bench.measures.bands import BANDS, band
from bench.reporting.words import said_of_measure


def said_by_thumb(mean: Callable[[str], float | None]) -> str:
    """Return the word for each mean that has one; nothing if none has."""
    values = [(name, mean(name)) for name in BANDS]
    said = [
        f"{said_of_measure(name)} {value:.2f} {band(name, value)}"
        for name, value in values
        if value is not None
    ]
    return f"By rule of thumb (docs/measures.md): {', '.join(said)}." if said else ""
