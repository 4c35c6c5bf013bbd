"""`rankgrid context` and `rankgrid explain` on a folder, and the graph in a grid, as typed."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

RANKGRID = str(Path(sys.executable).parent / "rankgrid")
ROOT = Path(__file__).parents[2]
CART = '''"""What a customer buys."""

from shop.money import rounded


class Cart:
    """Things and their prices."""

    def total_price(self):
        """Add up the prices."""
        return rounded(sum(self.prices))

    def clear(self):
        self.prices = []
'''
MONEY = '''"""Sums of money."""


def rounded(amount):
    """Round to cents."""
    return round(amount, 2)
'''
TASK = "fix the total price of a cart"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with a small package."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "cart.py").write_text(CART, encoding="utf-8")
    (tmp_path / "shop" / "money.py").write_text(MONEY, encoding="utf-8")
    return tmp_path


def rankgrid(
    shop: Path, *arguments: str, code: int = 0, given: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder and expect an exit code."""
    found = subprocess.run(
        [RANKGRID, *arguments], cwd=shop, input=given, capture_output=True, text=True, check=False
    )
    assert found.returncode == code, found.stderr + found.stdout
    return found


def symbols(shop: Path, *arguments: str, given: str = "") -> list[str]:
    """Return the names in a pack."""
    found = rankgrid(shop, "context", *arguments, "--format", "json", given=given)
    return [entry["symbol"] for entry in json.loads(found.stdout)["symbols"]]


def test_a_task_is_answered_with_what_it_names_and_what_that_uses(shop: Path) -> None:
    found = symbols(shop, "--task", TASK)

    assert "shop.cart.Cart.total_price" in found
    assert "shop.money.rounded" in found


def test_files_are_answered_with_their_symbols_and_those_that_call_them(shop: Path) -> None:
    assert symbols(shop, "--files", "shop/money.py") == [
        "shop.money.rounded",
        "shop.cart.Cart.total_price",
    ]


def test_a_diff_is_answered_with_what_it_touches_in_8000_tokens(shop: Path) -> None:
    diff = (
        "--- a/shop/cart.py\n+++ b/shop/cart.py\n@@ -10,2 +10,2 @@\n"
        '         """Add up the prices."""\n-        return 0\n+        return rounded()\n'
    )

    found = rankgrid(shop, "context", "--diff", "-", "--format", "xml", given=diff)

    pack = ET.fromstring(found.stdout)  # noqa: S314 - written by the command
    assert pack.get("budget") == "8000"
    assert {node.get("name") for node in pack} >= {
        "shop.cart.Cart.total_price",
        "shop.money.rounded",
    }


def test_a_tree_is_indexed_once_and_again_when_it_changes(shop: Path) -> None:
    graphs = shop / ".rankgrid" / "store" / "artifacts" / "parse"

    first = rankgrid(shop, "context", "--task", TASK).stdout
    again = rankgrid(shop, "context", "--task", TASK).stdout
    kept = len(list(graphs.rglob("*/*")))
    (shop / "shop" / "money.py").write_text(MONEY.replace("rounded", "cut"), encoding="utf-8")
    changed = rankgrid(shop, "context", "--task", TASK).stdout

    assert first == again
    assert kept == 1
    assert len(list(graphs.rglob("*/*"))) == 2
    assert "shop.money.rounded" in first
    assert "shop.money.rounded" not in changed


def test_a_budget_holds_and_source_can_be_shown(shop: Path) -> None:
    (shop / "shop" / "big.py").write_text(
        "".join(f"def price_{n}(cart):\n    return {n}\n\n\n" for n in range(200)),
        encoding="utf-8",
    )

    found = rankgrid(
        shop, "context", "--task", "price of cart", "--budget", "500", "--detail", "source"
    )

    assert "return" in found.stdout
    shown = int(found.stderr.split(" symbols, ")[1].split(" tokens")[0])
    assert 100 < shown <= 500


