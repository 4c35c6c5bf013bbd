"""The `--plan` page: work of a study before it runs."""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bench.advice import plural
from bench.printable import one_line
from bench.report.console import open_console, print_line
from bench.report.display import about_seconds
from bench.stages import PARTS
from bench.study import Corpus, Estimate, Study

_NAMES_WIDTH = 30
"""Maximum characters of the repository names."""


def show_plan(
    study: Study,
    estimate: Estimate,
    *,
    about: Sequence[str] = (),
    console: Console | None = None,
) -> None:
    """Print remaining and stored stages, the estimated time, and the lines in `about`."""
    page = console or open_console()
    whole = Counter(stage.kind for stage in study.whole.stages)
    to_do = Counter(stage.kind for stage in study.remaining.stages)
    seconds = estimate.by_kind()
    table = Table()
    for heading in ("stage", "to do", "stored or not needed", "about, s"):
        table.add_column(heading, justify="left" if heading == "stage" else "right")
    for kind, count in whole.items():
        shown = f"{seconds[kind]:.1f}" if kind in seconds else "-"
        table.add_row(kind, str(to_do[kind]), str(count - to_do[kind]), shown)
    print_line(page, f"{about_study(study)}:")
    page.print(table)
    page.print(Text(_texts(study)))
    page.print(Text(_time(estimate)))
    for line in (*about, "Nothing was run."):
        page.print(Text(line))


def about_study(study: Study) -> str:
    """Return the number of trials, the corpus and the number of remaining stages."""
    trials = plural(len(study.trials), "trial", "trials")
    stages = f"{len(study.remaining.stages)} of {len(study.whole.stages)} stages to do"
    return f"{trials} on {about_corpus(study.corpus)}, {stages}"


def about_corpus(corpus: Corpus) -> str:
    """Return the suite with its first repositories and the number of its queries."""
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
    """Return the number of texts to embed, as far as it is known."""
    of_symbols = [s for s in study.remaining.stages if s.kind == "embed-symbols"]
    graphs = {i.fingerprint for s in of_symbols for i in s.inputs if i.kind == "build-index"}
    if not graphs:
        return _windows(study)
    repositories = plural(len(graphs), "repository", "repositories")
    return f"{_windows(study)} Definitions to embed: those of {repositories}."


def _windows(study: Study) -> str:
    """Return the number of windows to embed, or a note if documents are not cut yet."""
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


def _time(estimate: Estimate) -> str:
    if not estimate.by_kind():
        return "Estimated time: none, everything is stored."
    workers = plural(estimate.workers, "worker", "workers")
    total = about_seconds(estimate.seconds_left({}))
    whose = "rates measured on this machine" if estimate.is_own else "rates of other machines"
    text = f"Estimated time: about {total} on {workers}, from {whose}."
    assumed = estimate.assumed_repositories
    if not assumed:
        return text
    unread = plural(assumed, "repository", "repositories")
    return f"{text} The size of {unread} is not known before the download and is assumed."
