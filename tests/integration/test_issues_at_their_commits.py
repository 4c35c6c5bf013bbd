"""Issues with patches are asked of the commits that they were about, by the ordinary command."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.results.packed import unpacked
from tests.integration.git_repositories import Repository

PROJECT = Path(__file__).parents[2]
CART = "class Cart:\n    def total(self):\n        return sum(self.goods)\n"
PATCH = """\
--- a/{path}
+++ b/{path}
@@ -3,1 +3,1 @@
-        return sum(self.goods)
+        return 1
"""


def issue(name: str, commit: str, path: str) -> str:
    record = {
        "instance_id": name,
        "repo": "someone/shop",
        "base_commit": commit,
        "problem_statement": f"The total sum of the goods is wrong, says {name}",
        "patch": PATCH.format(path=path),
    }
    return json.dumps(record) + "\n"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Write a suite of a bare repository in which a file has another name at each commit."""
    shop = Repository(tmp_path / "work")
    first = shop.commit("Begin", cart_dot_py=CART)
    second = shop.commit("Rename it", cart_dot_py=None, basket_dot_py=CART)
    shop.commit("Remove all of it", basket_dot_py=None, other_dot_py="def other(): ...\n")
    shop.git("clone", "--quiet", "--bare", ".", str(tmp_path / "shop.git"))
    lines = [issue("a", first, "cart.py"), issue("b", second, "basket.py")]
    (tmp_path / "issues.jsonl").write_text("".join(lines), encoding="utf-8")
    place = tmp_path / "suite.yaml"
    place.write_text(
        "name: issues\nrepositories:\n- name: shop\n  queries: issues.jsonl\n"
        "  source: {kind: git, url: ./shop.git}\n",
        encoding="utf-8",
    )
    return place


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_each_issue_is_judged_at_its_own_commit(suite: Path, tmp_path: Path) -> None:
    door, check = str(PROJECT / "bench" / "run.py"), "from bench.cli import main; main()"
    common = ("suite=file", f"suite.path={suite}", "retriever=bm25", "tracking=none")

    verified = run(tmp_path, "-c", check, "fixtures", "verify", str(suite))
    studied = run(tmp_path, door, *common, "execution=local", "latency=off")

    assert "2 queries, 0 errors" in verified.stdout, verified.stdout + verified.stderr
    assert studied.returncode == 0, studied.stderr
    results = unpacked(
        json.loads((tmp_path / "outputs" / "latest" / "results.json").read_text("utf-8"))
    )
    (report,) = results["reports"]
    retrieved = {one["id"]: one["retrieved"] for one in report["query_results"]}
    assert [hit["path"] for hit in retrieved["a"]] == ["cart.py"]
    assert [hit["path"] for hit in retrieved["b"]] == ["basket.py"]
    assert report["summary"]["avg_recall_at_10"] == 1
    assert list(report["repository_metrics"]) == ["shop"]


def test_several_commits_need_a_repository_of_git(suite: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "cart.py").write_text(CART, encoding="utf-8")
    where = (f"repository={tmp_path / 'plain'}", f"queries={tmp_path / 'issues.jsonl'}")

    found = run(
        suite.parent, str(PROJECT / "bench" / "run.py"), "suite=own", *where, "tracking=none"
    )

    assert found.returncode == 1
    assert "asked of several commits; give a git repository" in found.stderr
