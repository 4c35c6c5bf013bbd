"""Qdrant as a vector engine: its core in this process, or a server by its address."""

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from retrievers.dense.engine_settings import VectorSettings
from retrievers.dense.engines import (
    ExactEngine,
    Found,
    VectorEngine,
    check_query,
    ties_by_id,
)
from retrievers.dense.held import Groups, Held, Rows
from retrievers.dense.tokens import TokenVectors
from retrievers.errors import VectorError
from retrievers.interface import Floats

if TYPE_CHECKING:
    from qdrant_client import QdrantClient, models

_SECONDS = 60
_SECONDS_TO_INDEX, _SECONDS_BETWEEN = 600, 0.2
_COLLECTION = "rankgrid-"
_NO_PORT = 6334
"""Port that the client requires even if gRPC is not used."""


def open_engine(
    settings: VectorSettings, vectors: Floats, *, indexed: bool = True
) -> VectorEngine:
    """Return an engine that holds `vectors` under their row numbers as ids."""
    if not np.isfinite(vectors).all():
        row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        message = f"vectors={settings.kind}: vector {row} has NaN or infinity; embed it again"
        raise VectorError(message)
    if settings.kind == "exact":
        return ExactEngine(vectors)
    return _opened(settings, Rows(vectors), indexed=indexed)


def open_multivectors(settings: VectorSettings, tokens: TokenVectors) -> "QdrantEngine":
    """Return an engine that holds the token vectors of texts under their positions as ids.

    Its scores are sums over the tokens of a query. Every text is compared: a graph over MaxSim
    takes longer to make than all queries of a study take without it.
    """
    if settings.is_exact:
        message = "vectors=exact: holds one vector a text; give served_from=memory or an engine"
        raise VectorError(message)
    return _opened(settings, Groups(tokens), indexed=False)


def _opened(settings: VectorSettings, held: Held, *, indexed: bool) -> "QdrantEngine":
    kind = EdgeEngine if settings.kind == "edge" else ServerEngine
    return kind(held, settings, indexed=indexed)


class EdgeEngine:
    """Qdrant's embedded engine in this process, in a temporary folder."""

    def __init__(self, held: Held, settings: VectorSettings, *, indexed: bool) -> None:
        import qdrant_edge as edge

        self._size, self._exact = len(held), not indexed
        self._looked_at, self._small = settings.ef or None, _second_scoring_in_edge(settings)
        self._folder = tempfile.TemporaryDirectory(prefix="rankgrid-vectors-")
        several = edge.MultiVectorConfig(edge.MultiVectorComparator.MaxSim)
        parameters = edge.EdgeVectorParams(
            size=held.dimensions,
            distance=edge.Distance.Dot,
            multivector_config=several if held.has_several else None,
        )
        config = edge.EdgeConfig(
            vectors=parameters,
            max_search_threads=1,
            hnsw_config=edge.HnswIndexConfig(
                settings.m,
                settings.ef_construct,
                settings.scan_below_kilobytes,
                max_indexing_threads=1,
            ),
            optimizers=edge.EdgeOptimizersConfig(
                default_segment_number=1, indexing_threshold=settings.scan_below_kilobytes
            ),
            quantization_config=_small_in_edge(settings),
        )
        self._shard = edge.EdgeShard.create(self._folder.name, config)
        for ids, vectors in held.batches():
            points = list(map(edge.Point, ids, vectors))
            self._shard.update(edge.UpdateOperation.upsert_points(points))
        if indexed:
            self._shard.optimize()

    def search(self, vector: Floats, limit: int) -> Found:
        """Return the nearest vectors."""
        import qdrant_edge as edge

        check_query(vector)
        query = edge.Query.Nearest(vector.tolist())
        parameters = edge.SearchParams(
            hnsw_ef=self._looked_at, exact=self._exact, quantization=self._small
        )

        def ask(depth: int) -> Sequence[Any]:
            request = edge.SearchRequest(query=query, limit=depth, params=parameters)
            return list(self._shard.search(request))

        return ties_by_id(ask, limit, self._size)

    def close(self) -> None:
        """Close the shard and remove its folder."""
        self._shard.close()
        self._folder.cleanup()


