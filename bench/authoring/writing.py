"""New queries typed by a person, checked against the tree that they are about."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.authoring.query_file import GrowingSet
from bench.errors import FixtureError, UsageError
from bench.queries import Entry, Query, Target
from bench.queries.located import Place
from bench.queries.resolution import Tree
from bench.queries.verification import Finding, verify_query


@dataclass(frozen=True)
class Labels:
    """Fields of a query besides its question and its targets."""

    id: str = ""
    category: str = ""
    difficulty: str = ""
    tags: tuple[str, ...] = ()
    notes: str = ""
    draft: bool = False


@dataclass(frozen=True)
class Writer:
    """Writer of queries into a growing set."""

    growing: GrowingSet
    tree: Tree
    repository: str
    """Repository of the queries, for suites of several."""

    def entry(self, question: str, targets: Sequence[Target], labels: Labels) -> Entry:
        """Return a query without writing it; without targets it is negative."""
        text = question.strip()
        spoken = " ".join(text.casefold().split())
        for one in self.growing.entries:
            if " ".join(one.query.text.casefold().split()) == spoken != "":
                message = f"{text[:80]!r} is already asked by query {one.query.id!r}; reword it"
                raise UsageError(message)
        query = Query(
            id=self.growing.free_id(text, labels.id),
            text=text,
            targets=tuple(targets),
            negative=not targets,
            category=labels.category,
            difficulty=labels.difficulty,
            tags=labels.tags,
            notes=labels.notes,
        )
        place = Place("", 1)
        return Entry(query, self.repository, place, "queries", draft=labels.draft)

    def findings(self, entry: Entry) -> tuple[Finding, ...]:
        """Return the errors and warnings about a query."""
        _, found = verify_query(entry, self.tree)
        return tuple(one for one in found if one.rule != "unreviewed-draft")

    def overlap(self, entry: Entry) -> float | None:
        """Return the share of the question's words that also occur in its answers."""
        report, _ = verify_query(entry, self.tree)
        return report.lexical_overlap

    def refuse_wrong(self, entry: Entry) -> None:
        """Refuse a query with errors, such as answers that are not in the source."""
        for one in self.findings(entry):
            if one.severity == "error":
                raise FixtureError(f"query {entry.query.id!r}: {one.what}; {one.remedy}")
