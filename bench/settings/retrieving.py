"""Settings of retrieval: channels, fusion, rules and the unit of the ranking.

A channel is a retriever with its settings. `retriever=KIND` is a trial with one channel, and
`retriever=hybrid` one with several. In a hybrid, `bm25` and `dense` have their settings at the
same names as in a trial of that kind. Other channels have theirs under their own names
(`retriever.NAME.setting`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from bench.errors import SettingError, nearest
from bench.settings.embedding import parse_embedder
from bench.settings.fields import build, typed
from bench.settings.graph import parse_graph, parse_reordering
from bench.settings.own_settings import OF_LISTING, OF_RULES, own_settings
from bench.settings.weighing import WEIGHT_OF_KIND, steps_of, weights_of, weights_of_kinds
from bench.stages import BOUNDS, Bound
from retrievers.catalogue import RETRIEVERS
from retrievers.dense import EmbeddingModel, VectorSettings
from retrievers.errors import ExternalError
from retrievers.external import ExternalSettings, RunFile
from retrievers.fusion import Normalisation
from retrievers.graph.reordered import ReorderedGraph
from retrievers.interface import Retriever
from retrievers.lexical import BM25, STOP_WORDS, adjusted_name
from retrievers.listing import UNITS, Listing, Unit
from retrievers.reading import QueryKind
from retrievers.rules import Rules

ChannelSettings = Retriever | Bound
"""Settings of a channel, or of a bound in place of a retriever."""

_CHANNELS: Mapping[str, type[Any]] = MappingProxyType({**RETRIEVERS, **BOUNDS})
_KINDS = (*_CHANNELS, "hybrid")

_OF_WORDS = ("stop_words", "stemmer")

AUTO = "auto"
"""The unit that follows from the level of the study."""
UNIT_OF_LEVEL: Mapping[object, Unit] = MappingProxyType(
    {"file": "file", "symbol": "definition", "span": "chunk"}
)


@dataclass(frozen=True)
class Fusion:
    """Fusion of the rankings of several channels, with a weight for each in their order."""

    weights: tuple[float, ...]
    normalisation: Normalisation = "relu_z"
    rank_constant: int = 60
    """Constant of normalisation=rrf."""
    steps: int | None = None
    """Number of steps from 0 to 1 of a grid of weights.

    The best weights of the grid are chosen; ties go to the nearest to `weights`.
    """
    of_kind: tuple[tuple[QueryKind, tuple[float, ...]], ...] = ()
    """Weights for kinds of queries with weights of their own."""
    names: tuple[str, ...] = field(compare=False, default=())
    """The channels under the names that users type."""

    @property
    def ignores_dense(self) -> bool:
        """Whether the weight of dense is 0 for every kind of query."""
        rows = (self.weights, *(own for _, own in self.of_kind))
        kept = zip(self.names, zip(*rows, strict=True), strict=True)
        return any(name == "dense" and not any(own) for name, own in kept)


@dataclass(frozen=True)
class Retrieval:
    """The channels of a trial, and the steps applied to their rankings."""

    channels: tuple[ChannelSettings, ...]
    fusion: Fusion | None
    rules: Rules | None
    listing: Listing = Listing().effective
    """The unit of entries in the judged ranking."""

    @property
    def is_bound(self) -> bool:
        """Whether this is a lower or upper bound, which cannot be shipped."""
        return isinstance(self.channels[0], Bound)

    @property
    def engines(self) -> tuple[ExternalSettings, ...]:
        """The external engines among the channels."""
        return tuple(one for one in self.channels if isinstance(one, ExternalSettings))

    @property
    def is_imported(self) -> bool:
        """Whether a ranking comes from a file, so that it cannot be served or timed."""
        return any(isinstance(one, RunFile) for one in self.channels)

    @property
    def own_chunks(self) -> ExternalSettings | None:
        """The engine whose own places are ranked, if it is the only channel."""
        return self.engines[0] if self.engines and self.fusion is None else None

    @property
    def embedder(self) -> EmbeddingModel | None:
        """The model of the channels that rank by vectors, or None."""
        found = (getattr(channel, "embedder", None) for channel in self.channels)
        return next((model for model in found if model is not None), None)

    @property
    def vectors(self) -> VectorSettings | None:
        """The engine of the channels that search by vectors, or None."""
        found = (getattr(channel, "vectors", None) for channel in self.channels)
        return next((engine for engine in found if engine is not None), None)


def parse_retrieval(config: Mapping[str, Any]) -> Retrieval:
    """Return the retrieval settings from `retriever`, `embedder`, `weight` and `weights`."""
    node = config["retriever"]
    kind = _known(node.get("kind"), _KINDS, where="retriever")
    own, listing = own_settings(node), _listing(config)
    if kind != "hybrid":
        return Retrieval((_channel(kind, own, config),), None, _rules(node), listing)
    names = _names(own.pop("channels"))
    fusion = _fusion(own, names, config, listing.unit)
    channels = {name: own.pop(name) for name in RETRIEVERS if name in own}
    _refuse_own_units(channels)
    others = {name: own_settings(channel) for name, channel in channels.items()}
    found = (
        _channel(name, others[name], config, where=f"retriever.{name}")
        if name in others
        else _channel(name, own if name == "bm25" else {}, config)
        for name in names
    )
    rules = _rules(_with_name_boost(node, fusion))
    return Retrieval(tuple(found), fusion, rules, listing)


def _fusion(
    own: dict[str, Any], names: tuple[str, ...], config: Mapping[str, Any], unit: Unit
) -> Fusion:
    """Remove the settings of the fusion from those of a hybrid, and return the fusion."""
    constant, normalisation = own.pop("rank_constant"), own.pop("normalisation")
    given = {kind: own.pop(setting) for kind, setting in WEIGHT_OF_KIND.items()}
    is_static = "dense" in names and parse_embedder(config).is_static
    weights = weights_of(config, names, unit=unit, is_static=is_static)
    of_kind = weights_of_kinds(given, config, names, is_static=is_static)
    fusion = build(
        Fusion,
        {
            "weights": weights,
            "steps": steps_of(config, names),
            "names": names,
            "normalisation": normalisation,
            # Equal settings are one trial, so settings without effect get a fixed value.
            "rank_constant": constant if normalisation == "rrf" else Fusion.rank_constant,
        },
        where="retriever",
    )
    differ = ((kind, row) for kind, row in of_kind if fusion.steps or row != weights)
    return replace(fusion, of_kind=tuple(differ))


def _with_name_boost(node: Mapping[str, Any], fusion: Fusion) -> Mapping[str, Any]:
    """Return the settings of a hybrid with a default name boost that suits its weights.

    Vectors include the path above each text, so names need a smaller boost with them.
    """
    if node.get("name_boost", 0.0) is not None:
        return node
    return {**node, "name_boost": 1.0 if fusion.ignores_dense else 0.3}


def idle_fields(node: Mapping[str, Any], retrieval: Retrieval) -> dict[str, str]:
    """Return the fields of `retriever` without an effect in this trial, and the reasons."""
    idle: dict[str, str] = {}
    if node.get("rules") == "off":
        idle |= dict.fromkeys(OF_RULES - {"rules"}, "retriever.rules=off")
    idle |= _idle_in_listing(retrieval.listing)
    if retrieval.fusion is not None:
        idle |= _idle_in_hybrid(retrieval.fusion)
    if "reordering" in node and retrieval.embedder is None:
        idle["reordering.depth"] = "retriever.reordering.weight=0"
    return {f"retriever.{name}": why for name, why in idle.items()}


def _idle_in_listing(listing: Listing) -> dict[str, str]:
    """Return the fields that do not apply to the unit."""
    idle: dict[str, str] = {}
    if listing.unit != "definition":
        idle["file_share"] = "only retriever.unit=definition has it"
    if listing.unit != "file" and not listing.file_share:
        sums = OF_LISTING - {"unit", "file_share"}
        idle |= dict.fromkeys(sums, "only retriever.unit=file adds chunks up")
    return idle


def _idle_in_hybrid(fusion: Fusion) -> dict[str, str]:
    """Return the fields that neither the channels nor the fusion use."""
    idle = {name: f"{name} is not a channel" for name in RETRIEVERS if name not in fusion.names}
    if "bm25" not in fusion.names:
        own = (*(field.name for field in fields(BM25)), *_OF_WORDS)
        idle |= dict.fromkeys(own, "bm25 is not a channel")
    if fusion.normalisation != "rrf":
        idle["rank_constant"] = "only normalisation=rrf reads it"
    return idle


def _channel(
    kind: str, own: Mapping[str, Any], config: Mapping[str, Any], *, where: str = "retriever"
) -> ChannelSettings:
    if kind == "graph":
        return _graph(own, config, where)
    if kind == "run":
        return _run_file(own, where)
    if kind == "bm25":
        own = _with_words(own, where)
    settings: ChannelSettings = build(_CHANNELS[kind], own, where=where)
    return _with_groups(settings, config)


def _graph(own: Mapping[str, Any], config: Mapping[str, Any], where: str) -> Retriever:
    """Return a graph, with a model only if its first symbols are reordered by vectors."""
    graph, reordering = parse_graph(own), parse_reordering(own, where=where)
    if not reordering.weight:
        return graph
    return ReorderedGraph(graph, reordering, parse_embedder(config))


@dataclass(frozen=True)
class _Words:
    stop_words: str | None = None
    stemmer: Literal["snowball", "porter", "none"] | None = None


def _with_words(own: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the settings of BM25 with stop words and stemmer merged into the tokenizer's name."""
    given = {name: own[name] for name in _OF_WORDS if name in own}
    rest = {name: own[name] for name in own if name not in _OF_WORDS}
    words = build(_Words, given, where=where)
    if words == _Words():
        return rest
    build(BM25, rest, where=where)  # report a wrong tokenizer by the name that was typed
    stop = _stop_words(words.stop_words, where)
    return {**rest, "tokenizer": adjusted_name(str(rest["tokenizer"]), stop, words.stemmer)}


