"""Settings that a file from somebody else may set, and those that need `--trust FILE`.

Files of studies are mailed and committed, so their author may be a stranger. Such a file can
describe a grid, and name data to read under the rules for sources. A setting that starts a
program, imports code, contacts an address, or chooses a path to read or write is only used if the
user trusts the file. The tables list the harmless settings. A setting that is added to conf/ needs
trust until it is added here. Interpolations are refused in every file, trusted or not, because
they could read the environment.
"""

import argparse
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from bench.errors import SettingError
from bench.printable import one_line

Table = Mapping[str, frozenset[str]]


def _table(rows: Mapping[str, str]) -> Table:
    return MappingProxyType({name: frozenset(names.split()) for name, names in rows.items()})


# Presets that name a model of the hub are ours: a file cannot name another model or revision.
CHOICES = _table(
    {
        "suite": "quick python harness polyglot across docs full tiered issues tasks languages own"
        " auto file beir",
        "chunker": "lines tokens recursive syntax symbol file sentence semantic",
        "embedder": "minilm static minilm_int8 mpnet local bge_small bge_base e5 nomic_code"
        " jina_code coderank",
        "retriever": "bm25 lexical fields grep exact tiered graph graph_described dense late"
        " hybrid hybrid_graph random constant oracle",
        "reranker": "off on cross_encoder",
        "answerer": "off extractive",
        "query": "plain",
        "vectors": "edge exact",
        "execution": "auto local",
        "tracking": "mlflow none",
        "gate": "floors",
        "retriever.channels": "bm25 dense late fields grep exact tiered graph",
    }
)
"""The harmless choices of each group, and of the channels of hybrid retrieval."""
_FIELDS = _table(
    {
        "": "name grid chunk weight weights limit measure_level symbol_credit budget_tokens"
        " objective margin prior cost max_latency_p95_ms max_index_seconds max_memory_mb"
        " max_shown_tokens strategy budget_trials budget_minutes half half_of only measures"
        " negative_threshold"
        " most_matches missing targets seed latency include_drafts repository queries"
        " question_copies include exclude languages",
        "suite": "path count sources tags",
        "grid": "strict",
        "only": "repositories tags categories ids per_repository",
        "targets": "easy medium hard",
        "chunker": "overlap header encoding percentile",
        "embedder": "dtype window path_header windows long_text query_prompt passage_prompt"
        " dimensions pooling normalise runtime",
        "retriever": "tokenizer k1 b method rules name_boost definition_boost test_penalty unit"
        " stemmer reading path_boost frame_boost example_penalty documentation_penalty"
        " generated_penalty translation_penalty prose_penalty data_penalty file_share"
        " aggregation depth_of_aggregation symbol_name concepts qualified_name signature path doc"
        " body match_case whole_words stop_words tiers prefix_below prefix_limit fallback_below"
        " substring_below substring_limit substring_letters path_below path_limit path_letters"
        " pooling bits served_from seed normalisation rank_constant symbol_weight"
        " error_weight issue_weight",
        "reranker": "depth keep weight windows vectors max_length dtype runtime",
        "answerer": "hits pieces threshold most_false_refusals",
        "query": "count original",
        "vectors": "m ef_construct ef scan_below_kilobytes quantization ranked rescore"
        " oversampling",
        "execution": "workers",
        "gate": "of",
    }
)
"""The harmless fields of each group; the key "" has settings without a group."""
_NODES = frozenset({"seeding", "walk", "hits", "scoring", "reordering"})
"""Parts of the graph's settings with only numbers and words at any depth."""

_NO_FILE = {"none", "default", "None", "True", "False"}
"""Harmless values of a setting that may name a file of stop words or be a flag."""
_TOPS = ("retriever", *(f"retriever.{name}" for name in CHOICES["retriever.channels"]))
_PATHS = frozenset(f"{top}.path" for top in _TOPS)
_STOP_WORDS = frozenset(f"{top}.stop_words" for top in _TOPS)

