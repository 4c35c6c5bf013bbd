"""Which files of a source a user wants to be searched, in the patterns of gitignore."""

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath

from bench.errors import SettingError
from retrievers.gitignore import LONGEST_PATTERN, MOST_WILDCARD_BYTES, IgnorePatterns, can_match

_SHOWN = 120


@lru_cache(maxsize=256)
def patterns_of(patterns: tuple[str, ...], name: str) -> IgnorePatterns:
    """Return patterns of gitignore, or refuse those that cannot match; `name` is the setting."""
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
    # The parsers are only imported where languages are asked for.
    from retrievers.source import extensions_of

    return extensions_of(languages)


@dataclass(frozen=True)
class FileChoice:
    """Which files of a source are searched: all that the rules keep, unless it says less."""

    include: tuple[str, ...] = ()
    """Patterns of gitignore. A file has to match one; without patterns every file is searched."""
    exclude: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    extensions: tuple[str, ...] = field(init=False)
    """Those of the languages. They are part of its identity: a language may get another one."""

    def __post_init__(self) -> None:
        """Refuse patterns that match nothing, and look the extensions up."""
        patterns_of(self.include, "include")
        patterns_of(self.exclude, "exclude")
        object.__setattr__(self, "extensions", _extensions(self.languages))

    def __str__(self) -> str:
        """Return the settings as they are typed, or nothing if no file is left out."""
        parts = {name: getattr(self, name) for name in ("include", "exclude", "languages")}
        return " ".join(f"{name}=[{','.join(each)}]" for name, each in parts.items() if each)

    def excluding(self, path: str) -> set[str]:
        """Return the patterns of `exclude` that leave a file out by themselves."""
        return {one for one in self.exclude if patterns_of((one,), "exclude").excludes(path)}

    def rule(self, path: str) -> str:
        """Return which part of the choice leaves a file out, or nothing."""
        if self.exclude and patterns_of(self.exclude, "exclude").excludes(path):
            return "excluded"
        if self.include and not patterns_of(self.include, "include").excludes(path):
            return "not_included"
        if self.languages and PurePosixPath(path).suffix not in self.extensions:
            return "other_language"
        return ""


EVERY_FILE = FileChoice()
