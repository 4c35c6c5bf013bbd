"""What counts as a citation: `[#n]` in running text, and nothing that only looks like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.answerers import Extractive, Passage, citations, extract

TEXT = st.text(alphabet=st.sampled_from("ab .\n`~[]#1(-{}:>\t"), max_size=60)


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("It is here [#2], and there [#1][#2].", (2, 1)),
        ("See [1] and (#2) and #3 and [# 4] and [#0] and [#-1] and [#x].", ()),
        ("Nothing at all", ()),
        ("As `[#1]` says [#2]", (2,)),
        ("As ``a ` [#1]`` says [#2]", (2,)),
        ("An open ` tick [#1]", (1,)),
        ("An open ` tick\n\nand one more ` [#1]", (1,)),
        ("```\n[#1]\n```\n[#2]", (2,)),
        ("```python\n[#1]\n~~~\n[#3]\n```\n[#2]", (2,)),
        ("~~~~\n[#1]\n~~~\n[#1]\n~~~~\n[#2]", (2,)),
        ("- ```\n  [#1]\n  ```\n[#2]", (2,)),
        ("> ```\n> [#1]\n> ```\n[#2]", (2,)),
        ("```\nnever closed [#1]", ()),
        ("Text\n\n    code [#1]\n\nText [#2]", (2,)),
        ("- An item\n\n    of two paragraphs [#1]", (1,)),
        ("Text that goes on\n    in a second line [#1]", (1,)),
        ("[#12345678901234567890]", ()),
    ],
)
def test_only_the_strict_form_in_running_text_is_a_citation(
    text: str, cited: tuple[int, ...]
) -> None:
    """Code blocks and code spans as CommonMark has them."""
    assert citations(text) == cited


@given(st.lists(TEXT, min_size=1, max_size=4), TEXT)
def test_quoting_whatever_the_corpus_says_adds_no_citation(texts: list[str], doc: str) -> None:
    """A hostile file can neither cite in our name nor swallow the citation behind it."""
    passages = [
        Passage("a.md", 1, 9, text, ((text, doc),) if "#" in doc else ()) for text in texts
    ]

    reply = extract("a b", passages, Extractive(pieces=2), best_score=1.0)

    own = [int(line.rpartition("[#")[2][:-1]) for line in reply.text.split("\n\n") if line]
    assert citations(reply.text) == tuple(dict.fromkeys(own))
