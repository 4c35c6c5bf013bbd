"""A suite includes others without a copy of what they list; what cannot be meant is refused."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.errors import SettingError
from bench.settings.suite import SuiteSettings, parse_suite

CONF = Path(__file__).parents[3] / "conf" / "suite"


def shipped(name: str) -> SuiteSettings:
    found: dict[str, Any] = yaml.safe_load((CONF / f"{name}.yaml").read_text(encoding="utf-8"))
    return parse_suite({"suite": found})


def write(folder: Path, name: str, **content: object) -> Path:
    """Write a suite with the queries and the code that it names."""
    folder.mkdir(exist_ok=True)
    for repository in ("one", "two"):
        (folder / repository).mkdir(exist_ok=True)
        (folder / f"{repository}.yaml").write_text("queries: []\n", encoding="utf-8")
    file = folder / f"{name}.yaml"
    file.write_text(yaml.safe_dump({"name": name, **content}), encoding="utf-8")
    return file


def listing(name: str) -> dict[str, object]:
    return {"name": name, "source": {"kind": "local", "path": name}, "queries": f"{name}.yaml"}


def read(file: Path) -> SuiteSettings:
    return parse_suite({"suite": {"kind": "file", "path": str(file)}})


def test_full_has_the_repositories_of_the_suites_it_includes() -> None:
    parts = [shipped(name) for name in ("python", "polyglot", "docs")]

    full = shipped("full")

    assert full.name == "full"
    assert full.repositories == tuple(one for part in parts for one in part.repositories)
    assert set(shipped("quick").repositories) < set(full.repositories)


def test_an_included_file_keeps_the_folder_that_its_paths_are_relative_to(tmp_path: Path) -> None:
    write(tmp_path / "inner", "inner", repositories=[listing("two")])
    outer = write(
        tmp_path, "outer", repositories=[listing("one")], include=["inner/inner.yaml", "docs"]
    )

    suite = read(outer)

    assert [one.name for one in suite.repositories[:2]] == ["one", "two"]
    assert suite.repositories[1].queries == (tmp_path / "inner" / "two.yaml").resolve()
    assert suite.repositories[2:] == shipped("docs").repositories


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"include": ["pythn"]}, "suite.include: pythn: no such suite; did you mean python?"),
        ({"include": ["gone.yaml"]}, "gone.yaml: no such file"),
        ({"include": ["beir"]}, "beir: lists no repositories"),
        ({"include": "python"}, "suite.include: must be a list"),
        ({"include": ["quick", "polyglot"]}, "two repositories are named jinja2"),
        ({"include": ["outer.yaml"]}, "is circular: outer.yaml includes outer.yaml"),
        ({"include": []}, "has no repositories"),
        ({"includes": ["python"]}, "repositories or include or both"),
        ({"include": ["python"], "retriever": "command"}, "retriever is not part of a suite"),
        ({"include": ["python"], "output": "x"}, "output is not part of a suite"),
        ({"include": ["${oc.env:HOME}"]}, "${oc.env:HOME} is an interpolation"),
        ({"repositories": [{"name": {"${x}": 1}}]}, "${x} is an interpolation"),
        ({}, "repositories or include or both"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    tmp_path: Path, content: dict[str, object], said: str
) -> None:
    outer = write(tmp_path, "outer", **content)

    with pytest.raises(SettingError) as caught:
        read(outer)

    assert said in str(caught.value)


def test_a_longer_circle_is_named_with_all_its_suites(tmp_path: Path) -> None:
    write(tmp_path, "second", include=["third.yaml"])
    write(tmp_path, "third", include=["second.yaml"])
    outer = write(tmp_path, "outer", include=["second.yaml"])

    with pytest.raises(SettingError, match=r"second\.yaml includes third\.yaml includes second"):
        read(outer)


def test_an_included_suite_sets_nothing_either(tmp_path: Path) -> None:
    outer = write(tmp_path, "outer", include=["inner.yaml"])
    write(tmp_path, "inner", include=["python"], retriever="command")

    with pytest.raises(SettingError, match=r"inner\.yaml: retriever is not part of a suite"):
        read(outer)

    write(tmp_path, "inner", include=["${oc.env:HOME}"])

    with pytest.raises(SettingError, match=r"inner\.yaml: .* is an interpolation"):
        read(outer)


def test_what_is_wrong_in_an_included_suite_is_told_with_its_file(tmp_path: Path) -> None:
    write(tmp_path, "inner", repositories=[{"name": "one"}])
    outer = write(tmp_path, "outer", include=["inner.yaml"])

    with pytest.raises(
        SettingError, match=r"inner\.yaml: repositories\[0\]: must have name, source and"
    ):
        read(outer)