_DEFAULT_REASON = "is not among the harmless settings"
_OF_CHOICES = {
    "command": "starts a program",
    "mcp": "starts a program or contacts a server",
    "python": "runs Python code",
    "run": "chooses what is read",
    "http": "contacts a server",
    "server": "contacts a server",
    "openai": "contacts a server",
    "rewrite": "contacts a server",
    "hyde": "contacts a server",
    "several": "contacts a server",
    "ray": "starts or joins a Ray cluster",
}
_OF_FIELDS = _table(
    {
        "starts a program": "command index_command tool index_tool arguments",
        "runs Python code": "target",
        "runs code that the model brings": "trust_remote_code",
        "is the address of a server": "url index_url uri address grpc_port",
        "reads the environment": "key_variable environment",
        "chooses where files are written": "output store",
        "chooses what is read": "points model revision template equivalences observations",
    }
)


def add_trust_flag(parser: argparse.ArgumentParser) -> None:
    """Add the flag that names files to trust."""
    parser.add_argument(
        "--trust",
        action="append",
        default=[],
        type=_existing,
        metavar="FILE",
        help="let this file name programs, servers and places (may be repeated)",
    )


def _existing(text: str) -> Path:
    place = Path(text).expanduser()
    if not place.is_file():
        message = f"{text}: no such file; name the file itself"
        raise argparse.ArgumentTypeError(message)
    return place.resolve()


def is_trusted(place: Path, trusted: Collection[Path]) -> bool:
    """Return whether the user named exactly this file."""
    return place.expanduser().resolve() in trusted


def reason_for_trust(name: str, values: Sequence[object]) -> str:
    """Return the reason why a setting with these values needs trust, or "" if it is harmless."""
    group, _, field = name.partition(".")
    if name in CHOICES:
        return _of_choices([one for value in values for one in _listed(name, value)], name)
    if not all(map(_is_plain, values)):
        return _DEFAULT_REASON
    if name in _STOP_WORDS and not {*map(str, values)} <= _NO_FILE:
        return "chooses what is read"
    if name in _PATHS and not _are_numbers(values):
        return "chooses what is read"  # the file of rankings of `run`; in `fields` it is a weight
    if _is_harmless_field(group, field) if field else name in _FIELDS[""]:
        return ""
    last = name.rpartition(".")[2]
    reasons = (reason for reason, names in _OF_FIELDS.items() if last in names)
    return next(reasons, _DEFAULT_REASON)


def _are_numbers(values: Sequence[object]) -> bool:
    return all(isinstance(value, int | float | None) for value in values)


def _listed(name: str, value: object) -> list[object]:
    """Return the choices in a value; only channels are a list."""
    return value if name == "retriever.channels" and isinstance(value, list) else [value]


def _of_choices(chosen: Sequence[object], name: str) -> str:
    risky = [one for one in chosen if not isinstance(one, str) or one not in CHOICES[name]]
    return _OF_CHOICES.get(str(risky[0]), _DEFAULT_REASON) if risky else ""


def _is_harmless_field(group: str, field: str) -> bool:
    if group == "retriever":
        # In a hybrid, the settings of a channel are under the channel's name.
        channel, dot, own = field.partition(".")
        field = own if dot and channel in CHOICES["retriever.channels"] else field
        if field.partition(".")[0] in _NODES:
            return True
    return field in _FIELDS.get(group, frozenset())


def _is_plain(value: object) -> bool:
    """Return whether a value is plain data, since the grammar of overrides also has functions."""
    if isinstance(value, Mapping):
        return all(map(_is_plain, [*value, *value.values()]))
    if isinstance(value, list):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (str, int, float))


def refuse_interpolations(content: object, where: str) -> None:
    """Refuse `${…}` in any text of a file, including keys."""
    for text in _texts(content, set()):
        if "${" in text:
            message = (
                f"{where}: {shown(text)} is an interpolation, and files may have none."
                " Write the value itself."
            )
            raise SettingError(message)


def _texts(content: object, seen: set[int]) -> Iterator[str]:
    """Yield every text in nested values; repeated YAML aliases are visited once."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, (Mapping, list, tuple, set)) and id(content) not in seen:
        seen.add(id(content))
        parts = [*content, *content.values()] if isinstance(content, Mapping) else content
        for part in parts:
            yield from _texts(part, seen)


_LONGEST = 160


def shown(text: str) -> str:
    """Return text from a file for a message: short and on one line."""
    line = one_line(text)
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