def _stop_words(chosen: str | None, where: str) -> Sequence[str] | None:
    if chosen in (None, "none", "default"):
        return {"none": (), "default": tuple(STOP_WORDS)}.get(str(chosen))
    name = f"{where}.stop_words={chosen}"
    try:
        text = Path(str(chosen)).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{name}: cannot be read; use none, default, or a file of words"
        raise SettingError(message) from error
    found = text.lower().split()
    if any({"|", ","} & set(word) for word in found):
        raise SettingError(f"{name}: has | or , in a word; separate words with blanks")
    return found


@dataclass(frozen=True)
class _RunFile:
    path: str
    first_line: int = 1


def _run_file(own: Mapping[str, Any], where: str) -> RunFile:
    """Return a file of rankings, read now so that an invalid file is refused before any work."""
    found = build(_RunFile, own, where=where)
    try:
        return RunFile.of(found.path, found.first_line)
    except ExternalError as error:
        raise SettingError(f"{where}.{error}") from error


def _with_groups(settings: Any, config: Mapping[str, Any]) -> ChannelSettings:
    """Fill fields named after a group of settings with the choice for that group."""
    names = {field.name for field in fields(settings)}
    chosen = {name: parse(config) for name, parse in _GROUPS.items() if name in names}
    try:
        filled: ChannelSettings = replace(settings, **chosen)
    except ValueError as error:
        raise SettingError(str(error)) from error
    return filled


