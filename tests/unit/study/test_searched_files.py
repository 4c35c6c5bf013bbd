"""The files of a repository that are searched, as settings and as part of a study's identity."""

from pathlib import Path

import pytest

from bench.authoring.opening import open_sets
from bench.corpora import EVERY_FILE, FileChoice, LocalSource, PypiSource
from bench.engine import Alone, ArtifactStore, NoObserver, carry_out
from bench.errors import SettingError
from bench.launcher.planning import planned
from bench.queries.verification import FixtureSet, verify
from bench.results.identity import identity_of
from bench.settings import RepositorySettings, SuiteSettings
from bench.settings.suite import parse_suite
from bench.stages import CheckOut, CheckOutFolder
from bench.study import prepare
from bench.study.corpus import documents_stage
from tests.composed_grids import composed_grid
from tests.small_suite import suite_of, write_suite

PACKAGE = PypiSource("shop", "1.0", "shop-1.0.tar.gz", "0" * 64)
PATHS = """\
queries:
- {id: q1, query: how are prices added up, expected_files: [docs/a.md]}
- {id: q2, query: take an item out again, expected_files: [docs/b.md, shop.py]}
- {id: q3, query: total of the cart, expected_files: [shop.py]}
"""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with a repository of code and documents, and queries about both."""
    write_suite(tmp_path, ["shop"])
    (tmp_path / "shop" / "docs").mkdir()
    for name in ("a", "b"):
        (tmp_path / "shop" / "docs" / f"{name}.md").write_text(f"{name}\n", encoding="utf-8")
    (tmp_path / "paths.yaml").write_text(PATHS, encoding="utf-8")
    return tmp_path


def own(work: Path, **settings: object) -> SuiteSettings:
    """Return the repository as one's own code."""
    suite = {"kind": "own", "name": "own"}
    places = {"repository": str(work / "shop"), "queries": str(work / "shop.yaml")}
    return parse_suite({"suite": suite, **places, **settings})


def documents(work: Path, suite: SuiteSettings) -> CheckOutFolder:
    """Return the stage of the only repository of a suite."""
    (found,) = prepare(suite, ArtifactStore(str(work / "store")), level=None).repositories
    assert isinstance(found.documents, CheckOutFolder)
    return found.documents


def plan(work: Path, *typed: str) -> None:
    """Plan a study of the queries that name paths."""
    suite = ["suite=own", f"repository={work}/shop", f"queries={work}/paths.yaml", *typed]
    planned(composed_grid([*suite, "retriever=bm25", "latency=off", f"store={work}/store"], []))


def test_the_settings_of_own_code_and_the_keys_of_a_suite_are_the_same(work: Path) -> None:
    keys = ", include: [shop.py, docs/], exclude: [./docs/a.md], languages: [python]"
    (work / "suite").mkdir()
    shop = write_suite(work / "suite", ["shop"], keys)
    settings = {"include": ["shop.py", "docs/"], "exclude": ["./docs/a.md"]}

    files = own(work, **settings, languages=["python"]).repositories[0].files

    assert files == suite_of(shop).repositories[0].files
    assert files == FileChoice(("shop.py", "docs/"), ("/docs/a.md",), ("python",))


def test_files_that_are_left_out_are_not_searched_and_are_another_tree(work: Path) -> None:
    whole, code = (documents(work, own(work, exclude=one)) for one in ([], ["docs/"]))

    store = ArtifactStore(str(work / "store"))
    artifact = store.load(code)
    assert artifact is not None
    assert tuple(code.codec.decode(artifact.payload).paths) == ("shop.py",)
    assert whole.fingerprint != code.fingerprint
    assert code.fingerprint == documents(work, own(work, languages=["python"])).fingerprint


def test_patterns_that_leave_nothing_out_are_one_note(work: Path) -> None:
    """Also where the store has the folder, which is the same with and without them."""
    store = ArtifactStore(str(work / "store"))

    notes = [
        prepare(own(work, exclude=exclude), store, level=None).notes
        for exclude in ([], ["docs/", "vendor/"], ["vendor/", "*.rs"], ["docs/"])
    ]

    one = "exclude: vendor/ matches no file of shop that would be searched"
    two = "exclude: vendor/, *.rs match no file of shop that would be searched"
    assert notes == [(), (one,), (two,), ()]


