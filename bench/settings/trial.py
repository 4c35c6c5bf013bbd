"""A point of the grid as typed values, without settings that do not apply to it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from bench.errors import SettingError, nearest
from bench.measures import SYMBOL_CREDITS, SymbolCredit
from bench.settings.answering import AnswererSettings, parse_answerer
from bench.settings.chunking import (
    Chunker,
    SizeTokens,
    is_sized,
    parse_chunker,
    parse_headers,
    parse_sentence_model,
    parse_size_tokens,
)
from bench.settings.embedding import parse_embedder
from bench.settings.expanding import parse_expansion, why_unexpanded
from bench.settings.fields import build, in_range, typed
from bench.settings.retrieving import (
    Retrieval,
    idle_fields,
    parse_retrieval,
    parse_vectors,
)
from bench.settings.suite import SuiteSettings, parse_suite
from bench.settings.weighing import as_typed
from retrievers.answerers import Expansion, Extractive
from retrievers.chunkers import Headers
from retrievers.dense import (
    Dense,
    EmbeddingModel,
    EmbeddingServer,
    VectorSettings,
    refuse_absent,
)
from retrievers.rerankers import CrossEncoder, LateInteraction, RerankServer
from retrievers.servers import key_of

RerankerSettings = LateInteraction | CrossEncoder | RerankServer


@dataclass(frozen=True)
class TrialSettings:
    """A configuration to evaluate. Equal settings are one trial, even under different names."""

    suite: SuiteSettings
    chunker: Chunker | None
    """None for an external engine that returns its own places."""
    retrieval: Retrieval
    reranker: RerankerSettings | None
    vectors: VectorSettings | None
    """Engine for the measurement of latency; quality is measured with exact search."""
    limit: int
    measure_level: Literal["file", "symbol", "span"] | None
    symbol_credit: SymbolCredit = "strict"
    """Rule for hits on symbols."""
    headers: Headers | None = None
    """The header above chunks."""
    sizes: SizeTokens = field(default_factory=SizeTokens)
    """Unit of the size of chunks."""
    sentence_model: EmbeddingModel | None = None
    """Model of the semantic chunker, which compares sentences."""
    answerer: AnswererSettings | None = None
    expansion: Expansion | None = None
    """Texts that are searched instead of the question."""
    axes: Mapping[str, object] = field(compare=False, default_factory=dict)
    """Settings under the names that users type, for tables, without inert ones."""
    inert: Mapping[str, str] = field(compare=False, default_factory=dict)
    """Settings and groups without an effect in this trial, with the reasons."""

    @property
    def calibrates(self) -> bool:
        """Whether the threshold of answers is calibrated on the tune half."""
        return isinstance(self.answerer, Extractive) and self.answerer.threshold is None

    def why_idle(self, name: str) -> str | None:
        """Return the reason why a setting has no effect in this trial, or None if it has one."""
        parts = name.split(".")
        names = (".".join(parts[:count]) for count in range(1, len(parts) + 1))
        return next((self.inert[one] for one in names if one in self.inert), None)

    @property
    def embedder(self) -> EmbeddingModel | None:
        """The model of the channels that rank by vectors, or None."""
        return self.retrieval.embedder

    @property
    def waits_for_servers(self) -> bool:
        """Whether another process computes a part of the ranking."""
        encoder = self.reranker.embedder if isinstance(self.reranker, LateInteraction) else None
        servers = (self.embedder, encoder, self.reranker)
        is_served = any(isinstance(one, EmbeddingServer | RerankServer) for one in servers)
        searches = self.vectors is not None and self.vectors.kind == "server"
        is_asked = bool(self.retrieval.engines) or self.expansion is not None
        return is_served or searches or is_asked

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models with an encoder in this trial."""
        asked = self.reranker.embedder if isinstance(self.reranker, LateInteraction) else None
        found = (self.embedder, asked, self.sizes.model, self.sentence_model)
        return tuple(model.model for model in found if model)


