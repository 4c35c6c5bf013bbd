"""The examples of docs/fixtures.md are what it says they are."""

import re
from pathlib import Path

import pytest

from bench.queries import Query, Target, corpus_format, read_corpus, read_entries, read_queries
from bench.queries.verification import verify

GUIDE = Path(__file__).parents[3] / "docs" / "fixtures.md"
_BLOCK = re.compile(r"^```\w+ file=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RULE = re.compile(r"^\| `([a-z-]+)` \|", re.MULTILINE)


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("guide")
    for name, text in _BLOCK.findall(GUIDE.read_text("utf-8")):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


EXAMPLES = {
    "set.yaml": ("queries", 2),
    "either.yaml": ("queries", 2),
    "tasks": ("tasks", 1),
    "golden.jsonl": ("golden", 4),
    "spans.jsonl": ("spans", 1),
    "beir": ("beir", 1),
    "trec": ("trec", 1),
    "characters": ("characters", 1),
    "issues.jsonl": ("issues", 1),
}


@pytest.mark.parametrize(("name", "what"), EXAMPLES.items(), ids=EXAMPLES.keys())
def test_an_example_is_read_as_its_format(
    name: str, what: tuple[str, int], examples: Path
) -> None:
    found = read_entries(examples / name)

    assert ({one.form for one in found}, len(found)) == ({what[0]}, what[1])
    assert len(read_queries(examples / name)) == what[1]


def test_there_is_an_example_of_each_format(examples: Path) -> None:
    shown = {path.name for path in examples.iterdir()} - {"golden.chunks.json"}

    assert shown == set(EXAMPLES)


def test_corpora_bring_the_documents_that_their_queries_expect(examples: Path) -> None:
    for name in ("beir", "trec", "characters"):
        assert corpus_format(examples / name) == name
        places = read_corpus(examples / name).places
        (query,) = read_queries(examples / name)
        assert all(target.path in places for target in query.targets)


def test_the_chunk_map_and_the_patch_say_what_the_guide_says(examples: Path) -> None:
    by_number = read_queries(examples / "golden.jsonl")[3]
    (issue,) = read_queries(examples / "issues.jsonl")

    assert by_number.targets == (Target("span", path="src/shop/cart.py", start=9, end=25),)
    assert issue.targets[1:] == (Target("span", path="src/shop/cart.py", start=44, end=44),)
    assert isinstance(issue, Query)


def test_every_rule_that_is_applied_is_in_the_table() -> None:
    sources = Path(verify.__code__.co_filename).parent.glob("*.py")
    text = "".join(path.read_text("utf-8") for path in sources)
    listed = set(RULE.findall(GUIDE.read_text("utf-8")))
    applied = set(re.findall(r'"([a-z]+-[a-z]+|malformed|leak|tier)"', text))

    assert applied <= listed
    assert listed - applied <= {"missing", "ambiguous", "outside-file"}
