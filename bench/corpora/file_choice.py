"""The user's selection of a source's files, by gitignore patterns and languages."""

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath

from bench.errors import SettingError
from retrievers.gitignore import LONGEST_PATTERN, MOST_WILDCARD_BYTES, IgnorePatterns, can_match

_SHOWN = 120


@lru_cache(maxsize=256)
def patterns_of(patterns: tuple[str, ...], name: str) -> IgnorePatterns:
    """Return gitignore patterns; refuse patterns that cannot match. `name` is the setting."""
    lines = [pattern.encode("utf-8", "surrogateescape") for pattern in patterns]
    for pattern, line in zip(patterns, lines, strict=True):
        if len(line) > LONGEST_PATTERN or not can_match(line):
            message = (
                f"{name}={pattern[:_SHOWN]!r}: the pattern cannot match any path. "
                "Correct it (see gitignore(5)) or remove it."
            )
            raise SettingError(message)
    found = IgnorePatterns(lines)
    if found.wildcard_bytes > MOST_WILDCARD_BYTES:
        message = (
            f"{name}: the patterns with wildcards have more than "
            f"{MOST_WILDCARD_BYTES:,} bytes. Use fewer patterns."
        )
        raise SettingError(message)
    return found


def _extensions(languages: tuple[str, ...]) -> tuple[str, ...]:
    if not languages:
        return ()
    # The parsers are slow to import, so they are only imported for languages.
    from retrievers.source import extensions_of

    return extensions_of(languages)


@dataclass(frozen=True)
class FileChoice:
    """Selection of the searched files among those that the rules keep."""

    include: tuple[str, ...] = ()
    """Gitignore patterns; a file must match at least one. Without patterns, all files match."""
    exclude: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    extensions: tuple[str, ...] = field(init=False)
    """Extensions of the languages. They are part of the identity, because later versions may add
    extensions to a language."""

    def __post_init__(self) -> None:
        """Check the patterns and look up the extensions."""
        patterns_of(self.include, "include")
        patterns_of(self.exclude, "exclude")
        object.__setattr__(self, "extensions", _extensions(self.languages))

    def __str__(self) -> str:
        """Return the settings as they are typed, or "" for all files."""
        parts = {name: getattr(self, name) for name in ("include", "exclude", "languages")}
        return " ".join(f"{name}=[{','.join(each)}]" for name, each in parts.items() if each)

    def excluding(self, path: str) -> set[str]:
        """Return the patterns of `exclude` that would exclude a file on their own."""
        return {one for one in self.exclude if patterns_of((one,), "exclude").excludes(path)}

    def rule(self, path: str) -> str:
        """Return the name of the rule that excludes a file, or ""."""
        if self.exclude and patterns_of(self.exclude, "exclude").excludes(path):
            return "excluded"
        if self.include and not patterns_of(self.include, "include").excludes(path):
            return "not_included"
        if self.languages and PurePosixPath(path).suffix not in self.extensions:
            return "other_language"
        return ""


EVERY_FILE = FileChoice()