def test_the_choice_is_part_of_a_pinned_source(work: Path) -> None:
    """And is told by what names the source; without a choice all is as before."""
    stages = {}
    for files in (EVERY_FILE, FileChoice(exclude=("docs/",)), FileChoice(languages=("go",))):
        repository = RepositorySettings("shop", PACKAGE, work / "shop.yaml", files=files)
        store = ArtifactStore(str(work / "store"))
        stages[str(files)] = documents_stage(repository, "", store, is_only=True)

    assert len({one.fingerprint for one in stages.values()}) == 3
    assert stages[""].fingerprint == CheckOut(PACKAGE).fingerprint
    suite = SuiteSettings("own", (repository,))
    (found,) = prepare(suite, ArtifactStore(str(work / "store")), level=None).repositories
    assert identity_of(found).pin.endswith(f"sha256:{'0' * 64} languages=[go]")


def test_a_target_in_a_file_that_is_left_out_is_refused_before_anything_runs(work: Path) -> None:
    message = r"^exclude=\[docs/\]: leaves out files of shop that answer queries: "
    with pytest.raises(
        SettingError, match=message + r"q1 \(docs/a.md\), q2 \(docs/b.md\)\. Search"
    ):
        plan(work, "exclude=[docs/]")

    plan(work, "exclude=[docs/]", "only.ids=[q3]")


def test_a_symbol_in_a_file_that_is_left_out_fails_with_the_setting_named(work: Path) -> None:
    """Its file is not known before the source is parsed."""
    suite = ["suite=own", f"repository={work}/shop", f"queries={work}/shop.yaml"]
    shared = [*suite, "retriever=bm25", "latency=off", f"store={work}/store"]
    study = planned(composed_grid([*shared, "include=[docs/]"], []))
    judgements = study.trials[0].judged[0].scores.judgements

    outcomes = study.carry_out(
        lambda plan: carry_out(plan, study.store.url, Alone(), NoObserver()), early=[judgements]
    )

    failure = outcomes[judgements.fingerprint].failure
    assert failure is not None
    assert "in the source: 8 (include=[docs/] leaves files out" in failure.cause


def test_verifying_names_the_answers_that_a_suite_leaves_out(work: Path) -> None:
    text = (work / "suite.yaml").read_text("utf-8").replace("shop.yaml}", "paths.yaml, LEFT}")
    (work / "suite.yaml").write_text(text.replace("LEFT", "exclude: [docs/]"), encoding="utf-8")

    (opened,) = open_sets(work / "suite.yaml")
    report = verify(
        FixtureSet(opened.name, opened.entries), opened.tree_of(), left_out=opened.left_out
    )

    found = [(one.query, one.what) for one in report.findings if one.rule == "excluded-target"]
    assert [query for query, _ in found] == ["q1", "q2"]
    assert all("left out of the index (excluded)" in what for _, what in found)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"languages": ["pyhton"]}, r"^languages=\[pyhton\]: no such language; did you mean pyth"),
        ({"exclude": "docs/"}, r"^exclude=docs/: must be a list; write exclude=\[docs/\]"),
        ({"include": [["a", "b"]]}, r"^include=\[a, b\]: must be text"),
        ({"include": ["x["]}, r"^include='x\[': the pattern cannot match any path"),
    ],
)
def test_what_chooses_no_files_is_refused(
    work: Path, settings: dict[str, object], said: str
) -> None:
    with pytest.raises(SettingError, match=said):
        own(work, **settings)


def test_a_wrong_key_of_a_suite_is_told_with_its_place(tmp_path: Path) -> None:
    for key, said in (
        ("exclude: docs/", r"suite.repositories\[0\].exclude=docs/: must be a list"),
        ("exclude: ['x[']", r"suite.repositories\[0\].exclude='x\[': the pattern cannot"),
        ("languages: [x]", r"suite.repositories\[0\].languages=\[x\]: no such language"),
        ("exclud: [a]", r"suite.repositories\[0\]: must have name, .* may have include, exclude"),
    ):
        (tmp_path / key[:9]).mkdir(exist_ok=True)
        folder = tmp_path / key[:9] / str(len(said))
        folder.mkdir()
        with pytest.raises(SettingError, match=said):
            suite_of(write_suite(folder, ["shop"], f", {key}"))


def test_the_settings_belong_to_own_code(work: Path) -> None:
    with pytest.raises(SettingError, match=r"exclude=\['a'\]: only goes with suite=own"):
        suite_of(work / "suite.yaml", exclude=["a"])
    with pytest.raises(SettingError, match=r"suite=quick does not read it; remove it, or use sui"):
        composed_grid(["suite=quick", "exclude=[a]"], [])


def test_a_folder_at_a_revision_is_read_with_the_same_choice(work: Path) -> None:
    """Its source is another; the choice is the repository's."""
    (repository,) = own(work, exclude=["docs/"]).repositories

    stage = documents_stage(repository, "", ArtifactStore(str(work / "store")), is_only=True)

    assert isinstance(stage, CheckOutFolder)
    assert isinstance(stage.source, LocalSource)
    assert stage.files == repository.files