def test_nearness_decides_what_a_small_budget_holds(shop: Path) -> None:
    """By score alone, the cheapest names come first; by nearness, the neighbours of the best."""
    (shop / "shop" / "big.py").write_text(
        "".join(f"def price_{n}(cart):\n    return {n}\n\n\n" for n in range(200)),
        encoding="utf-8",
    )
    asked = ("--task", "price of cart", "--budget", "500")

    packs = [symbols(shop, *asked, "--nearness", exponent) for exponent in ("0", "10")]
    refused = rankgrid(shop, "context", *asked, "--nearness", "11", code=2)

    assert set(packs[0]) != set(packs[1])
    assert "nearness=11.0 is out of range; choose 0 to 10" in refused.stderr


def test_an_explanation_shows_channels_and_components_that_add_up(shop: Path) -> None:
    found = rankgrid(shop, "explain", "--query", TASK, "--symbol", "Cart.total_price", "--json")

    why = json.loads(found.stdout)
    assert why["symbol"] == "shop.cart.Cart.total_price"
    assert why["channels"]
    assert sum(why["components"].values()) == pytest.approx(why["score"])
    text = rankgrid(shop, "explain", "--query", TASK, "--symbol", "total_price").stdout
    assert f"ranked {why['rank']} of {why['of']}" in text


def test_explain_says_how_a_query_was_read(shop: Path) -> None:
    issue = "Wrong total\n\n`Cart.clear` in shop/cart.py leaves prices."
    command = ("explain", "--query", issue, "--symbol", "Cart.clear")

    reading = json.loads(rankgrid(shop, *command, "--json").stdout)["reading"]
    text = rankgrid(shop, *command).stdout

    assert reading["kind"] == "issue"
    assert reading["identifiers"] == {"Cart.clear": 0.9}
    assert reading["paths"] == ["shop/cart.py"]
    assert "query read as: issue" in text
    assert "title              weight 2, 2 words" in text


def test_explain_names_the_keywords_the_tier_and_the_concept(shop: Path) -> None:
    classes = "classes: [{concept: TILL, phrases: [check out], targets: [total_price]}]"
    (shop / "ideas.yaml").write_text(classes, encoding="utf-8")
    command = ("explain", "--query", "`Cart.clear` and check out", "--set")
    ideas = "equivalences=ideas.yaml"

    named = json.loads(rankgrid(shop, *command, ideas, "--symbol", "clear", "--json").stdout)
    meant = rankgrid(shop, *command, ideas, "--symbol", "total_price").stdout

    assert named["keywords"]["exact"] == ["Cart.clear", "cart.clear"]
    assert named["tiers"] == {"tiered": "exact"}
    assert {"authority", "hub"} <= named.keys() & named["components"].keys()
    assert 'TILL (project): "check out" means total_price' in meant
    assert "  exact              Cart.clear cart.clear" in meant


def test_the_settings_of_a_retriever_or_of_a_file_are_asked(shop: Path) -> None:
    (shop / "own.yaml").write_text("kind: graph\nscoring: {seed: 0}\n", encoding="utf-8")
    chosen = "chunk: 512\nretriever: graph_described\nretriever.scoring.seed: 1\n"
    (shop / "chosen.yaml").write_text(chosen, encoding="utf-8")
    command = ("explain", "--query", TASK, "--symbol", "total_price", "--json", "--retriever")

    def seed_part(retriever: str) -> float | None:
        found = json.loads(rankgrid(shop, *command, retriever).stdout)
        part: float | None = found["components"].get("seed")
        return part

    assert seed_part("graph") == pytest.approx(2.0)
    assert seed_part("graph_described") is None
    assert seed_part("own.yaml") is None
    assert seed_part("chosen.yaml") == pytest.approx(1.0)
    assert symbols(shop, "--task", TASK, "--retriever", "graph_described")


VECTORS = ("--set", "reordering.weight=1")


