"""Where packages are looked for, as pip is told."""

from pathlib import Path

import pytest

from bench.corpora.indexes import Indexes, configured_indexes, parse_pip_settings


def test_the_output_of_pip_is_read_with_variables_over_commands_over_global() -> None:
    listing = "\n".join(
        [
            ":env:.find-links='/from/variable'",
            "download.find-links='/from/download'",
            "global.extra-index-url='https://one.example/simple https://two.example/simple'",
            "global.find-links='/from/global'",
            "freeze.timeout='10'",
            "a line that is no setting",
        ]
    )

    assert parse_pip_settings(listing) == {
        "find-links": "/from/variable",
        "extra-index-url": "https://one.example/simple https://two.example/simple",
    }


def test_a_value_over_several_lines_is_read_whole() -> None:
    listing = "global.extra-index-url='\\nhttps://one.example\\nhttps://two.example'"

    assert parse_pip_settings(listing)["extra-index-url"].split() == [
        "https://one.example",
        "https://two.example",
    ]


def test_the_variables_of_pip_name_the_indexes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "https://main.example/simple")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", f"https://extra.example/simple {tmp_path}")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.delenv("PIP_NO_INDEX", raising=False)

    indexes = configured_indexes()

    assert indexes.index_urls == (
        "https://main.example/simple",
        "https://extra.example/simple",
        tmp_path.as_uri(),
    )
    assert indexes.find_links == (tmp_path.as_uri(),)


def test_without_indexes_only_folders_of_files_are_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))

    indexes = configured_indexes()

    assert indexes.index_urls == ()
    assert indexes.find_links == (tmp_path.as_uri(),)


def test_what_an_index_prints_holds_no_credentials() -> None:
    indexes = Indexes(index_urls=("https://user:hunter2@example.org/simple",))

    assert "hunter2" not in repr(indexes)
