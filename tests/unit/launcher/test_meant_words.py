"""Words of other tools are answered with names that exist."""

import pytest

from bench.errors import SettingError, UsageError
from bench.files import data_folder
from bench.launcher.catalogue import Catalogue
from bench.launcher.meant import CHOICES, SETTINGS
from bench.launcher.overrides import read_overrides, values_of

CONF = data_folder("conf")


def test_every_meant_choice_exists_and_no_word_does() -> None:
    known = Catalogue(CONF)

    for group, words in CHOICES.items():
        assert set(words.values()) <= set(known.groups[group])
        assert not set(words) & set(known.groups[group])


def test_every_meant_setting_exists_and_no_word_does() -> None:
    known = Catalogue(CONF)
    names = {*known.groups, *known.scalars}

    for word, name in SETTINGS.items():
        top, _, field = name.partition(".")
        assert top in names
        assert not field or field in known.fields(top)
        assert word not in names


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("reranker=Yes", "did you mean on? There are cross_encoder, off, on, server"),
        ("min_mrr=0.7", "--min-mrr is a flag; write --min-mrr 0.7"),
        ("chunk.size=512", "chunk has no parts; write chunk=VALUE"),
        ("measures=mrr,map_at_5", "must be a list; write measures=[mrr,map_at_5]"),
        ("chunk=\u201c512\u201d", 'type plain quotes: chunk="512"'),
        ("chunk", "has no value; write chunk=VALUE, without spaces"),
    ],
)
def test_a_wrong_setting_is_answered_with_the_right_one(typed: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_overrides([typed], CONF, multirun=False)

    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("typed", "text", "value"),
    [("chunk=[512]", "512", 512), ("reranker=[on]", "on", "on"), ("limit=[ 5 ]", "5", 5)],
)
def test_a_list_of_one_is_its_item_where_no_list_is_meant(
    typed: str, text: str, value: object
) -> None:
    name = typed.partition("=")[0]

    found = read_overrides([typed], CONF, multirun=False)

    assert list(values_of(found[name])) == [(text, value)]


def test_a_list_of_several_is_still_refused() -> None:
    with pytest.raises(SettingError, match=r"write retriever=bm25,dense with -m"):
        read_overrides(["retriever=[bm25,dense]"], CONF, multirun=False)
