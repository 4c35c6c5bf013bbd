"""Chunk maps: positions in the source of the numbered chunks of an external index."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.errors import FixtureError
from bench.files import read_text
from bench.queries.fields import Fields
from bench.queries.json_lines import load_json
from bench.queries.located import Located
from bench.queries.offsets import Offsets
from bench.queries.query import Target
from bench.queries.targets import span_target
from retrievers.interface import Chunks, Documents


@dataclass(frozen=True)
class ChunkMap:
    """The place of each chunk, by its number."""

    file: str
    places: Mapping[str, Target]

    def target(self, found: Located) -> Target:
        """Return the place of the chunk with the number in `found`."""
        place = self.places.get(str(found.value))
        if place is None:
            raise found.error(
                f"chunk {found.shown} is not in the chunk map {self.file}; "
                "export the map again from the index that numbered the chunks"
            )
        return place


def map_beside(path: Path) -> Path | None:
    """Return the chunk map next to a file of questions, or None."""
    beside = path.with_name(f"{path.stem}.chunks.json")
    return beside if beside.is_file() else None


def read_chunk_map(path: Path) -> ChunkMap:
    """Read a chunk map: `{"12": {"path": …, "start": …, "end": …}}`.

    `start_character` and `end_character` are exact where a chunk ends within a line.
    """
    fields = Fields.of(load_json(read_text(path, FixtureError), str(path)), "a chunk map", None)
    return ChunkMap(str(path), {name: span_target(one) for name, one in fields.values.items()})


def write_chunk_map(chunks: Chunks, documents: Documents) -> str:
    """Return the chunk map of an index as JSON. Chunks are numbered from 0."""
    known: dict[int, Offsets] = {}
    places = {}
    for number in range(len(chunks)):
        document = int(chunks.document[number])
        offsets = known.setdefault(document, Offsets(documents, document))
        span = chunks.span(number, documents)
        places[str(number)] = {
            "path": span.path,
            "start": span.start,
            "end": span.end,
            "start_character": offsets.character_of(int(chunks.start_byte[number])),
            "end_character": offsets.character_of(int(chunks.end_byte[number])),
        }
    return json.dumps(places, indent=0)
