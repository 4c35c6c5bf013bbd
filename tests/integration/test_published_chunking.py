"""One command runs a published kind of study, and its numbers are those of plain Python."""

import csv
import json
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bench.files import data_folder
from bench.launcher.door import run_bench
from bench.launcher.grid import read_grid
from bench.launcher.planning import planned
from bench.launcher.points import read_points
from bench.measures import Scores
from bench.results.packed import unpacked
from bench.study import Study
from tests.published_chunking import Range, cut, measures

BEES = """\
Bees keep a diary in wax. The outer cells of a comb are the newest, and a keeper who reads them
from the edge to the middle can tell which weeks were wet: in rain the foragers stay in, and the
walls are built thicker than they need to be. In a dry June they are so thin that light falls
through them.

A scout that has found flowers does not carry a map. She runs a short line on the comb, turns,
and runs it again; the angle to the vertical is the angle to the sun, and the waggle of her tail
says how far it is. Others touch her while she runs. After three or four turns they have heard
enough and leave. When the sun is behind clouds the dance goes on, because the sky's polarised
light tells a bee where the sun must be.

The queen decides very little. She lays, and what she lays is decided by the width of the cell
that the workers have built. If she dies, a handful of ordinary larvae are fed on jelly alone,
and one of them is queen sixteen days later. The others do not live to see it.

In winter no one sleeps. The cluster hums at twenty degrees while snow lies on the roof, and
each bee moves slowly from the cold rim to the warm middle and back again. Honey is burned for
this: a colony needs fifteen kilograms from November to March. A café in the valley sells what
is left over.
"""
CLOCKS = """\
The tower clock loses four seconds a day in summer. Its pendulum is a rod of steel, and steel
grows when it is warm; a longer pendulum swings more slowly. The clockmaker's remedy is a coin.
Laid on the bob it raises the centre of the weight, and one penny is worth two fifths of a
second a day.

Striking is a clock of its own. It has a second weight, a second train of wheels, and a count
wheel with notches that grow further apart: one stroke, then two, up to twelve. A lever falls
into the notch and stops the hammer. If the lever is lifted by hand at noon, the clock strikes
one, and it will be an hour wrong until somebody lets it strike all the way round again.

Oil is what stops most clocks. It creeps from the pivot to the plate, collects dust, and turns
to something like amber. A clock that is oiled every year and never cleaned wears out in twenty;
one that is cleaned every ten years runs for two centuries. Nobody believes this until they have
seen the holes of a worn plate.
"""
QUESTIONS = {
    "how does a bee tell others where flowers are": (
        "bees",
        ["She runs a short line on the comb", "the waggle of her tail\nsays how far it is"],
    ),
    "what do bees do when it is cloudy": ("bees", ["the dance goes on, because the sky's polar"]),
    "who chooses the next queen": (
        "bees",
        ["a handful of ordinary larvae are fed on jelly alone"],
    ),
    "how much honey for a winter": ("bees", ["fifteen kilograms from November to March. A café"]),
    "why is the clock slow in summer": (
        "clocks",
        ["steel\ngrows when it is warm", "one penny is"],
    ),
    "how does the clock know how often to strike": ("clocks", ["a count\nwheel with notches"]),
    "what does oil do to a clock": (
        "clocks",
        ["Oil is what stops most clocks. It creeps", "amber"],
    ),
}
TEXTS = {"bees": BEES, "clocks": CLOCKS}
SIZES, SHARES, HITS = (16, 24, 32, 48, 64, 96), (0, 25, 50), (1, 2, 3, 5, 10)
AT_HITS = (
    *("published_precision", "published_recall", "published_iou"),
    *("coverage", "character_precision", "character_iou"),
)
OMEGA = "published_precision_omega"


def references(of: str, passages: list[str]) -> list[Range]:
    """Return the places of passages in a text."""
    starts = [TEXTS[of].index(passage) for passage in passages]
    return [(start, start + len(one)) for start, one in zip(starts, passages, strict=True)]