def test_vectors_reorder_a_pack_and_say_so_and_are_made_once(shop: Path) -> None:
    """By the cosine alone, what means the same comes first, whatever it is called."""
    made = shop / ".rankgrid" / "store" / "contents"
    asked = ("context", "--task", "the sum of what is bought, total price", *VECTORS)

    plain = rankgrid(shop, "context", "--task", TASK)
    first = rankgrid(shop, *asked)
    kept = {place: place.stat().st_mtime_ns for place in made.glob("vectors-*/*")}
    again = rankgrid(shop, *asked)

    assert "vectors" not in plain.stderr
    assert "reordered by vectors of all-MiniLM-L6-v2, weight 1" in first.stderr
    assert first.stdout == again.stdout
    assert kept
    assert kept == {place: place.stat().st_mtime_ns for place in made.glob("vectors-*/*")}
    files = rankgrid(shop, "context", "--files", "shop/money.py", *VECTORS)
    assert "without vectors, as files and changes have no words" in files.stderr


def test_a_changed_symbol_has_another_vector(shop: Path) -> None:
    why = ("explain", "--query", TASK, "--symbol", "rounded", "--json", *VECTORS)

    before = json.loads(rankgrid(shop, *why).stdout)["vectors"]
    text = MONEY.replace("Round to cents.", "Fix the total price of a cart.")
    (shop / "shop" / "money.py").write_text(text, encoding="utf-8")
    after = json.loads(rankgrid(shop, *why).stdout)["vectors"]

    assert before["model"] == after["model"] == "all-MiniLM-L6-v2"
    assert after["cosine"] > before["cosine"] + 0.1


def test_an_explanation_shows_what_vectors_moved(shop: Path) -> None:
    why = ("explain", "--query", TASK, "--symbol", "Cart.clear", *VECTORS)
    plain = json.loads(rankgrid(shop, *why[:5], "--json").stdout)

    found = json.loads(rankgrid(shop, *why, "--json").stdout)
    text = rankgrid(shop, *why).stdout

    assert plain["vectors"] is None
    assert found["vectors"]["rank_before"] == plain["rank"]
    assert sum(found["components"].values()) == pytest.approx(found["score"])
    line = f"cosine {found['vectors']['cosine']:.4f}, rank {plain['rank']} by the graph alone"
    assert line in text


def test_a_hybrid_shows_the_weights_of_the_kind_and_the_share_of_each_channel(shop: Path) -> None:
    hybrid = ("--retriever", "hybrid_graph")
    of_task = json.loads(rankgrid(shop, "explain", "--query", TASK, *hybrid, "--json").stdout)
    name = ("explain", "--query", "total_price", *hybrid)
    of_name = json.loads(rankgrid(shop, *name, "--json").stdout)
    text = rankgrid(shop, *name, "--symbol", "total_price").stdout

    assert of_task["weights"] == {"bm25": 0.25, "graph": 0.25, "dense": 0.5}
    assert of_name["kind"] == "name"
    assert of_name["weights"]["dense"] == pytest.approx(0.35)
    for hit in of_task["hits"]:
        assert sum(hit["shares"].values()) == pytest.approx(hit["fused"])
        assert all(hit["shares"][name] <= weight for name, weight in of_task["weights"].items())
    assert of_name["hits"][0]["symbol"] == "shop.cart.Cart.total_price"
    assert of_name["hits"][0]["ranks"]["bm25"] == 1
    assert "(name): bm25 0.325, graph 0.325, dense 0.35; vectors of all-MiniLM-L6-v2" in text


def test_a_hybrid_fills_a_pack(shop: Path) -> None:
    command = ("context", "--task", TASK, "--retriever", "hybrid_graph", "--format", "json")

    found = rankgrid(shop, *command)
    words = rankgrid(shop, "context", "--task", TASK, "--retriever", "bm25")

    shown = [entry["symbol"] for entry in json.loads(found.stdout)["symbols"]]
    assert "shop.cart.Cart.total_price" in shown
    assert "dense 0.5; vectors of all-MiniLM-L6-v2" in found.stderr
    assert "vectors" not in words.stderr
    assert "shop.cart.Cart.total_price" in words.stdout


