"""The output of `--help` of a study: flags, choices, and all settings with their defaults."""

from textwrap import indent

from bench.files import data_folder
from bench.launcher.arguments import argument_parser
from bench.launcher.catalogue import Catalogue

_PAGE = """\
rankgrid finds out which retrieval configuration to ship, with the evidence.

  {program} [-m] [SETTING=VALUE[,VALUE…] …] [FLAG …]

With -m, several values of a setting make a grid: every combination is a trial.

== Choices (NAME=CHOICE) ==
{choices}

== Study files (study=NAME, or study=FILE.yaml) ==
  {studies}
  A study writes one for the configuration that it advises: outputs/latest/chosen.yaml

== Flags ==
{flags}

== Rules of thumb for a mean (docs/measures.md) ==
  mrr          poor below 0.4, fair below 0.6, good below 0.8, else excellent
  recall_at_5  poor below 0.5, fair below 0.7, good below 0.9, else excellent
  ndcg_at_10   poor below 0.6, fair below 0.8, good below 0.9, else excellent

== Settings with their defaults (fields of a choice: NAME.FIELD=VALUE) ==
{settings}
"""


def help_page(program: str) -> str:
    """Return the page without a line break at its end."""
    conf = data_folder("conf")
    known = Catalogue(conf)
    choices = (f"{name}: {', '.join(own)}" for name, own in known.groups.items())
    settings = (conf / "config.yaml").read_text(encoding="utf-8")
    # Keep only the flags, since the usage is already at the top of the page.
    flags = argument_parser(program).format_help().partition("options:\n")[2]
    return _PAGE.format(
        program=program,
        choices=indent("\n".join(choices), "  "),
        studies=", ".join(known.studies),
        flags=flags.rstrip(),
        settings=indent(settings, "  "),
    ).rstrip("\n")