def write_collection(folder: Path) -> None:
    """Write the texts and the questions as such studies have them."""
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    with (folder / "questions.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["question", "references", "corpus_id"])
        for question, (of, passages) in QUESTIONS.items():
            places = references(of, passages)
            rows.writerow(
                [question, json.dumps([{"start_index": a, "end_index": b} for a, b in places]), of]
            )


@pytest.fixture(scope="module")
def overrides(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """One command line: 18 trials, and 90 cells for each measure."""
    work = tmp_path_factory.mktemp("study")
    write_collection(work / "texts")
    columns = [OMEGA, *(f"{name}_at_{hits}" for name, hits in product(AT_HITS, HITS))]
    return [
        f"chunk={','.join(map(str, SIZES))}",
        f"chunker.overlap={','.join(f'{share}%' for share in SHARES)}",
        *("chunker=tokens", "chunker.encoding=cl100k_base", "retriever=bm25"),
        *("suite=beir", f"suite.path={work / 'texts'}", "retriever.unit=chunk"),
        f"measures=[{','.join(columns)}]",
        *("latency=off", "tracking=none", "execution=local", "execution.workers=1"),
        *(f"store={work / 'store'}", f"output={work / 'out'}"),
    ]


@pytest.fixture(scope="module")
def study(overrides: list[str]) -> Study:
    """Run the command, and return its trials, whose unrounded scores are in the store."""
    assert run_bench(["-m", *overrides], "bench/run.py") == 0
    return planned(read_grid(read_points(overrides, data_folder("conf"), multirun=True)))


def reports(overrides: list[str]) -> dict[str, Any]:
    """Return what the results file says of each trial."""
    output = next(text.removeprefix("output=") for text in overrides if "output=" in text)
    found = unpacked(
        json.loads(Path(output, "latest", "results.json").read_text(encoding="utf-8"))
    )
    return {report["config"]["name"]: report for report in found["reports"]}


def scores_of(study: Study, name: str) -> Scores:
    """Return what a trial of the study scored."""
    (judged,) = next(trial for trial in study.trials if trial.name == name).judged
    artifact = study.store.load(judged.scores)
    assert artifact is not None
    return judged.scores.codec.decode(artifact.payload)


def together(of: str, places: Iterable[Range]) -> list[Range]:
    """Return places of a text as places of all texts, one after the other."""
    before = sum(len(TEXTS[name]) for name in list(TEXTS)[: list(TEXTS).index(of)])
    return [(start + before, end + before) for start, end in places]


def place_of(hit: dict[str, Any]) -> Range:
    """Return the characters of a hit among those of all texts, given its bytes."""
    of = hit["path"].removesuffix(".md")
    content = TEXTS[of].encode()
    start, end = (len(content[: hit[name]].decode()) for name in ("start_byte", "end_byte"))
    return together(of, [(start, end)])[0]


def test_ninety_cells_equal_plain_python(overrides: list[str], study: Study) -> None:
    """In both definitions, to 1e-9; the hits are those of the results, by their bytes."""
    found, whole = reports(overrides), "".join(TEXTS.values())
    for size, share in product(SIZES, SHARES):
        name = f"chunk={size} chunker.overlap={share}%"
        cuts = {of: cut(text, size, size * share // 100) for of, text in TEXTS.items()}
        chunks = [place for of in TEXTS for place in together(of, cuts[of])]
        scores = scores_of(study, name)
        rows = {row["query"]: row["retrieved"] for row in found[name]["query_results"]}
        for number, (question, (of, passages)) in enumerate(QUESTIONS.items()):
            hits = [place_of(hit) for hit in rows[question]]
            assert set(hits) <= set(chunks)
            right = together(of, references(of, passages))
            for depth in HITS:
                wanted = measures(hits[:depth], chunks, right, whole)
                columns = {one: one if one == OMEGA else f"{one}_at_{depth}" for one in wanted}
                ours = {one: scores.of("span", columns[one])[number] for one in wanted}
                assert ours == pytest.approx(wanted, abs=1e-9), (name, question, depth)


def test_the_ninety_cells_are_one_table(overrides: list[str], study: Study) -> None:
    """Every cell is a mean over the questions, and none is equal in all of them."""
    cells = {
        (name, hits): report["summary"][f"avg_published_precision_at_{hits}"]
        for name, report in reports(overrides).items()
        for hits in HITS
    }
    assert len(study.trials) == len(cells) / len(HITS) == len(SIZES) * len(SHARES)
    assert len(set(cells.values())) > len(cells) / 2
