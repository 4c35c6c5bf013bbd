"""Parser of settings on a command line with Hydra's grammar and one-line errors."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from unicodedata import combining

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override, Quote, QuotedString
from hydra.errors import HydraException

from bench.commands import command
from bench.errors import SettingError, UsageError, nearest
from bench.launcher.catalogue import Catalogue
from bench.launcher.meant import meant_choice, meant_setting
from bench.near_names import close_names
from bench.parsing import Parser

_OF_FILES = ("include", "exclude", "languages")
_OF_OWN = ("repository", "queries", *_OF_FILES)
_READ_BY = {"own": frozenset(_OF_OWN), "auto": frozenset(_OF_OWN) - {"queries"}}
"""Settings of the searched code and its questions that each suite reads; others read none."""
_LISTS = ("measures", "weights", "retriever.channels", *_OF_FILES)
"""Settings with a list as their value. Without brackets, commas are refused instead of a grid."""
_PLAIN_QUOTES = str.maketrans("\u201c\u201d\u201e\u2018\u2019", '"""\'\'')
_OF_PATHS = frozenset("0123456789._-/~ ")
_TYPOGRAPHIC = {*map(chr, _PLAIN_QUOTES)}


def read_overrides(texts: Iterable[str], conf: Path, *, multirun: bool) -> Mapping[str, Override]:
    """Return overrides by name; the last one with a name wins.

    Unknown names and choices are refused, and so are several values without a grid, and settings
    that the chosen suite does not read.
    """
    known = Catalogue(conf)
    overrides: dict[str, Override] = {}
    for text in texts:
        override = read_override(text, known, multirun=multirun)
        overrides[str(override.key_or_group)] = override
    _check_suite(overrides, known)
    return overrides


def read_override(text: str, known: Catalogue, *, multirun: bool) -> Override:
    """Return one override with an existing name and valid choices."""
    if text in (*known.groups, *known.scalars):
        raise UsageError(f"{text}: has no value; write {text}=VALUE, without spaces")
    override = parse_override(text)
    name = str(override.key_or_group)
    _check_name(name, text, known)
    if override.is_add() or override.is_delete() or override.is_force_add():
        plain = text.lstrip("+~") if "=" in text else f"{name}=VALUE"
        message = f"{text}: settings are neither added nor removed; write {plain}"
        raise SettingError(message)
    if override.package is not None:
        raise SettingError(f"{text}: has a package (@…); write {name}=VALUE")
    _refuse_unlisted(override, text, known)
    _check_sweep(override, name, text, multirun=multirun)
    _check_choice(name, override, text, known)
    return override


def parse_override(text: str) -> Override:
    """Return one override without checks of its value."""
    try:
        return parsed(text)
    except HydraException as error:
        raise UsageError(f"{text}: cannot be read; {_form(text)}") from error


def parsed(text: str) -> Override:
    """Return one override, or raise Hydra's error.

    Hydra's grammar has ASCII letters only, but folders of users have other letters as well.
    """
    name, _, value = text.partition("=")
    if not value.isascii() and all(map(_is_of_path, value)):
        text = f"{name}={quoted(value)}"
    return _parser().parse_override(text)


def _is_of_path(sign: str) -> bool:
    """Return whether a sign has no meaning in the grammar. Combining marks are macOS's umlauts."""
    return sign.isalpha() or bool(combining(sign)) or (sign in _OF_PATHS)


def as_setting(name: str, value: str) -> str:
    """Return `name=value` in the shortest form that is read as this text."""
    plain = f"{name}={value}"
    try:
        override = parsed(plain)
    except HydraException:
        return f"{name}={quoted(value)}"
    is_same = not override.is_sweep_override() and override.value() == value
    return plain if is_same else f"{name}={quoted(value)}"


def _form(text: str) -> str:
    """Return the correct form of an override that cannot be parsed."""
    name, equals, value = text.partition("=")
    if name == "weights" and "grid(" in value:
        return 'write "weights={steps: 20}"'
    if {*text} & _TYPOGRAPHIC:
        return f"type plain quotes: {text.translate(_PLAIN_QUOTES)}"
    if equals and (name != name.strip() or value != value.strip()):
        return f"write {name.strip()}={value.strip()}, without spaces around the ="
    if not text.isascii():
        odd = next(sign for sign in text if not sign.isascii())
        return f"{odd!r} is not a letter of plain ASCII; quote values that have it"
    return "write NAME=VALUE (quote values with special signs)"


def quoted(text: str) -> str:
    """Return a text as a value of a setting, whatever characters it has."""
    return str(QuotedString(text, Quote.single).with_quotes())


@cache
def _parser() -> OverridesParser:
    """Return the parser of Hydra's grammar, cached because its construction is slow."""
    return OverridesParser.create()


def values_of(override: Override) -> Iterator[tuple[str, object]]:
    """Yield each value of an override as text and as data."""
    name = str(override.key_or_group)
    if not override.is_sweep_override():
        text, value = str(override.input_line).partition("=")[2], override.value()
        if isinstance(value, list) and _is_one_in_brackets(name, value):
            text, value = text.strip()[1:-1].strip(), value[0]  # `chunk=[512]` is 512
        yield text, value
        return
    for text in _texts(override):
        # A value of an axis may be a quoted list or number, so it is parsed again.
        yield text, parse_override(f"{name}={text}").value()


