"""Make the tables of what other repositories taught, from results of finished studies.

python scripts/make_prior.py RESULTS...

Each RESULTS is a results.json or its folder. Studies of one level make one table, which is
written to bench/results/prior_tables/LEVEL.json. Measured for the tables that are shipped were

    python bench/run.py -m suite=full latency=off tracking=none \\
        retriever=bm25,lexical,fields,graph chunker=recursive,symbol chunk=256,512,1024,2048
    the same with retriever=dense,hybrid,hybrid_graph chunker=recursive chunk=512
    the same with suite=quick and suite=docs, and chunk=512,1024
    all of them with measure_level=symbol (without chunker=symbol)

More studies may be given at any time: a configuration or a repository that is not in the table is
added, and where several studies asked the same query of the same configuration, the first counts.
With the store of the last time, only what has changed since is computed again.
"""

import argparse
import sys
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from bench.files import write_whole
from bench.results import read_results
from bench.results.prior_table import SHIPPED, PriorTable, read_table, table_of, text_of_table

BY = "the authors of rankgrid, who wrote and verified them by hand"


def main() -> None:
    """Write a table for each level of the studies."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+", help="a results.json, or the folder that holds one")
    parser.add_argument("--to", type=Path, default=SHIPPED, help="the folder of the tables")
    asked = parser.parse_args()
    version = datetime.now(UTC).date().isoformat()
    studies = sorted(map(read_results, asked.results), key=lambda study: study.level)
    for level, same in groupby(studies, key=lambda study: study.level):
        table = table_of(list(same), name="shipped", version=version, by=BY)
        place = asked.to / f"{level}.json"
        write_whole(place, text_of_table(table))
        if read_table(place) != table:
            sys.exit(f"{place}: is not read back as it was written")
        print(f"{place}: {_size(table)}, {place.stat().st_size / 1000:.0f} kB")


def _size(table: PriorTable) -> str:
    return (
        f"{len(table.configurations)} configurations, {table.queries} queries about"
        f" {len(table.repositories)} repositories"
    )


if __name__ == "__main__":
    main()
