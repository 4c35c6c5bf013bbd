"""Queries, their targets in the source, and the files that hold them."""

from bench.queries.building import Entry, Fault
from bench.queries.chunk_map import write_chunk_map
from bench.queries.copies import (
    CopiedQuestion,
    CopyingDocument,
    QuestionCopies,
    find_copies,
    words_of,
)
from bench.queries.corpus import CorpusFolder, corpus_format, find_corpus, read_corpus
from bench.queries.field_names import FieldNames
from bench.queries.fields import COMMIT
from bench.queries.formats.beir import write_beir
from bench.queries.formats.characters import write_characters
from bench.queries.formats.format import Formats, written_format, written_formats
from bench.queries.formats.golden import write_golden
from bench.queries.formats.issues import Commit, read_issues, split_at_definitions
from bench.queries.formats.parquet import write_table
from bench.queries.formats.queries import write_queries
from bench.queries.formats.registry import FORMATS
from bench.queries.formats.spans import write_span_lines
from bench.queries.formats.tasks import write_task
from bench.queries.formats.trec import (
    RunRow,
    write_qrels,
    write_run,
    write_topics,
    write_trec,
)
from bench.queries.halves import HALVES, Half, HalfOf, in_half, repositories_in_half
from bench.queries.judged import JudgedPlaces, definition_asked, digest_of
from bench.queries.name_lookup import Meanings
from bench.queries.offsets import Offsets
from bench.queries.only import Only, in_turn, names_of
from bench.queries.query import LEVELS, JudgedPlace, Level, Query, Target, together
from bench.queries.readers import (
    asked_of,
    read_asked,
    read_entries,
    read_queries,
    read_topics,
    refuse_duplicates,
    refuse_several_commits,
    reviewed,
)
from bench.queries.resolution import (
    Problem,
    Tree,
    finest_level,
    levels_of,
    problems_in,
    resolution_problems,
    resolve,
    resolve_in,
)
from bench.queries.resolved import Judgements
from bench.queries.stale import stale_places
from bench.queries.target_states import (
    Earlier,
    Followed,
    Lost,
    Missing,
    TargetState,
    follow,
    states_of,
    with_states,
)
from bench.queries.targets import normal_path

__all__ = [
    "COMMIT",
    "FORMATS",
    "HALVES",
    "LEVELS",
    "Commit",
    "CopiedQuestion",
    "CopyingDocument",
    "CorpusFolder",
    "Earlier",
    "Entry",
    "Fault",
    "FieldNames",
    "Followed",
    "Formats",
    "Half",
    "HalfOf",
    "JudgedPlace",
    "JudgedPlaces",
    "Judgements",
    "Level",
    "Lost",
    "Meanings",
    "Missing",
    "Offsets",
    "Only",
    "Problem",
    "Query",
    "QuestionCopies",
    "RunRow",
    "Target",
    "TargetState",
    "Tree",
    "asked_of",
    "corpus_format",
    "definition_asked",
    "digest_of",
    "find_copies",
    "find_corpus",
    "finest_level",
    "follow",
    "in_half",
    "in_turn",
    "levels_of",
    "names_of",
    "normal_path",
    "problems_in",
    "read_asked",
    "read_corpus",
    "read_entries",
    "read_issues",
    "read_queries",
    "read_topics",
    "refuse_duplicates",
    "refuse_several_commits",
    "repositories_in_half",
    "resolution_problems",
    "resolve",
    "resolve_in",
    "reviewed",
    "split_at_definitions",
    "stale_places",
    "states_of",
    "together",
    "with_states",
    "words_of",
    "write_beir",
    "write_characters",
    "write_chunk_map",
    "write_golden",
    "write_qrels",
    "write_queries",
    "write_run",
    "write_span_lines",
    "write_table",
    "write_task",
    "write_topics",
    "write_trec",
    "written_format",
    "written_formats",
]
