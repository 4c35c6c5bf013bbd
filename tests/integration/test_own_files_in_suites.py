"""No file of a pinned package is taken for a file of rankgrid."""

import pytest

from bench.corpora import parse_source, read_source
from bench.errors import UnreachableError
from tests.integration.test_chunkers_on_suites import repositories


@pytest.mark.parametrize("name", repositories())
def test_no_file_of_a_shipped_suite_is_left_out_as_one_of_rankgrids_own(name: str) -> None:
    source = parse_source(repositories()[name], where=name)
    try:
        checkout = read_source(source)
    except UnreachableError as error:
        pytest.skip(str(error))

    assert checkout.own_files == ()