def _is_one_in_brackets(name: str, value: Sequence[object]) -> bool:
    """Return whether a value is a list of one scalar for a setting that is not a list."""
    is_of_lists = "." in name or name in _LISTS
    return not is_of_lists and len(value) == 1 and not isinstance(value[0], list)


def _texts(override: Override) -> list[str]:
    try:
        return [str(text) for text in override.sweep_string_iterator()]
    except HydraException as error:
        message = f"{override.input_line}: cannot be an axis; list the values: 1,2,3"
        raise UsageError(message) from error


def _check_name(name: str, text: str, known: Catalogue) -> None:
    top, _, field = name.partition(".")
    if top not in known.groups and top not in known.scalars:
        raise SettingError(f"{text}: no such setting; {_meant(top, text, known)}")
    if field and field not in known.fields(top):
        raise SettingError(f"{text}: no such setting; {_near_field(top, name, known)}")


def _meant(name: str, text: str, known: Catalogue) -> str:
    """Return a remedy for an unknown name without a group."""
    value = text.partition("=")[2]
    flag = f"--{name.replace('_', '-')}"
    if _flags().has_flag(flag):
        return f"{flag} is a flag; write {flag} {value}".rstrip()
    if name == "hydra" or name.startswith("hydra/"):
        return "Hydra composes the settings and has none of its own here; remove it"
    if meant := meant_setting(name):
        return f"did you mean {meant}?"
    return nearest(name, [*known.groups, *known.scalars], page=command("bench --help"))


def _near_field(top: str, name: str, known: Catalogue) -> str:
    """Return a remedy for an unknown field of a group."""
    fields = [f"{top}.{item}" for item in known.fields(top)]
    if not fields:
        return f"{top} has no parts; write {top}=VALUE"
    near = close_names(name, fields, by_end=True)
    if near:
        return f"did you mean {' or '.join(near)}?"
    if top == "gate":
        return "floors are flags; write --min mrr=0.7 for example"
    parent = name.rpartition(".")[0]
    siblings = [one for one in fields if one.rpartition(".")[0] == parent]
    return nearest("", siblings or fields, page=command("bench --help"))


@cache
def _flags() -> Parser:
    from bench.launcher.arguments import argument_parser

    return argument_parser("")


def _check_sweep(override: Override, name: str, text: str, *, multirun: bool) -> None:
    if not override.is_sweep_override():
        return
    if name in _LISTS and not any(isinstance(one, list | dict) for _, one in values_of(override)):
        value = text.partition("=")[2]
        raise UsageError(f"{text}: must be a list; write {name}=[{value}]")
    if not multirun:
        message = f"{text}: several values make a grid; add -m"
        raise UsageError(message)
    if name == "name":
        message = f"{text}: a name is not an axis. Use settings in it: name='${{chunk}}-fast'."
        raise UsageError(message)
    from bench.settings.study import OF_THE_STUDY

    if name.partition(".")[0] in OF_THE_STUDY:
        message = f"{text}: belongs to the study as a whole and takes one value"
        raise UsageError(message)


def _refuse_unlisted(override: Override, text: str, known: Catalogue) -> None:
    """Refuse `only.tags=a,b`, which would be an axis, where a list was meant."""
    name, _, values = text.partition("=")
    if override.is_choice_sweep() and known.is_list(name):
        raise SettingError(f"{text}: must be a list; write {name}=[{values}]")


def _check_choice(name: str, override: Override, text: str, known: Catalogue) -> None:
    if name not in known.groups:
        return
    for typed, value in values_of(override):
        if isinstance(value, (list, dict)):
            message = f"{text}: takes one value; write {name}={','.join(map(str, value))} with -m"
            raise SettingError(message)
        if str(value) not in known.groups[name]:
            choices = known.groups[name]
            meant = meant_choice(name, typed)
            listed = f"did you mean {meant}? There are {', '.join(choices)}"
            remedy = listed if meant else nearest(str(value), choices)
            if name == "query" and Path(str(value)).suffix:
                remedy += f"; a file of queries is queries={typed}"
            raise SettingError(f"{text}: no such {name}; {remedy}")


def _check_suite(overrides: Mapping[str, Override], known: Catalogue) -> None:
    """Refuse settings that the chosen suite does not read; the study would measure something else.

    Other settings without an effect only cause a warning, because they do not change the subject
    of the results.
    """
    suite = overrides.get("suite")
    chosen = str(next(values_of(suite))[1]) if suite else known.defaults["suite"]
    fields = known.fields_of("suite", chosen) - {"kind"}
    if chosen == "file":
        fields -= {"name"}  # the suite file has its own name
    read = {f"suite.{field}" for field in fields} | _READ_BY.get(chosen, frozenset())
    for name, override in overrides.items():
        is_of_suite = name.startswith("suite.") or name in _OF_OWN
        if is_of_suite and name not in read and override.value() not in (None, []):
            remedy = f"{'use' if suite else 'add'} suite=own"
            if name not in _OF_OWN or (name in _OF_FILES and chosen == "file"):
                remedy = _remedy(override, chosen)
            message = f"{override.input_line}: suite={chosen} does not read it; remove it, or "
            raise SettingError(message + remedy)


def _remedy(override: Override, chosen: str) -> str:
    if chosen == "file":
        return "write it in the file of suite.path"
    is_path = override.key_or_group == "suite.path"
    return f"use suite=file {override.input_line if is_path else 'suite.path=FILE'}"
