"""Recognition of query files and of files that rankgrid writes, by their content.

These files contain the questions word for word. Among the searched documents they would outrank
the answers, and more after every run. Folder names do not matter, because an output may have any
path. The checks look at the start of a file, its top-level keys or one record. Only JSON is
parsed, and large JSON is already excluded as data.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

WRITTEN_BY = "Written by rankgrid."
"""Marker in the files that rankgrid writes for people, as a comment of their format."""
MARKDOWN_SIGN = f"<!-- {WRITTEN_BY} -->\n"
YAML_SIGN = f"# {WRITTEN_BY}\n"
HTML_GENERATOR = "rankgrid"

_START = 4000
"""Characters at the start of a file that are searched for markers."""
_LONGEST_RECORD = 1_000_000


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def is_own_file(path: str, text: str) -> bool:
    """Return True for a file that rankgrid wrote, a suite or a query file."""
    name = PurePosixPath(path).name.lower()
    text = text.removeprefix("\ufeff")
    check = _BY_EXTENSION.get(PurePosixPath(name).suffix, _is_page)
    return _is_stored(path, text) or check(name, text)


# -- The store --------------------------------------------------------------------------------

_CONTENTS = "contents/"
_DIGEST = re.compile(r"[0-9a-f]{64}\n")
_ARTIFACT = re.compile(r'[0-9a-f]{64}\n[0-9a-f]{64} \{"seconds": ')
"""An artifact begins with its digest and its cost, which has its own digest. Decoding may have
changed the binary payload."""


def _is_stored(path: str, text: str) -> bool:
    """Return True for an artifact, or a file that begins with the digest of its name and
    content."""
    if not _DIGEST.match(text):
        return False
    digest, _, content = text.partition("\n")
    start = path.rfind(_CONTENTS)
    named = f"{path[start:]}\n{content}".encode("utf-8", "surrogatepass")
    is_content = start >= 0 and digest == hashlib.sha256(named).hexdigest()
    return is_content or bool(_ARTIFACT.match(text))


# -- Pages for people -------------------------------------------------------------------------

_EXPERIMENT = re.compile(r"^## Experiment \d+(?: concluded)?: .+\n\n\*\*Date:\*\* ", re.MULTILINE)
_COMPARISON = re.compile(r"(?:## .+\n\n- )?a +.+\n(?:- )?b +.+\n(?:- )?paired by: ")
_GATE = "## rankgrid gate: "
_RUN = re.compile(r"\S+ Q0 \S+ \d+ \S+ rankgrid\n")
_GENERATOR = re.compile(rf'<meta name="generator" content="{HTML_GENERATOR}"')
_TREC_QRELS = re.compile(r"\S+ \S+ \S+ -?\d+\n")
_TREC_TOPICS = re.compile(r"\s*<top>\s*<num>")
_JUNIT = '<testsuite name="rankgrid gate of '


def _is_page(name: str, text: str) -> bool:
    """Return True for a report, comparison, verdict, experiment log or TREC file."""
    start = text[:_START]
    if start.startswith((MARKDOWN_SIGN, _GATE)):
        return True
    if any(form.match(start) for form in (_COMPARISON, _RUN, _TREC_TOPICS)):
        return True
    if name.startswith("qrels") and _TREC_QRELS.match(start):
        return True
    return name.endswith(".md") and bool(_EXPERIMENT.search(text))


def _is_html(name: str, text: str) -> bool:
    del name
    return bool(_GENERATOR.search(text[:_START]))


def _is_xml(name: str, text: str) -> bool:
    del name
    return _JUNIT in text[:_START]


# -- JSON -------------------------------------------------------------------------------------

_RESULTS = frozenset({"schema", "study", "num_configs", "reports"})
_SHAPES = (
    _RESULTS,
    frozenset({"wall_seconds", "stages"}),
    frozenset({"study", "state", "exit_code", "checks"}),
    frozenset({"run_a", "run_b", "trial_a", "trial_b", "deltas"}),
    frozenset({"shown", "judged", "learned", "last"}),
)
"""Top-level keys of results, stages, verdicts, comparisons and sessions."""
_OPENING = frozenset({"opened", "suite", "study", "trials", "objective", "limits", "command"})
_ISSUE = frozenset({"instance_id", "base_commit", "problem_statement", "patch"})
_EXPECTED = frozenset({"expected_chunks", "expected_doc_ids", "expected_spans", "negative"})
_RECORD = _EXPECTED | _words(
    """
    id question query expected_answer must_contain forbidden difficulty category tags notes draft
    repo
    """
)
_COLLECTIONS: Mapping[str, tuple[frozenset[str], ...]] = {
    "queries.jsonl": (frozenset({"_id", "text"}),),
    "corpus.jsonl": (frozenset({"_id", "text"}),),
    "docs.jsonl": (frozenset({"docno", "text"}),),
}
"""Files of retrieval collections. Their records have common keys, so their names must match."""


def _is_json(name: str, text: str) -> bool:
    """Return True if JSON is a result, a comparison or a query file."""
    value = _loaded(text)
    if value is None:
        return _is_json_lines(name, text)
    return isinstance(value, dict) and (_is_output(value) or _is_query_set(value))


def _is_output(value: Mapping[str, object]) -> bool:
    kept = value.get("results")
    if value.keys() == {"trial", "results"} and isinstance(kept, dict):  # from an experiment
        return kept.keys() >= _RESULTS
    return any(value.keys() >= shape for shape in _SHAPES)


def _is_query_set(value: Mapping[str, object]) -> bool:
    """Return True if JSON is a query set, a task, a suite or a single query record."""
    lists = (value.get("queries"), value.get("repositories"))
    items = next((one for one in lists if isinstance(one, list)), [])
    inner = {key for item in items if isinstance(item, dict) for key in item}
    return _is_question(value) or _is_fixture(set(value), inner)


def _is_json_lines(name: str, text: str) -> bool:
    first = next((line for line in text.splitlines() if line.strip()), "")
    record = _loaded(first)
    if not isinstance(record, dict):
        return False
    shapes = _COLLECTIONS.get(name, ())
    return _is_question(record) or any(record.keys() >= shape for shape in shapes)


def _is_question(record: Mapping[str, object]) -> bool:
    names = record.keys()
    if names >= _ISSUE or names >= _OPENING:
        return True
    is_asked = len({"question", "query"} & names) == 1 and "id" in names
    return is_asked and names <= _RECORD and not _EXPECTED.isdisjoint(names)


def _loaded(text: str) -> object:
    """Return the value of a JSON object, or None if the text is not JSON or too long."""
    if len(text) > _LONGEST_RECORD or not text.lstrip().startswith("{"):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


# -- YAML and tables --------------------------------------------------------------------------

_TOP_KEY = re.compile(r"^([^\s#{}\[\]\-:][^\n:]*):(?:\s|$)", re.MULTILINE)
_INNER_KEY = re.compile(r"""[\s{,]["']?([a-z]\w*)["']?[ \t]*:(?:\s|$)""", re.MULTILINE)
_SET = frozenset({"queries", "repo", "commit", "description"})
_TASK = _words(
    "task description difficulty tier tags category notes negative draft repo ground_truth"
)
_SUITE = frozenset({"name", "kind", "repositories", "include", "include_drafts"})
_ANSWERS = frozenset({"expected_files", "expected_symbols", "expected_spans", "negative"})
_LISTED = frozenset({"name", "source", "queries"})
_CSV = ("question", "references", "corpus_id")
_QRELS = "query-id\tcorpus-id\t"
_TOPIC = re.compile(r"\S+\t[^\t]+$")
_TOPICS = 10


def _is_yaml(name: str, text: str) -> bool:
    """Return True if YAML is a suite, a query file or a chosen configuration."""
    if text.lstrip().startswith("{"):
        return _is_json(name, text)
    if text.startswith(YAML_SIGN):
        return True
    top = {key.strip(" \t\"'") for key in _TOP_KEY.findall(text)}
    # Most files end here, because they have a key that no query file has.
    if not top or not any(top <= known for known in (_SET, _TASK, _SUITE)):
        return False
    return _is_fixture(top, set(_INNER_KEY.findall(text)))


def _is_fixture(top: set[str], inner: set[str]) -> bool:
    """Return True if the keys belong to a query set, a task or a suite."""
    if top <= _SET and "queries" in top:
        return {"id", "query"} <= inner and not _ANSWERS.isdisjoint(inner)
    if top <= _SUITE and "repositories" in top:
        return inner >= _LISTED
    return (
        top <= _TASK
        and len({"task", "description"} & top) == 1
        and not top.isdisjoint({"ground_truth", "negative"})
    )


def _is_csv(name: str, text: str) -> bool:
    del name
    heading = text[:_START].partition("\n")[0].replace('"', "").strip().split(",")
    return set(_CSV) <= set(heading)


def _is_tsv(name: str, text: str) -> bool:
    if text.startswith(_QRELS):
        return True
    lines = text[:_START].splitlines()[:_TOPICS]
    return name.startswith("topics") and bool(lines) and all(map(_TOPIC.match, lines))


_BY_EXTENSION: Mapping[str, Callable[[str, str], bool]] = {
    ".json": _is_json,
    ".jsonl": _is_json_lines,
    ".ndjson": _is_json_lines,
    ".yaml": _is_yaml,
    ".yml": _is_yaml,
    ".csv": _is_csv,
    ".tsv": _is_tsv,
    ".html": _is_html,
    ".htm": _is_html,
    ".xml": _is_xml,
}
