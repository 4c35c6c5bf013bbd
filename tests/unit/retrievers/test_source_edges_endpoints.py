"""Addresses that functions handle and ask, and who wrote what."""

import pytest

from retrievers.interface import Documents
from retrievers.source import EDGE_KINDS, find_edges, find_symbols

SERVER = """from flask import Flask
app = Flask(__name__)
@app.get("/carts")
def carts(): ...
@app.post("/orders")
def order(): ...
@app.route("/health")
def health(): ...
"""


def shown(files: dict[str, str], kind: str) -> set[tuple[str, str]]:
    documents = Documents.of(list(files.items()))
    symbols = find_symbols(documents)
    edges = find_edges(documents, symbols)
    names = [*symbols.names, *documents.paths, *edges.external]
    return {
        (names[edges.source[one]], names[edges.target[one]])
        for one in range(len(edges))
        if EDGE_KINDS[edges.kind[one]] == kind
    }


@pytest.mark.parametrize(
    ("path", "source", "target"),
    [
        ("a.py", "import requests\ndef f(): requests.get('/carts')\n", "route:GET /carts"),
        (
            "a.py",
            "import httpx\ndef f():\n    c = httpx.Client()\n    c.post('http://x.org/orders?a=1')\n",
            "route:POST /orders",
        ),
        (
            "a.py",
            "from urllib.request import urlopen\ndef f(): urlopen('http://x.org')\n",
            "route:/",
        ),
        ("a.ts", "function f() { fetch('/health'); }\n", "route:/health"),
        ("a.ts", "function f() { fetch('/carts'); }\n", "route:GET /carts"),
        (
            "a.js",
            "import axios from 'axios';\nfunction f() { axios.delete('/carts'); }\n",
            "route:DELETE /carts",
        ),
        (
            "a.go",
            'package a\nimport "net/http"\nfunc f() { http.Get("/carts") }\n',
            "route:GET /carts",
        ),
        ("a.rs", 'fn f() { reqwest::get("https://x.org/carts"); }\n', "route:GET /carts"),
    ],
)
def test_an_address_that_is_asked_is_the_one_that_is_handled(
    path: str, source: str, target: str
) -> None:
    files = {path: source, "server.py": SERVER}

    assert shown(files, "consumes_endpoint") == {("a.f", target)}


@pytest.mark.parametrize(
    "source",
    [
        "import requests\ndef f(x): requests.get(f'/carts/{x}')\n",
        "import requests\ndef f(x): requests.get('carts')\n",
        "def f(client): client.get('/carts')\n",
        "def get(address): ...\ndef f(): get('/carts')\n",
    ],
    ids=["part of an address", "no address", "unknown client", "own function"],
)
def test_what_may_be_no_address_is_not_asked(source: str) -> None:
    assert shown({"a.py": source, "server.py": SERVER}, "consumes_endpoint") == set()


def test_handled_addresses_are_named_with_their_verbs() -> None:
    assert shown({"server.py": SERVER}, "handles_route") == {
        ("server.carts", "route:GET /carts"),
        ("server.order", "route:POST /orders"),
        ("server.health", "route:/health"),
    }


def test_authors_are_named_without_their_addresses() -> None:
    files = {
        "pyproject.toml": '[project]\nauthors = [{name = "Ada L", email = "a@x"}]\n',
        "package.json": '{"author": "Bo <b@x> (https://x.org)", "contributors": [{"name": "Cy"}]}',
        "Cargo.toml": '[package]\nauthors = ["Di <di@x.org>"]\n',
        "Cart.java": "/**\n * @author Eve\n * @author <a href='x'>Fay</a>\n */\nclass Cart {}\n",
    }

    assert shown(files, "authored_by") == {
        ("pyproject.toml", "author:Ada L"),
        ("package.json", "author:Bo"),
        ("package.json", "author:Cy"),
        ("Cargo.toml", "author:Di"),
        ("Cart.Cart", "author:Eve"),
        ("Cart.Cart", "author:Fay"),
    }
