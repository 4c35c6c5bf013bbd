"""The table of formats.

Formats are tried from the top, and the first that recognises a path, a document or a record reads
it. A format that accepts anything is the last of its kind.
"""

from bench.queries.formats import (
    beir,
    characters,
    golden,
    issues,
    parquet,
    queries,
    spans,
    tasks,
    trec,
)
from bench.queries.formats.format import (
    DocumentFormat,
    Format,
    Formats,
    PathFormat,
    RecordFormat,
    as_text,
)
from bench.queries.json_lines import LINES

_YAML = (".yaml", ".yml")

FORMATS: Formats = (
    DocumentFormat(
        "queries",
        sniff=queries.is_query_set,
        read=queries.read_query_set,
        write=as_text(queries.write_queries),
        suffix=".yaml",
        found_as=_YAML,
    ),
    DocumentFormat(
        "tasks",
        sniff=tasks.is_task,
        read=tasks.read_task,
        write=tasks.write_tasks,
        found_as=_YAML,
    ),
    RecordFormat("issues", sniff=issues.is_issue, read=issues.read_issue, found_as=LINES),
    RecordFormat(
        "parquet",
        sniff=parquet.is_row,
        read=parquet.read_row,
        write=parquet.write_rows,
        suffix=parquet.TABLE,
        found_as=(parquet.TABLE,),
    ),
    RecordFormat(
        "golden",
        sniff=golden.is_golden,
        read=golden.read_golden,
        write=as_text(golden.write_golden),
        suffix=".jsonl",
        found_as=LINES,
    ),
    RecordFormat(
        "spans",
        sniff=lambda _record: True,
        read=spans.read_span_line,
        write=as_text(spans.write_span_lines),
        suffix=".jsonl",
        found_as=LINES,
    ),
    PathFormat(
        "beir",
        sniff=beir.is_beir,
        read=beir.read_beir,
        documents=beir.beir_documents,
        write=beir.export_beir,
    ),
    PathFormat(
        "trec",
        sniff=trec.is_trec,
        read=trec.read_trec,
        documents=trec.trec_documents,
        write=trec.export_trec,
    ),
    PathFormat(
        "characters",
        sniff=characters.are_characters,
        read=characters.read_characters,
        documents=characters.character_documents,
        write=characters.export_characters,
    ),
    Format("topics", write=as_text(trec.write_topics), suffix=".tsv", is_half=True),
    PathFormat(
        "qrels",
        sniff=trec.are_qrels,
        read=trec.refuse_qrels,
        write=trec.export_qrels,
        suffix=".txt",
        is_half=True,
    ),
)