def parse_vectors(config: Mapping[str, Any]) -> VectorSettings:
    """Return the vector engine of a configuration."""
    return build(VectorSettings, config["vectors"], where="vectors").effective


_GROUPS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = MappingProxyType(
    {"embedder": parse_embedder, "vectors": parse_vectors}
)
"""Parsers of groups that are chosen once for the trial, by the name of a retriever's field."""


def _known(kind: object, known: Sequence[str], *, where: str) -> str:
    if kind not in known:
        what = "channel" if where == "retriever.channels" else where
        message = f"{where}={typed(kind)}: no such {what}; {nearest(str(kind), known)}"
        raise SettingError(message)
    return str(kind)


def _names(channels: object) -> tuple[str, ...]:
    if not isinstance(channels, list) or len(channels) < 2:  # noqa: PLR2004 - one is not a hybrid
        known = ", ".join(RETRIEVERS)
        message = f"retriever.channels={typed(channels)}: must be a list of two or more of {known}"
        raise SettingError(f"{message}; write [bm25,dense] for example")
    names = tuple(_known(name, tuple(RETRIEVERS), where="retriever.channels") for name in channels)
    if len(set(names)) < len(names):
        message = f"retriever.channels={typed(channels)}: a channel is named twice; name each once"
        raise SettingError(message)
    return names


def _rules(node: Mapping[str, Any]) -> Rules | None:
    """Return the rules, or None if they change nothing."""
    switch = node.get("rules", "off")
    if switch not in ("on", "off"):
        message = f"retriever.rules={typed(switch)}: must be on or off; write one of them"
        raise SettingError(message)
    own = {name: node[name] for name in node if name in OF_RULES and name != "rules"}
    rules = build(Rules, own, where="retriever")
    return rules if switch == "on" and not rules.change_nothing else None


def _listing(config: Mapping[str, Any]) -> Listing:
    """Return the settings of the entries of a ranking.

    Queries are not read here. If the level depends on them, the reader of the grid has already
    replaced `auto` by their unit.
    """
    node, level = config["retriever"], config.get("measure_level")
    own = {name: node[name] for name in node if name in OF_LISTING}
    unit = own.get("unit", AUTO)
    if unit not in (AUTO, *UNITS):
        message = f"retriever.unit={unit}: not a unit; {nearest(str(unit), (AUTO, *UNITS))}"
        raise SettingError(message)
    if unit == AUTO:
        own["unit"] = UNIT_OF_LEVEL.get(level, "chunk")
    return build(Listing, own, where="retriever").effective


def _refuse_own_units(channels: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse a unit of a channel, because the unit applies to the fused ranking."""
    for name, node in channels.items():
        unit = node.get("unit", AUTO)
        if unit != AUTO:
            message = f"retriever.{name}.unit={unit}: a channel has no unit of its own"
            raise SettingError(f"{message}. Use retriever.unit={unit}.")