def parse_trial(
    config: Mapping[str, Any],
    *,
    choices: Mapping[str, str],
    typed: Sequence[str] = (),
    suite: SuiteSettings | None = None,
) -> TrialSettings:
    """Return the trial of a composed configuration, or raise an error with a remedy.

    `choices` are the names chosen for the groups (`reranker` → `on`). `typed` are the names of
    settings on the command line; a field of a group (`embedder.long_text`) is then an axis.
    `suite` lets a grid parse the suite only once, since that takes longer than everything else.
    """
    _check_scalars(config)
    retrieval = parse_retrieval(config)
    reranker = _reranker(config["reranker"])
    vectors = parse_vectors(config) if isinstance(reranker, LateInteraction) else None
    brings_chunks = retrieval.own_chunks is not None
    chunker = None if brings_chunks else parse_chunker(config["chunker"], config["chunk"])
    trial = TrialSettings(
        suite=suite or parse_suite(config),
        chunker=chunker,
        sentence_model=parse_sentence_model(chunker, lambda: parse_embedder(config)),
        headers=None if brings_chunks else parse_headers(config["chunker"]),
        sizes=SizeTokens() if brings_chunks else _sizes(config),
        answerer=parse_answerer(config["answerer"]),
        expansion=parse_expansion(config["query"], config["answerer"], retrieval),
        retrieval=retrieval,
        reranker=reranker,
        vectors=retrieval.vectors or vectors,
        limit=config["limit"],
        measure_level=config["measure_level"],
        symbol_credit=config["symbol_credit"],
    )
    # Names only, which are not part of the trial's identity.
    object.__setattr__(trial, "inert", _inert(trial) | idle_fields(config["retriever"], retrieval))
    axes = _axes(trial, config, choices) | _typed_fields(typed, config)
    for name in _without_use(trial):
        del axes[name]
    shown = {name: value for name, value in axes.items() if trial.why_idle(name) is None}
    object.__setattr__(trial, "axes", shown)
    return trial


def _without_use(trial: TrialSettings) -> list[str]:
    """Return the groups that are only shown in trials that use them."""
    used = {"answerer": trial.answerer, "query": trial.expansion}
    return [name for name, settings in used.items() if settings is None]


def refuse_absent_models(trials: Iterable[TrialSettings]) -> None:
    """Check models and keys now, so that a study does not start without them."""
    every = tuple(trials)
    engines = dict.fromkeys(engine for trial in every for engine in trial.retrieval.engines)
    # Check each model once: identifying a model reads files, and a grid has many trials.
    models = dict.fromkeys(
        model
        for one in every
        for model in (one.embedder, one.sizes.model, one.sentence_model, one.reranker)
    )
    try:
        for engine in engines:
            key_of(getattr(engine, "key_variable", ""))
        for model in models:
            if isinstance(model, LateInteraction):
                refuse_absent(model.embedder.weights)
                continue
            if not isinstance(model, EmbeddingServer | RerankServer | None):
                refuse_absent(model.weights)
            _ = model and model.identity
    except ValueError as error:
        raise SettingError(str(error)) from error


def _check_scalars(config: Mapping[str, Any]) -> None:
    for name, low, high, default in (("chunk", 16, 8192, 512), ("limit", 1, 1000, 10)):
        value = config[name]
        if isinstance(value, list):
            items = ",".join(map(typed, value))
            message = f"{name}={typed(value)}: must be one number; write {name}={items} with -m"
            raise SettingError(f"{message} for a grid")
        if type(value) is not int:
            message = f"{name}={typed(value)}: must be a whole number from {low} to {high}"
            raise SettingError(f"{message}; write {name}={default} for example")
        in_range(value, low, high, name=name)
    level, levels = config["measure_level"], ("file", "symbol", "span")
    if level is not None and level not in levels:
        message = f"measure_level={level}: not a level; {nearest(str(level), levels)}"
        raise SettingError(message)
    credit = config["symbol_credit"]
    if credit not in SYMBOL_CREDITS:
        message = f"symbol_credit={credit}: not a credit; {nearest(str(credit), SYMBOL_CREDITS)}"
        raise SettingError(message)


