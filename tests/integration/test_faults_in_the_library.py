"""Faults planted in a copy of shipped queries are found: each with its place and remedy."""

import json
import shutil
from pathlib import Path

import pytest
import yaml

from bench.cli import main

PROJECT = Path(__file__).parents[2]
SETS = {
    # What is copied of the library: the suite that has its source, and where its queries are.
    "jinja2": ("quick", "fixtures/quick/jinja2.yaml"),
    "copier": ("docs", "fixtures/docs/copier.jsonl"),
    "rich": ("tiered", "fixtures/tiered/rich"),
}
J, C = "jinja2.yaml", "copier.jsonl"
HARD = '    difficulty: hard\n    expected_files: ["src/jinja2/debug.py"'
NEGATIVE = "    difficulty: medium\n    negative: true\n"
ASKED = "find out which variables a template expects from its caller, without rendering it"
PARSER = 'expected_files: ["src/jinja2/parser.py"]'
CODE = '"meta.TrackingCodeGenerator"'
SPONTANEOUS = '["environment.get_spontaneous'
WRAPPING = '["loaders.PrefixLoader", "loaders.ChoiceLoader"]'
SENT = ', "notes": "nothing is sent, and nothing is said of it"}'
NOTHING = '"expected_chunks": [], '
TASK = "  - progress.Task.time_remaining\n  - progress.Task.get_time\n"
LOGGING = "".join(
    f"  - logging.RichHandler.{name}\n"
    for name in ("__init__", "emit", "render_message", "render")
)
ONE, TWO, THREE, FOUR, FIVE = (
    f"rich/{name}.yaml"
    for name in (
        "01-clock-time-of-completion",
        "02-cells-across-columns",
        "03-numbered-menu",
        "04-remove-style-from-range",
        "05-log-extra-fields",
    )
)
PLANTED = {
    # The file, what stands there, what is put in its place; the query, the rule, words of what
    # is said.
    "a file that is not there": (
        *(J, '["src/jinja2/lexer.py"]', '["src/jinja2/lexar.py"]'),
        *("jinja2-function-01", "missing", "src/jinja2/lexer.py"),
    ),
    "a symbol that is not there": (
        *(J, "filters.do_filesizeformat", "filters.do_filesizeformatt"),
        *("jinja2-function-02", "missing", "do_filesizeformat"),
    ),
    "a name of many meanings": (
        *(J, '["utils.LRUCache.__setitem__"]', "[get_source]"),
        *("jinja2-function-04", "ambiguous", "loaders"),
    ),
    "lines after the end": (
        *(J, "start: 279, end: 315", "start: 9279, end: 9315"),
        *("jinja2-pattern-01", "outside-file", "look them up"),
    ),
    "lines of another file": (
        *(J, "runtime.py, start: 762", "parser.py, start: 762"),
        *("jinja2-error-01", "span-elsewhere", "add the file"),
    ),
    "blank lines": (
        *(J, "meta.py, start: 34, end: 55", "meta.py, start: 32, end: 33"),
        *("jinja2-api-01", "blank-span", "look them up"),
    ),
    "a negative with targets": (
        *(J, NEGATIVE, f"{NEGATIVE}    expected_files: [a]\n"),
        *("jinja2-negative-01", "malformed", "one or the other"),
    ),
    "a question twice": (
        *(J, "render several templates in parallel with a pool of worker threads", ASKED),
        *("jinja2-negative-02", "duplicate-query", "reword"),
    ),
    "an id twice": (
        *(J, "id: jinja2-api-04", "id: jinja2-api-03"),
        *("jinja2-api-03", "duplicate-id", "an id of its own"),
    ),
    "a question that gives its answer away": (
        *(J, "one filter name has a plain and a coroutine", "async_variant of a"),
        *("jinja2-concept-04", "leak", "other words"),
    ),
    "a category that nobody knows": (
        *(J, f"concept_search\n{HARD}", f"concepts\n{HARD}"),
        *("jinja2-concept-01", "unknown-category", "concept_search"),
    ),
    "a target twice": (
        *(J, CODE, f"{CODE}, TrackingCodeGenerator"),
        *("jinja2-pattern-02", "duplicate-target", "one of the two"),
    ),
    "an unknown field": (
        *(J, f"expected_symbols: {SPONTANEOUS}", f"expected_symbol: {SPONTANEOUS}"),
        *("jinja2-pattern-03", "malformed", "'expected_symbols'"),
    ),
    "a wrong type": (
        *(J, WRAPPING, "loaders.PrefixLoader"),
        *("jinja2-pattern-04", "malformed", "must be a list"),
    ),
    "a draft": (
        *(J, PARSER, f"draft: true\n    {PARSER}"),
        *("jinja2-error-03", "unreviewed-draft", "review"),
    ),
    "a path upwards": (
        *(J, "sandbox.py, start: 334", "../sandbox.py, start: 334"),
        *("jinja2-error-04", "malformed", "relative to the repository"),
    ),
    "a grade of nothing": (
        *(J, "sandbox.py, start: 344, end: 386", "sandbox.py, start: 344, end: 386, grade: 0"),
        *("jinja2-concept-03", "malformed", "not right"),
    ),
    "lines backwards": (
        *(J, "start: 818, end: 897", "start: 897, end: 818"),
        *("jinja2-api-02", "malformed", "start is not above end"),
    ),
    "a number of a chunk without a map": (
        *(C, '[{"path": "docs/updating.md", "start": 236, "end": 256}]', "[12]"),
        *("copier-usage-01", "malformed", "a chunk map"),
    ),
    "half a line": (
        *(C, SENT, ""),
        *("", "malformed", "correct this line"),
    ),
    "a negative that says it is none": (
        *(C, NOTHING, f'{NOTHING}"negative": false, '),
        *("copier-negative-01", "malformed", "remove one"),
    ),
    "too few symbols": (
        *(ONE, TASK, ""),
        *("01-clock-time-of-completion", "symbol-count", "an expert"),
    ),
    "a tier that is not so": (
        *(TWO, "difficulty: easy", "difficulty: hard"),
        *("02-cells-across-columns", "tier", "call it easy"),
    ),
    "YAML that is not closed": (
        *(THREE, "tags: [single-package, input, new-feature]", "tags: [single-package"),
        *("", "malformed", "correct this line"),
    ),
    "bytes that are not UTF-8": (
        *(FOUR, "Add a way", "Caf\xe9: add a way"),
        *("", "malformed", "save the file as UTF-8"),
    ),
    "no answer": (
        *(FIVE, f"ground_truth:\n{LOGGING}", ""),
        *("", "malformed", "give some"),
    ),
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy some of the library, with a suite of it."""
    repositories = []
    for name, (suite, queries) in SETS.items():
        shipped = yaml.safe_load((PROJECT / "conf" / "suite" / f"{suite}.yaml").read_text("utf-8"))
        (source,) = (one["source"] for one in shipped["repositories"] if one["name"] == name)
        place = tmp_path / Path(queries).name
        origin = PROJECT / queries
        shutil.copytree(origin, place) if origin.is_dir() else shutil.copy(origin, place)
        repositories.append({"name": name, "source": source, "queries": place.name})
    suite_file = tmp_path / "suite.yaml"
    suite_file.write_text(yaml.safe_dump({"name": "copy", "repositories": repositories}), "utf-8")
    return suite_file


def verified(suite: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, str]]]:
    with pytest.raises(SystemExit) as caught:
        main(["fixtures", "verify", str(suite), "--json"])
    sets = json.loads(capsys.readouterr().out)["sets"]
    return int(caught.value.code or 0), [one for each in sets for one in each["findings"]]


def plant(folder: Path) -> None:
    for name, (file, old, new, *_) in PLANTED.items():
        place = folder / file
        text = place.read_text("latin-1")
        assert text.count(old) >= 1, name
        place.write_text(text.replace(old, new, 1), encoding="latin-1")


def test_the_copy_is_without_errors(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = verified(copy, capsys)

    assert code == 0
    assert [one for one in found if one["severity"] == "error"] == []


def test_every_fault_is_found_with_file_query_and_remedy(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(copy.parent)

    code, found = verified(copy, capsys)

    missed = {
        name: [one for one in found if query and query in one["query"]]
        for name, (file, _, _, query, rule, words) in PLANTED.items()
        if not any(
            (one["file"], one["query"], one["rule"]) == (str(copy.parent / file), query, rule)
            and words in f"{one['what']}; {one['remedy']}"
            and one["remedy"]
            for one in found
        )
    }
    assert code == 1
    assert missed == {}
    assert len(PLANTED) >= 20
