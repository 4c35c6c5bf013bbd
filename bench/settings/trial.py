"""One point of the grid, as typed values; what does not apply to it is left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from bench.errors import SettingError, nearest
from bench.settings.fields import build, in_range
from bench.settings.suite import SuiteSettings, parse_suite
from retrievers.chunkers import File, Lines
from retrievers.dense import EmbeddingModel
from retrievers.lexical import BM25
from retrievers.rerankers import CrossEncoder, LateInteraction
from retrievers.rules import Rules

RerankerSettings = LateInteraction | CrossEncoder
RETRIEVERS = ("bm25", "lexical", "dense", "hybrid")
DENSE_WEIGHT = 0.55
"""What the recipe gives to dense in hybrid; lexical has the rest."""


@dataclass(frozen=True)
class VectorSettings:
    """The vector engine that latency is measured on; quality is judged with exact search."""

    kind: Literal["edge", "server", "exact"]
    url: str = ""
    key_variable: str = ""


@dataclass(frozen=True)
class TrialSettings:
    """A configuration to judge; equal settings are one trial, whatever they were called."""

    suite: SuiteSettings
    chunker: Lines | File
    retriever: str
    lexical: BM25 | None
    embedder: EmbeddingModel | None
    weights: tuple[float, float] | None
    rules: Rules | None
    reranker: RerankerSettings | None
    vectors: VectorSettings | None
    limit: int
    measure_level: Literal["file", "symbol", "span"] | None
    axes: Mapping[str, object] = field(compare=False, default_factory=dict)
    """What the user calls the settings, for tables; inert ones are absent."""
    inert: tuple[str, ...] = field(compare=False, default=())
    """Names of settings that do not apply here."""


def parse_trial(
    config: Mapping[str, Any], *, choices: Mapping[str, str], typed: Sequence[str] = ()
) -> TrialSettings:
    """Return the trial that a composed configuration describes, or say what is wrong with it.

    `choices` are the names that were chosen for the groups (`reranker` → `on`); `typed` are the
    overrides: a field of a group that was typed (`embedder.long_text=mean`) is an axis too.
    """
    _check_scalars(config)
    kind = _kind(config["retriever"], RETRIEVERS, where="retriever")
    reranker = _reranker(config["reranker"])
    is_dense = kind in ("dense", "hybrid")
    needs_vectors = is_dense or isinstance(reranker, LateInteraction)
    chunker = _chunker(config["chunker"], config["chunk"])
    trial = TrialSettings(
        suite=parse_suite(config),
        chunker=chunker,
        retriever=kind,
        lexical=_lexical(config["retriever"]) if kind != "dense" else None,
        embedder=_embedder(config["embedder"]) if is_dense else None,
        weights=_weights(config) if kind == "hybrid" else None,
        rules=_rules(config["retriever"]),
        reranker=reranker,
        vectors=_vectors(config["vectors"]) if needs_vectors else None,
        limit=config["limit"],
        measure_level=config["measure_level"],
    )
    _refuse_absent_models(trial)
    inert = _inert(trial)
    axes = _axes(trial, config, choices) | _typed_fields(typed, config)
    shown = {name: axes[name] for name in axes if name.partition(".")[0] not in inert}
    object.__setattr__(trial, "axes", shown)  # names only: not part of the trial's identity
    object.__setattr__(trial, "inert", inert)
    return trial


def _refuse_absent_models(trial: TrialSettings) -> None:
    """Look for the models now: a trial whose model is not there must not start."""
    try:
        for model in (trial.embedder, trial.reranker):
            if isinstance(model, LateInteraction):
                _ = model.embedder.identity
            elif model is not None:
                _ = model.identity
    except ValueError as error:
        raise SettingError(str(error)) from error


def _check_scalars(config: Mapping[str, Any]) -> None:
    for name, low, high in (("chunk", 16, 8192), ("limit", 1, 1000)):
        value = config[name]
        if type(value) is not int:
            message = f"{name}={value}: must be a whole number from {low} to {high}"
            raise SettingError(message)
        in_range(value, low, high, name=name)
    level, levels = config["measure_level"], ("file", "symbol", "span")
    if level is not None and level not in levels:
        message = f"measure_level={level}: not a level; {nearest(str(level), levels)}"
        raise SettingError(message)


def _kind(node: Mapping[str, Any], known: tuple[str, ...], *, where: str) -> str:
    kind = node.get("kind")
    if kind not in known:
        message = f"{where}={kind}: no such {where}; {nearest(str(kind), known)}"
        raise SettingError(message)
    return str(kind)


def _without_kind(node: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in node.items() if name != "kind"}


def _chunker(node: Mapping[str, Any], size: int) -> Lines | File:
    if _kind(node, ("lines", "file"), where="chunker") == "file":
        return build(File, _without_kind(node), where="chunker")
    return build(Lines, {**_without_kind(node), "size": size}, where="chunker")


_OF_RULES = {"rules", *(field.name for field in fields(Rules))}


def _lexical(node: Mapping[str, Any]) -> BM25:
    own = {name: value for name, value in _without_kind(node).items() if name not in _OF_RULES}
    return build(BM25, own, where="retriever")


def _rules(node: Mapping[str, Any]) -> Rules | None:
    """Return the rules that change something, or none."""
    switch = node.get("rules", "off")
    if switch not in ("on", "off"):
        message = f"retriever.rules={switch}: must be on or off"
        raise SettingError(message)
    own = {name: node[name] for name in node if name in _OF_RULES and name != "rules"}
    rules = build(Rules, own, where="retriever").effective
    return rules if switch == "on" and not rules.change_nothing else None


def _embedder(node: Mapping[str, Any]) -> EmbeddingModel:
    return build(EmbeddingModel, node, where="embedder").resolved()


def _vectors(node: Mapping[str, Any]) -> VectorSettings:
    return build(VectorSettings, node, where="vectors")


def _reranker(node: Mapping[str, Any]) -> RerankerSettings | None:
    kind = _kind(node, ("off", "late_interaction", "cross_encoder"), where="reranker")
    if kind == "off":
        return None
    if kind == "cross_encoder":
        return build(CrossEncoder, _without_kind(node), where="reranker")
    return build(LateInteraction, _without_kind(node), where="reranker")


def _weights(config: Mapping[str, Any]) -> tuple[float, float]:
    weight, weights = config["weight"], config["weights"]
    if weight is not None and weights is not None:
        message = f"weight={weight} and weights={weights}: say one of them"
        raise SettingError(message)
    if weights is not None:
        return _pair(weights)
    if weight is None:
        weight = DENSE_WEIGHT
    if type(weight) not in (int, float):
        message = f"weight={weight}: must be a number from 0 to 1 (the share of dense)"
        raise SettingError(message)
    in_range(weight, 0, 1, name="weight")
    return 1.0 - float(weight), float(weight)


def _pair(weights: object) -> tuple[float, float]:
    numbers = (
        [item for item in weights if type(item) in (int, float)]
        if isinstance(weights, list)
        else []
    )
    if len(numbers) != 2 or min(numbers) < 0 or sum(numbers) <= 0:  # noqa: PLR2004 - lexical, dense
        message = f"weights={weights}: must be [lexical, dense], two numbers from 0 up, not both 0"
        raise SettingError(message)
    return float(numbers[0]) / sum(numbers), float(numbers[1]) / sum(numbers)


def _inert(trial: TrialSettings) -> tuple[str, ...]:
    """Return the settings that change nothing in this trial."""
    conditions = {
        "chunk": isinstance(trial.chunker, File),
        "embedder": trial.embedder is None,
        "weight": trial.weights is None,
        "weights": trial.weights is None,
        "vectors": trial.vectors is None,
    }
    return tuple(name for name, does_nothing in conditions.items() if does_nothing)


def _typed_fields(typed: Sequence[str], config: Mapping[str, Any]) -> dict[str, object]:
    """Return the fields of groups that were typed, with their composed values."""
    names = (text.partition("=")[0] for text in typed)
    parts = [name.partition(".") for name in names]
    return {
        f"{group}.{field}": config[group].get(field)
        for group, _, field in parts
        if field and group in _GROUPS and group != "suite"
    }


_GROUPS = ("suite", "chunker", "embedder", "retriever", "reranker", "vectors")


def _axes(
    trial: TrialSettings, config: Mapping[str, Any], choices: Mapping[str, str]
) -> dict[str, object]:
    """Return every axis by the name and value that the user would type."""
    named: dict[str, object] = {name: choices.get(name, "") for name in _GROUPS}
    named["chunk"] = config["chunk"]
    if trial.weights:
        named["weight"] = round(trial.weights[1], 4)
    named["limit"] = trial.limit
    named["seed"] = config["seed"]
    return named
