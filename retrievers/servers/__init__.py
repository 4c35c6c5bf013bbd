"""Requests for JSON to servers, with time-outs, retries with back-off, rate limits and keys.

The content of requests does not matter here.
"""

from retrievers.servers.attempts import PassingError, without_key
from retrievers.servers.clients import AsyncJsonClient, JsonClient, Timed
from retrievers.servers.deadlines import Connections
from retrievers.servers.settings import Server, ServerTimeoutError, check_url, key_of

__all__ = [
    "AsyncJsonClient",
    "Connections",
    "JsonClient",
    "PassingError",
    "Server",
    "ServerTimeoutError",
    "Timed",
    "check_url",
    "key_of",
    "without_key",
]
