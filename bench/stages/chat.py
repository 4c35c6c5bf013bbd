"""Replies of a chat server, cached by prompt."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256

from bench.engine import Read, TextCache
from retrievers.answerers import ChatAnswerer, ChatServer, Reply


def replies_to(server: ChatServer, prompts: Mapping[int, str], read: Read) -> dict[int, Reply]:
    """Return the reply to each prompt by its number; a failure becomes the reply's cause.

    Each reply is cached as soon as it arrives, so that an interruption does not lose paid work.
    """
    cache = read.texts(f"answers-{_asking(server)}")
    kept = {number: _kept(cache, prompt) for number, prompt in prompts.items()}
    replies = {number: reply for number, reply in kept.items() if reply is not None}
    missing = [number for number in prompts if number not in replies]

    def done(place: int, reply: Reply) -> None:
        number = missing[place]
        replies[number] = reply
        if not reply.cause:
            cache.add(json.dumps(asdict(reply)), prompts[number])

    if missing:
        ChatAnswerer(server).replies([prompts[number] for number in missing], done)
    read.count(answers_asked=len(missing))
    return replies


def _asking(server: ChatServer) -> str:
    """Return a digest of the settings that a reply depends on besides the prompt."""
    hangs_on = (server.url, server.model, server.answer_tokens, server.refusal)
    return sha256(repr(hangs_on).encode()).hexdigest()[:24]


def _kept(cache: TextCache, prompt: str) -> Reply | None:
    found = cache.find(prompt)
    try:
        return None if found is None else Reply(**json.loads(found))
    except (ValueError, TypeError):  # written by another version of rankgrid
        return None