def test_a_session_raises_what_was_shown_and_nothing_else_remembers(shop: Path) -> None:
    plain = ("explain", "--query", TASK, "--symbol", "rounded", "--json")
    before = json.loads(rankgrid(shop, *plain).stdout)["score"]

    rankgrid(shop, "context", "--task", TASK, "--session", "s.json", "--useful", "rounded")

    after = json.loads(rankgrid(shop, *plain).stdout)["score"]
    within = json.loads(rankgrid(shop, *plain, "--session", "s.json").stdout)
    assert before == after
    assert within["components"]["feedback"] == pytest.approx(0.25)
    assert 0.09 < within["components"]["session"] <= 0.1


def test_observations_and_commits_count_where_they_are_asked_for(shop: Path) -> None:
    lines = [
        {"symbol": "shop.money.rounded", "seen": "2026-01-31T12:00:00+00:00"},
        {"symbol": "shop.cart.Cart.clear", "seen": "2026-01-01T12:00:00+00:00"},
    ]
    (shop / "seen.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    for command in (["init", "-q"], ["add", "shop"], ["commit", "-qm", "Sell"]):
        identity = ["-c", "user.name=n", "-c", "user.email=n@localhost"]
        subprocess.run(["git", *identity, *command], cwd=shop, check=True)  # noqa: S607

    found = rankgrid(
        shop,
        *("explain", "--query", TASK, "--symbol", "rounded", "--json"),
        *("--observations", "seen.jsonl", "--set", "scoring.commit_recency=0.1"),
    )

    components = json.loads(found.stdout)["components"]
    assert components["recency"] == pytest.approx(0.15)
    assert components["commit recency"] == pytest.approx(0.1)


def test_what_came_of_a_pack_is_learned_and_found_again_by_words_of_its_task(shop: Path) -> None:
    asked = ("context", "--task", "the invoice and what it adds up", "--session", "s.json")
    why = ("explain", "--query", "an invoice", "--symbol", "rounded", "--json")
    (shop / "work.diff").write_text("-    return rounded(amount)\n", encoding="utf-8")

    for _ in range(2):
        rankgrid(shop, *asked, "--set", "walk.floor=0")
        rankgrid(shop, *asked, "--set", "walk.floor=0", "--used", "work.diff")

    plain = json.loads(rankgrid(shop, *why).stdout)
    within = json.loads(rankgrid(shop, *why, "--session", "s.json").stdout)
    session = json.loads((shop / "s.json").read_text(encoding="utf-8"))
    assert plain["channels"] == {}
    assert list(within["channels"]) == ["learned"]
    assert session["learned"]["invoice"]["shop.money.rounded"] == 2
    assert within["components"]["feedback"] == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["context", "--task", " "], "--task: says nothing"),
        (["context", "--files", "gone.py"], "--files gone.py: no such file"),
        (["context", "--diff", "gone.diff"], "--diff gone.diff: cannot be read"),
        (["context", "--task", TASK, "--budget", "9"], "--budget 9: is out of range"),
        (["context", "--task", TASK, "--set", "walk.alpah=1"], "did you mean alpha"),
        (["context", "--task", TASK, "--set", "walk.alpha"], "write --set NAME=VALUE"),
        (["context", "--task", TASK, "--useful", "x"], "add --session FILE"),
        (["context", "--task", TASK, "--used", "-"], "add --session FILE"),
        (["context", "--diff", "-", "--used", "-", "--session", "s"], "only one text can be"),
        (["context", "--task", TASK, "--observations", "no.jsonl"], "give a JSONL file"),
        (["context", "--task", TASK, "--retriever", "grph"], "no such retriever; did you mean"),
        (["context", "--task", TASK, "--retriever", "no.yaml"], "no.yaml: cannot be read"),
        (["context", "--files", "a.py", "--retriever", "hybrid"], "--files: only a graph can use"),
        (["context", "--task", TASK, "--retriever", "oracle"], "a bound answers no question"),
        (["context", "--task", TASK, "--retriever", "bm25", "--set", "k2=1"], "no such setting"),
        (["explain", "--query", TASK], "--symbol: is missing"),
        (["explain", "--query", TASK, "--symbol", "ronded"], "did you mean shop.money.rounded"),
    ],
)
def test_what_cannot_be_done_exits_2_with_one_line(
    shop: Path, arguments: list[str], said: str
) -> None:
    found = rankgrid(shop, *arguments, code=2)

    assert said in found.stderr
    assert found.stderr.count("\n") == 1


