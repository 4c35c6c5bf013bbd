"""A mistake on the command line: one clear line, exit 2, nothing started, nothing written."""

import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parents[2] / "bench" / "run.py"


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the documented command in a folder of its own."""
    command = [sys.executable, str(RUN), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["chunk=abc"], ("chunk=abc", "whole number from 16 to 8192")),
        (["chunk=7"], ("chunk=7", "16 to 8192")),
        (["-m", "chunk=512,9000"], ("chunk=9000", "16 to 8192")),
        (["retriver=bm25"], ("retriver=bm25", "did you mean retriever")),
        (["reranker=onn"], ("reranker=onn", "did you mean on")),
        (["retriever=bm26"], ("retriever=bm26", "did you mean bm25")),
        (["+nonsense=1"], ("nonsense", "no such setting")),
        (["~reranker"], ("~reranker", "neither added nor removed")),
        (["weight=-3"], ("weight=-3", "from 0 to 1")),
        (["weight=.5", "weights=[1,1]"], ("weight=0.5", "pass only one of them")),
        (["weights=[0,0]"], ("weights=[0, 0]", "[bm25, dense]")),
        (["retriever.channels=[bm25]"], ("retriever.channels=[bm25]", "two or more")),
        (["retriever.channels=[bm25,dence]"], ("retriever.channels=dence", "mean dense")),
        (["retriever.channels=[http,bm25]"], ("retriever.http.url", "must be given")),
        (["retriever=http", "retriever.url=ftp://x"], ("url=ftp://x", "must be http")),
        (
            ["retriever=http", "retriever.url=https://x", "retriever.key_variable=NO_KEY"],
            ("export",),
        ),
        (
            ["retriever=http", "retriever.url=http://x", "retriever.key_variable=NO_KEY"],
            ("url=http://x", "use https://"),
        ),
        (["retriever=mcp", "retriever.tool=t"], ("command=[]", "give one of them")),
        (["retriever=python", "retriever.target=x"], ("target=x", "package.module:Class")),
        (["reranker=[on,off]"], ("reranker=[on,off]", "write reranker=on,off with -m")),
        (["chunk=512,1024"], ("chunk=512,1024", "add -m")),
        (["-m", "seed=1,2"], ("seed=1,2", "takes one value")),
        (["retriever.k2=3"], ("retriever.k2", "retriever.k1")),
        (["retriever.k1=-1"], ("retriever", "k1=-1")),
        (["embedder.long_text=maximum"], ("embedder.long_text=maximum", "max")),
        (["vectors.m=1"], ("vectors", "m=1", "give m from 2 up")),
        (["retriever=late", "embedder.dimensions=8"], ("dimensions=8", "retriever=late")),
        (["retriever=late", "retriever.pooling=0"], ("pooling=0", "give 1")),
        (["chunker.overlap=600"], ("chunker", "overlap=600")),
        (["limit=0"], ("limit=0", "from 1 to 1000")),
        (["measure_level=line"], ("measure_level=line", "there are file, span, symbol")),
        (["symbol_credit=strickt"], ("symbol_credit=strickt", "did you mean strict")),
        (["-m", "symbol_credit=strict,lenient"], ("symbol_credit=strict,lenient", "one value")),
        (["repository=."], ("repository=.", "add suite=own")),
        (["suite=beir", "suite.path=.", "queries=q"], ("queries=q: suite=beir", "use suite=own")),
        (["suite.path=x"], ("suite.path=x: suite=quick", "use suite=file suite.path=x")),
        (["suite=own", "suite.path=x"], ("suite.path=x: suite=own", "suite=file suite.path=x")),
        (["-m", "suite.path=x", "chunk=64,128"], ("suite.path=x", "suite=file suite.path=x")),
        (["-m", "suite.path=x,y"], ("suite.path=x,y", "takes one value")),
        (["study=weights", "suite.path=x"], ("suite.path=x", "suite=file suite.path=x")),
        (["suite.path=x", "--cfg", "job"], ("suite.path=x", "suite=file suite.path=x")),
        (["suite.path=x", "--plan"], ("suite.path=x", "suite=file suite.path=x")),
        (["suite.include=[docs]"], ("suite=quick does not read it", "suite=file suite.path=FILE")),
        (["suite.kind=own"], ("suite=quick does not read it", "remove it")),
        (["suite=file", "suite.path=x", "suite.name=y"], ("suite.name=y", "write it in the file")),
        (["suite=own"], ("suite=own", "add repository=PATH")),
        (["suite=own", "repository=/nowhere", "queries=x"], ("/nowhere", "no such folder")),
        (["suite=own", "repository=.", "queries=none.yaml"], ("none.yaml", "no such file")),
        (["suite=file", "suite.path=none.yaml"], ("none.yaml", "no such file")),
        (["execution.workers=-1"], ("execution.workers=-1", "0 (one per core)")),
        (["tracking.uri=ftp://x"], ("tracking.uri=ftp://x", "sqlite")),
        (["tracking.uri=http://u:secret@h"], ("tracking.uri", "MLFLOW_TRACKING_USERNAME")),
        (["output=/dev/null/x"], ("output=/dev/null/x", "not a folder")),
        (["store=/dev/null"], ("store=/dev/null", "not a folder")),
        (["objective=ndgc_at_10"], ("ndgc_at_10", "ndcg_at_10")),
        (["objective=groundedness"], ("default answers nothing", "add answerer=extractive")),
        (
            ["-m", "answerer=extractive", "objective=groundedness", "strategy=halving"],
            ("strategy=halving stops trials by their rankings",),
        ),
        (
            ["answerer=extractive", "objective=groundedness", "weights={steps:4}"],
            ("objective=groundedness", "use ndcg_at_10"),
        ),
        (["margin=2"], ("margin=2", "below 1")),
        (["max_index_seconds=0"], ("max_index_seconds=0", "above 0")),
        (["--min", "nonsense=0.5"], ("nonsense", "measure")),
        (["--min", "mrr"], ("--min mrr", "NAME=NUMBER")),
        (["--min-mrr", "70"], ("mrr ≥ 70", "lies between 0 and 1")),
        (["--min-mrr", "-1"], ("mrr ≥ -1", "lies between 0 and 1")),
        (["--max", "latency_p95_ms=-1"], ("latency_p95_ms ≤ -1", "is never negative")),
        (["--min-mrr", "high"], ("--min-mrr", "high")),
        (["chunk"], ("chunk", "write chunk=VALUE")),
        (["chunk=512;rm"], ("chunk=512;rm", "NAME=VALUE")),
    ],
)
def test_a_mistake_is_named_with_its_remedy(
    tmp_path: Path, typed: list[str], said: tuple[str, ...]
) -> None:
    """The line has the setting, the value and what to do."""
    found = run(tmp_path, *typed)

    lines = found.stderr.strip().splitlines()
    assert (found.returncode, len(lines)) == (2, 1), found.stderr
    assert all(part in lines[0] for part in said), lines[0]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("flag", [["--help"], ["--cfg", "job"]])
def test_help_and_configuration_answer_without_work(tmp_path: Path, flag: list[str]) -> None:
    """They print, exit 0 and leave nothing behind."""
    found = run(tmp_path, *flag)

    assert found.returncode == 0
    assert "reranker" in found.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "typed",
    [
        ("embedder=bge_small", "retriever=dense"),
        ("embedder=bge_small", "retriever=late"),
        ("reranker=cross_encoder", "reranker.model=BAAI/bge-small-en-v1.5", "retriever=bm25"),
    ],
)
def test_a_model_that_cannot_be_had_is_named_before_anything_runs(
    typed: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hub name is looked for on this machine and on the hub, which is off here."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "no-models"))

    found = run(tmp_path, *typed)

    assert found.returncode == 2
    (line,) = found.stderr.strip().splitlines()
    assert "model=BAAI/bge-small-en-v1.5: it is not on this machine" in line
    assert "give a model's folder" in line
    assert not (tmp_path / "outputs").exists()
