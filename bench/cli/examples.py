"""Examples of command lines for --help, complete enough to run with few changes."""

from collections.abc import Mapping
from types import MappingProxyType

EXAMPLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "rankgrid": (
            "rankgrid try .                       # advice without a label",
            "rankgrid init .                      # a suite of your own code",
            "rankgrid bench -m chunk=256,512 retriever=bm25,hybrid",
            "rankgrid run retriever=bm25          # one configuration, query by query",
            "rankgrid compare main latest         # what changed since a baseline",
        ),
        "run": (
            "rankgrid run suite=own repository=handbook queries=golden.jsonl retriever=bm25",
            "rankgrid run retriever=bm25 answerer=extractive --at 10 --baseline main",
        ),
        "advise": (
            "rankgrid advise latest --budget-tokens 2000",
            "rankgrid advise latest --max-latency 50 --json",
            "rankgrid advise latest --prior off",
        ),
        "compare": (
            "rankgrid compare main latest",
            "rankgrid compare main latest --trial-a retriever=bm25 --trial-b retriever=hybrid",
            "rankgrid compare HEAD~1:baselines/main.json latest --markdown --to change.md",
        ),
        "gate": (
            "rankgrid gate latest --min mrr=0.4 --max latency_p95_ms=200",
            "rankgrid gate --baseline main --max-drop groundedness=0.05 --junit gate.xml",
        ),
        "baseline": ("rankgrid baseline save", "rankgrid baseline show main"),
        "baseline save": ("rankgrid baseline save outputs/latest --name main",),
        "baseline show": ("rankgrid baseline show main",),
        "prior": ("rankgrid prior show --kind error_search", "rankgrid prior list"),
        "prior show": ("rankgrid prior show --measure ndcg_at_10 --kind api_search",),
        "prior add": ("rankgrid prior add outputs/latest --name billing",),
        "prior remove": ("rankgrid prior remove billing",),
        "rescore": ("rankgrid rescore latest --measure ndcg_at_5 --to rescored",),
        "judge": (
            "rankgrid judge",
            "rankgrid judge latest --to judged.yaml --by ada",
            "rankgrid judge --web",
            "rankgrid judge --second --by bob",
        ),
        "report": ("rankgrid report latest --to site --target easy=0.5",),
        "track": ("rankgrid track outputs/latest --uri http://127.0.0.1:5000",),
        "ui": ("rankgrid ui --port 5001",),
        "list": ("rankgrid list", "rankgrid list --json"),
        "clean": (
            "rankgrid clean --older-than 30d --keep 10",
            "rankgrid clean 20260102-030405-0a1b2c --yes",
        ),
        "cache": ("rankgrid cache", "rankgrid cache --store s3://bucket/store"),
        "init": ("rankgrid init . --output rankgrid",),
        "try": ("rankgrid try .", "rankgrid try https://HOST/REPOSITORY.git --minutes 10"),
        "doctor": (
            "rankgrid doctor",
            "rankgrid doctor latest",
            "rankgrid doctor vectors=server answerer=openai",
        ),
        "fixtures": (
            "rankgrid fixtures new --repository src --output queries.yaml",
            "rankgrid fixtures verify queries.yaml --repository src",
        ),
        "show": (
            "rankgrid show chunks src --chunker syntax --chunk 256",
            "rankgrid show symbols src",
        ),
        "context": (
            'rankgrid context --task "fix the total price of a cart"',
            "git diff main | rankgrid context --diff - --budget 8000 --format json",
        ),
        "explain": (
            'rankgrid explain --query "fix the total price of a cart" --symbol Cart.total_price',
        ),
        "experiment": (
            'rankgrid experiment start Smaller --hypothesis "less noise" --baseline main',
            "rankgrid experiment conclude Smaller --results latest --conclusion fell --revert",
        ),
    }
)
