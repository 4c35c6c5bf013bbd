"""Statistics of each chunking, and the command that shows it on any file."""

from collections.abc import Mapping, Sequence

from bench.report.chunk_commands import command_for_any_file, cut_flags, shipped_suite
from bench.report.html.comparison import Part
from bench.report.html.elements import Markup, collapsed, element
from bench.report.html.tables import Cell, Heading, number, table
from bench.report.study_view import StudyView
from bench.results import TrialResult

_FACTS = (
    ("chunks", "chunks", ",.0f", "over all repositories"),
    ("mean", "tokens_mean", ",.0f", "tokens of a chunk"),
    ("median", "tokens_p50", ",.0f", "tokens of a chunk"),
    ("95 %", "tokens_p95", ",.0f", "tokens that 95 % of the chunks do not exceed"),
    ("largest", "tokens_max", ",.0f", "tokens of the largest chunk"),
    ("definitions cut", "cut_definition_share", ".1%", "definitions that no chunk has whole"),
    ("lines covered", "covered_line_share", ".1%", "lines that are in some chunk"),
    ("repeated", "repeated_token_share", ".1%", "tokens that an earlier chunk has, too"),
)


_NAMED = 6


def cutting_section(view: StudyView) -> Part | None:
    """Return each chunking with its trials, its statistics and its command."""
    cuttings = _cuttings(view)
    if not cuttings:
        return None
    commands = [
        element("li", f"{said}: ", element("code", command, class_="command"))
        for said, of in cuttings.items()
        if (command := command_for_any_file(view, of[0]))
    ]
    title = "How files are cut"
    content = collapsed(
        "cutting",
        title,
        element("p", "What each chunking made of all documents.", class_="facts"),
        _facts(title, view, cuttings),
        element("h3", "See it on a file"),
        element("p", _explained(view), class_="facts"),
        element("ul", commands),
    )
    return "cutting", title, content


def _facts(title: str, view: StudyView, cuttings: Mapping[str, list[TrialResult]]) -> Markup:
    known = [fact for fact in _FACTS if any(of[0].chunks.get(fact[1]) for of in cuttings.values())]
    rows = [
        [
            Cell(said, said),
            _places([view.places[trial.name] for trial in of]),
            *(number(of[0].chunks.get(column), form) for _, column, form, _ in known),
        ]
        for said, of in cuttings.items()
    ]
    headings = [
        Heading("chunking", text=True),
        Heading("trials", "places in the table", text=True),
    ]
    headings += [Heading(name, meaning) for name, _, _, meaning in known]
    return table(title, headings, rows)


def _places(places: Sequence[int]) -> Cell:
    shown = ", ".join(str(place) for place in places[:_NAMED])
    left = len(places) - _NAMED
    return Cell(f"{shown} and {left} more" if left > 0 else shown, str(places[0]))


def _explained(view: StudyView) -> str:
    where = "Run it in the folder of the repository; PATH is a file or folder there."
    if shipped_suite(view):
        where = f"REPOSITORY is {' or '.join(view.repositories)}, PATH a file or folder in it."
    return (
        "The command prints every chunk of a file: its lines, tokens and first line; with --text "
        f"the file with its boundaries. {where} An opened query has it for each expected file."
    )


def _cuttings(view: StudyView) -> Mapping[str, list[TrialResult]]:
    """Return the trials of each chunking by its label."""
    found: dict[str, list[TrialResult]] = {}
    for trial in view.listed:
        flags = cut_flags(trial)
        if flags is not None:
            said = flags.removeprefix("--chunker ").replace("--chunk ", "").replace("--", "")
            found.setdefault(said, []).append(trial)
    return found