class ServerEngine:
    """A Qdrant server with a collection that is made for this engine and removed with it."""

    def __init__(self, held: Held, settings: VectorSettings, *, indexed: bool) -> None:
        from qdrant_client import models

        if not settings.url:
            raise VectorError("vectors=server: it needs an address; add vectors.url=http://…")
        self._size, self._url = len(held), settings.url
        self._parameters = models.SearchParams(
            hnsw_ef=settings.ef or None,
            exact=not indexed,
            quantization=_second_scoring_on_server(settings),
        )
        self._name = f"{_COLLECTION}{uuid4().hex}"
        self._client = _client(settings)
        with self._answering():
            self._create(held, settings)
        with self._removed_on_failure(), self._answering():
            self._fill(held)
            self._wait_until_indexed()

    def search(self, vector: Floats, limit: int) -> Found:
        """Return the nearest vectors."""
        check_query(vector)

        def ask(depth: int) -> Sequence[Any]:
            with self._answering():
                answer = self._client.query_points(
                    self._name, query=vector.tolist(), limit=depth, search_params=self._parameters
                )
            return list(answer.points)

        return ties_by_id(ask, limit, self._size)

    def close(self) -> None:
        """Remove the collection and close the connection."""
        try:
            with self._answering():
                self._client.delete_collection(self._name)
        finally:
            self._client.close()

    def _create(self, held: Held, settings: VectorSettings) -> None:
        from qdrant_client import models

        # With 0 links, Qdrant does not make a graph.
        scanned, links = settings.scan_below_kilobytes, 0 if held.has_several else settings.m
        several = models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM)
        self._client.create_collection(
            self._name,
            vectors_config=models.VectorParams(
                size=held.dimensions,
                distance=models.Distance.DOT,
                multivector_config=several if held.has_several else None,
            ),
            hnsw_config=models.HnswConfigDiff(
                m=links, ef_construct=settings.ef_construct, full_scan_threshold=scanned
            ),
            optimizers_config=models.OptimizersConfigDiff(indexing_threshold=scanned),
            quantization_config=_small_on_server(settings),
        )

    def _wait_until_indexed(self) -> None:
        """Wait until the server has finished indexing, which it does in the background."""
        from qdrant_client import models

        end = time.monotonic() + _SECONDS_TO_INDEX
        while self._client.get_collection(self._name).status != models.CollectionStatus.GREEN:
            if time.monotonic() > end:
                message = f"vectors.url={self._url}: it is still indexing after"
                raise VectorError(
                    f"{message} {_SECONDS_TO_INDEX} s; give the server more processors"
                )
            time.sleep(_SECONDS_BETWEEN)

    def _fill(self, held: Held) -> None:
        from qdrant_client import models

        for ids, vectors in held.batches():
            points = models.Batch(ids=[*ids], vectors=vectors)
            self._client.upsert(self._name, points=points, wait=True)
        found = self._client.count(self._name, exact=True).count
        if found != len(held):
            message = (
                f"vectors.url={self._url}: it holds {found} of {len(held)} vectors; ask again"
            )
            raise VectorError(message)

    @contextmanager
    def _removed_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            with suppress(VectorError):
                self.close()
            raise

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Convert errors of the server to VectorError."""
        from grpc import Call, RpcError
        from qdrant_client.common.client_exceptions import QdrantException
        from qdrant_client.http.exceptions import ApiException

        try:
            yield
        except (ApiException, QdrantException, RpcError) as error:
            said = error.details() if isinstance(error, Call) else str(error)
            reason = " ".join(str(said).split())[:200]
            message = (
                f"vectors.url={self._url}: the server failed ({reason}); is it Qdrant, and up?"
            )
            raise VectorError(message) from error


QdrantEngine = EdgeEngine | ServerEngine


def _small_in_edge(settings: VectorSettings) -> Any:
    import qdrant_edge as edge

    if settings.quantization == "scalar":
        return edge.ScalarQuantizationConfig(edge.ScalarType.Int8)
    if settings.quantization == "product":
        return edge.ProductQuantizationConfig(edge.CompressionRatio.X16)
    return edge.BinaryQuantizationConfig() if settings.quantization == "binary" else None


def _small_on_server(
    settings: VectorSettings,
) -> "models.ScalarQuantization | models.BinaryQuantization | models.ProductQuantization | None":
    from qdrant_client import models

    if settings.quantization == "scalar":
        config = models.ScalarQuantizationConfig(type=models.ScalarType.INT8)
        return models.ScalarQuantization(scalar=config)
    if settings.quantization == "binary":
        return models.BinaryQuantization(binary=models.BinaryQuantizationConfig())
    if settings.quantization == "product":
        ratio = models.ProductQuantizationConfig(compression=models.CompressionRatio.X16)
        return models.ProductQuantization(product=ratio)
    return None


_RESCORED = MappingProxyType({"auto": None, "on": True, "off": False})


def _second_scoring_in_edge(settings: VectorSettings) -> Any:
    import qdrant_edge as edge

    if settings.rescore == "auto" and settings.oversampling == 1:
        return None
    return edge.QuantizationSearchParams(
        rescore=_RESCORED[settings.rescore], oversampling=settings.oversampling
    )


def _second_scoring_on_server(
    settings: VectorSettings,
) -> "models.QuantizationSearchParams | None":
    from qdrant_client import models

    if settings.rescore == "auto" and settings.oversampling == 1:
        return None
    return models.QuantizationSearchParams(
        rescore=_RESCORED[settings.rescore], oversampling=settings.oversampling
    )


def _client(settings: VectorSettings) -> "QdrantClient":
    from qdrant_client import QdrantClient

    key = os.environ.get(settings.key_variable) if settings.key_variable else None
    return QdrantClient(
        url=settings.url,
        api_key=key,
        timeout=_SECONDS,
        check_compatibility=False,
        prefer_grpc=settings.grpc_port > 0,
        grpc_port=settings.grpc_port or _NO_PORT,
    )