def test_the_graph_is_a_retriever_of_the_grid_and_a_channel_of_hybrid(shop: Path) -> None:
    queries = (
        "queries:\n- {id: q, query: total price, expected_symbols: [cart.Cart.total_price]}\n"
    )
    (shop / "queries.yaml").write_text(queries, encoding="utf-8")
    command = [sys.executable, str(ROOT / "bench" / "run.py"), "-m", "suite=own"]
    command += [f"repository={shop / 'shop'}", "queries=queries.yaml", "chunker=symbol"]
    command += ["retriever=graph,graph_described", "retriever.walk.alpha=0.3", "tracking=none"]

    found = subprocess.run(
        [*command, "execution=local"], cwd=shop, capture_output=True, text=True, check=False
    )
    fused = ["retriever=hybrid", "retriever.channels=[bm25,graph]", "retriever.graph.hits.nodes=0"]
    mixed = subprocess.run(
        [*command[:2], *command[3:7], *fused, "tracking=none", "execution=local"],
        cwd=shop,
        capture_output=True,
        text=True,
        check=False,
    )

    assert found.returncode == 0, found.stderr
    report = shop / found.stdout.partition("Report:")[2].split()[0]
    place = report.with_name("results.json")
    results = json.loads(place.read_text(encoding="utf-8"))
    assert [report["summary"]["avg_mrr"] for report in results["reports"]] == [1.0, 1.0]
    assert mixed.returncode == 0, mixed.stderr


def test_observations_and_commits_count_in_a_grid(shop: Path) -> None:
    queries = "queries:\n- {id: q, query: round, expected_symbols: [money.rounded]}\n"
    (shop / "queries.yaml").write_text(queries, encoding="utf-8")
    seen = {"symbol": "money.rounded", "seen": "2026-01-31T12:00:00+00:00"}
    (shop / "seen.jsonl").write_text(json.dumps(seen), encoding="utf-8")
    command = [sys.executable, str(ROOT / "bench" / "run.py"), "-m", "suite=own", "latency=off"]
    command += [f"repository={shop / 'shop'}", "queries=queries.yaml", "chunker=symbol"]
    command += ["retriever=graph", "tracking=none", "execution=local"]
    command += ["retriever.observations=null,seen.jsonl"]

    def asked(recency: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, f"retriever.scoring.commit_recency={recency}"],
            cwd=shop,
            capture_output=True,
            text=True,
            check=False,
        )

    without = asked("0,0.1")
    for made in (["init", "-q"], ["add", "shop"], ["commit", "-qm", "Sell"]):
        identity = ["-c", "user.name=n", "-c", "user.email=n@localhost"]
        subprocess.run(["git", *identity, *made], cwd=shop, check=True)  # noqa: S607
    found = asked("0,0.1")

    assert without.returncode == 1
    assert "its git history cannot be read" in without.stderr
    assert found.returncode == 0, found.stderr
    report = shop / found.stdout.partition("Report:")[2].split()[0]
    place = report.with_name("results.json")
    reports = json.loads(place.read_text(encoding="utf-8"))["reports"]
    assert [report["summary"]["avg_mrr"] for report in reports] == [1.0] * 4
