"""The work before it is done: `--plan`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bench.advice import plural
from bench.printable import one_line
from bench.report.console import open_console, print_line
from bench.stages import PARTS
from bench.study import Corpus, Study

_NAMES_WIDTH = 30
"""Characters of the names of repositories that are shown."""


def show_plan(
    study: Study,
    rates: Mapping[str, float],
    *,
    workers: int,
    about: Sequence[str] = (),
    console: Console | None = None,
) -> None:
    """Print the stages to do and those that are stored, how long it may take, and `about` it."""
    page = console or open_console()
    whole = Counter(stage.kind for stage in study.whole.stages)
    to_do = Counter(stage.kind for stage in study.remaining.stages)
    table = Table()
    for heading in ("stage", "to do", "stored or not needed", "about, s"):
        table.add_column(heading, justify="left" if heading == "stage" else "right")
    for kind, count in whole.items():
        seconds = to_do[kind] * rates[kind] if kind in rates else None
        shown = "-" if seconds is None else f"{seconds:.1f}"
        table.add_row(kind, str(to_do[kind]), str(count - to_do[kind]), shown)
    print_line(page, f"{about_study(study)}:")
    page.print(table)
    page.print(Text(_texts(study)))
    page.print(Text(_time(to_do, rates, workers)))
    for line in (*about, "Nothing was run."):
        page.print(Text(line))


def about_study(study: Study) -> str:
    """Return how many trials are measured on what, and how much of it is to do."""
    trials = plural(len(study.trials), "trial", "trials")
    stages = f"{len(study.remaining.stages)} of {len(study.whole.stages)} stages to do"
    return f"{trials} on {about_corpus(study.corpus)}, {stages}"


def about_corpus(corpus: Corpus) -> str:
    """Return the suite with its first repositories, and how many there are and are asked."""
    names = list(dict.fromkeys(one_line(one.name) for one in corpus.repositories))
    widths = accumulate(map(len, names))
    shown = names[: max(1, sum(width <= _NAMES_WIDTH for width in widths))]
    named = ", ".join([*shown, *(["…"] if len(shown) < len(names) else [])])
    queries = [query for one in corpus.repositories for query in one.queries]
    negative = sum(query.negative for query in queries)
    asked = plural(len(queries), "query", "queries")
    asked += f", {negative} of them negative" if negative else ""
    repositories = plural(len(names), "repository", "repositories")
    return f"{corpus.suite} ({repositories}: {named}; {asked})"


def _texts(study: Study) -> str:
    """Return how many texts are to be embedded, as far as windows are already cut."""
    remaining = {stage.fingerprint for stage in study.remaining.stages}
    embeds = [s for s in study.remaining.stages if s.kind == "embed"]
    if not embeds:
        return "Texts to embed: none."
    cuts = {i.fingerprint: i for s in embeds for i in s.inputs if "windows" in i.kind}
    known = [cut for name, cut in cuts.items() if name not in remaining]
    if len(known) < len(cuts):
        return "Texts to embed: known once the documents are cut into windows."
    parts = Counter(i.fingerprint for s in embeds for i in s.inputs if i.fingerprint in cuts)
    total = sum(
        study.cost_of(cut).counts.get("windows", 0) * parts[cut.fingerprint] / PARTS
        for cut in known
    )
    return f"Texts to embed: about {total:.0f}, less those whose vectors are known."


def _time(to_do: Mapping[str, int], rates: Mapping[str, float], workers: int) -> str:
    if not sum(to_do.values()):
        return "Estimated time: none, everything is stored."
    unknown = sorted(kind for kind, count in to_do.items() if count and kind not in rates)
    seconds = sum(count * rates.get(kind, 0.0) for kind, count in to_do.items()) / max(workers, 1)
    if len(unknown) == len([kind for kind, count in to_do.items() if count]):
        return "Estimated time: unknown, no stage of these kinds was measured here yet."
    beyond = f", and what {', '.join(unknown)} take" if unknown else ""
    return f"Estimated time: about {seconds:.0f} s on {workers} workers, as measured here{beyond}."