def _kind(node: Mapping[str, Any], known: tuple[str, ...], *, where: str) -> str:
    kind = node.get("kind")
    if kind not in known:
        message = f"{where}={kind}: no such {where}; {nearest(str(kind), known)}"
        raise SettingError(message)
    return str(kind)


def _without_kind(node: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in node.items() if name != "kind"}


def _reranker(node: Mapping[str, Any]) -> RerankerSettings | None:
    kind = _kind(node, ("off", "late_interaction", "cross_encoder", "server"), where="reranker")
    if kind == "off":
        return None
    if kind == "cross_encoder":
        return build(CrossEncoder, _without_kind(node), where="reranker")
    if kind == "server":
        return build(RerankServer, _without_kind(node), where="reranker")
    return build(LateInteraction, _without_kind(node), where="reranker")


def _inert(trial: TrialSettings) -> dict[str, str]:
    """Return the settings without an effect in this trial, with the reasons."""
    no_fusion = "there is one channel and nothing to weigh" * (trial.retrieval.fusion is None)
    own_places = "the engine ranks places of its own" * (trial.chunker is None)
    has_size = trial.chunker is None or is_sized(trial.chunker)
    no_model = not any((trial.embedder, trial.sizes.model, trial.sentence_model))
    reasons = {
        "chunker": own_places,
        "chunk": own_places or "the chunker has no size" * (not has_size),
        "embedder": "no retriever ranks by vectors" * no_model,
        "weight": no_fusion,
        "weights": no_fusion,
        "vectors": "nothing is searched by vectors" * (trial.vectors is None),
        **_idle_of_engine(trial),
        "query": why_unexpanded(trial.retrieval),
    }
    return {name: why for name, why in reasons.items() if why}


def _idle_of_engine(trial: TrialSettings) -> dict[str, str]:
    """Return the settings of a vector engine without an effect in this trial, with the reasons."""
    engine, idle = trial.vectors, dict[str, str]()
    if engine is None:
        return idle
    if not any(isinstance(channel, Dense) for channel in trial.retrieval.channels):
        idle["vectors.ranked"] = "no channel is dense, and others are ranked without the engine"
    if engine.quantization == "none":
        why = "vectors.quantization=none has nothing to score again"
        idle |= dict.fromkeys(("vectors.rescore", "vectors.oversampling"), why)
    return idle


def _sizes(config: Mapping[str, Any]) -> SizeTokens:
    return parse_size_tokens(config["chunker"], lambda: parse_embedder(config))


def _typed_fields(typed: Sequence[str], config: Mapping[str, Any]) -> dict[str, object]:
    """Return the fields of groups that were typed, with their composed values."""
    names = [name.split(".") for name in typed]
    return {
        ".".join(parts): _at(config, parts)
        for parts in names
        if len(parts) > 1 and parts[0] in _GROUPS and parts[0] != "suite"
    }


def _at(config: Mapping[str, Any], parts: Sequence[str]) -> object:
    """Return the value at a dotted name, or None."""
    found: Any = config
    for part in parts:
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


_GROUPS = ("suite", "chunker", "embedder", "retriever", "reranker", "vectors", "answerer", "query")


def _axes(
    trial: TrialSettings, config: Mapping[str, Any], choices: Mapping[str, str]
) -> dict[str, object]:
    """Return every axis by the name and value that users type."""
    named: dict[str, object] = {name: choices.get(name, "") for name in _GROUPS}
    named["chunk"] = config["chunk"]
    if trial.retrieval.fusion:
        named |= _named_weights(trial.retrieval)
    named["retriever.unit"] = trial.retrieval.listing.unit
    named["limit"] = trial.limit
    named["seed"] = config["seed"]
    return named


def _named_weights(retrieval: Retrieval) -> dict[str, object]:
    """Return the share of dense, or all weights if dense has other companions than bm25."""
    if retrieval.fusion and retrieval.fusion.steps:
        return {"weights": as_typed(retrieval.fusion.steps)}
    weights = [round(weight, 4) for weight in retrieval.fusion.weights] if retrieval.fusion else []
    if retrieval.fusion and retrieval.fusion.names == ("bm25", "dense"):
        return {"weight": weights[1]}
    return {"weights": weights}
