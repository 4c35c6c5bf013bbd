"""What is hidden leaves no word behind, and moves nothing."""

from hypothesis import given
from hypothesis import strategies as st

from bench.corpora import Hidden, hide
from retrievers.interface import Documents
from retrievers.source import find_symbols

CART = '''\
class Cart:
    def total(self):
        """Sum of the prices: größer, no tax."""
        return sum(self.items)
'''


def test_words_become_blanks_and_signs_stay() -> None:
    documents = Documents.of([("cart.py", CART)])

    hidden = hide(documents, [Hidden("cart.py", 3, 3)])

    before, after = documents.source(0), hidden.source(0)
    assert len(after) == len(before)
    assert after.split(b"\n")[2].split() == [b'"""', b":", b",", b'."""']
    kept = [line for number, line in enumerate(before.split(b"\n")) if number != 2]
    assert kept == [line for number, line in enumerate(after.split(b"\n")) if number != 2]


def test_definitions_stay_where_they_are() -> None:
    documents = Documents.of([("cart.py", CART)])

    found = [find_symbols(one) for one in (documents, hide(documents, [Hidden("cart.py", 3, 3)]))]

    assert found[0].names == found[1].names
    assert found[0].end_byte.tolist() == found[1].end_byte.tolist()
    assert found[1].docs[1].strip(" :,.") == ""


def test_a_whole_file_is_left_out_and_an_unknown_one_changes_nothing() -> None:
    documents = Documents.of([("a.py", "a = 1\n"), ("b.py", "b = 2\n")])

    hidden = hide(documents, [Hidden("a.py"), Hidden("c.py", 1, 2)])

    assert hidden.paths == ("b.py",)
    assert hidden.text(0) == "b = 2\n"
    assert hide(documents, [Hidden("c.py")]) is documents


@given(
    text=st.text(st.sampled_from('aé_9 \n"#'), max_size=40),
    start=st.integers(1, 9),
    more=st.integers(0, 9),
)
def test_no_letter_of_hidden_lines_is_left(text: str, start: int, more: int) -> None:
    documents = Documents.of([("x", text)])

    after = hide(documents, [Hidden("x", start, start + more)]).source(0)

    assert len(after) == documents.size(0)
    lines = [
        (number, line)
        for number, line in enumerate(after.split(b"\n"), 1)
        if start <= number <= start + more
    ]
    assert all(not line.strip(b' "#') for _, line in lines)
