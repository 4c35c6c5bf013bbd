"""Every preset of a model is complete, and says how its model wants to be asked."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.settings.fields import build
from retrievers.dense import EmbeddingModel

FOLDER = Path(__file__).parents[3] / "conf" / "embedder"
PRESETS = sorted(path.stem for path in FOLDER.glob("*.yaml") if path.stem != "server")


def preset(name: str) -> dict[str, Any]:
    """Return what stands in a preset."""
    found: dict[str, Any] = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_every_setting_so_that_each_can_be_overridden(name: str) -> None:
    content = preset(name) | ({"model": "some/model"} if name == "local" else {})

    model = build(EmbeddingModel, content, where="embedder")

    assert set(content) == set(EmbeddingModel.__dataclass_fields__)
    assert not model.trust_remote_code
    assert model.dimensions == 0
    assert model.window in (0, 256, 512), "a window far longer than a chunk tells chunks not apart"


@pytest.mark.parametrize(
    ("name", "query", "passage"),
    [
        ("minilm", "", ""),
        ("bge_small", "Represent this sentence for searching relevant passages: ", ""),
        ("e5", "query: ", "passage: "),
        ("coderank", "Represent this query for searching relevant code: ", ""),
    ],
)
def test_queries_and_passages_begin_as_the_model_was_trained(
    name: str, query: str, passage: str
) -> None:
    content = preset(name)

    assert (content["query_prompt"], content["passage_prompt"]) == (query, passage)
