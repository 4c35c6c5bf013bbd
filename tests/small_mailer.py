"""A small mailer, and questions whose paths and frames are not where the answer is.

The questions were written before any retriever ran on them. Each names a file of the project, or
one that looks like it, as context; the cause is elsewhere, as it often is in real reports.
"""

from dataclasses import dataclass

FILES = {
    "mailer/sender.py": '''\
"""Send messages through a connection, one after the other."""

from mailer.pool import Pool
from mailer.retry import retried
from mailer.templates import render


class Sender:
    """Deliver messages and remember which of them were accepted."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.accepted: set[str] = set()

    @retried(times=3)
    def send_all(self, messages):
        """Send each message; a failure in the middle begins again with the first."""
        for message in messages:
            with self.pool.connection() as connection:
                connection.deliver(message.sender, message.recipients, render(message))
            self.accepted.add(message.number)
''',
    "mailer/pool.py": '''\
"""Connections that are kept open and used again."""

from contextlib import contextmanager

from mailer.smtp import Connection


class Pool:
    """At most `size` open connections to one server."""

    def __init__(self, host: str, size: int = 4) -> None:
        self.host, self.size = host, size
        self.idle: list[Connection] = []

    @contextmanager
    def connection(self):
        """Give a connection that nobody uses, or open one."""
        found = self.idle.pop() if self.idle else Connection(self.host)
        yield found
        self.idle.append(found)

    def shut_down(self):
        """Forget idle connections without closing their sockets."""
        self.idle.clear()
''',
    "mailer/smtp.py": '''\
"""The protocol: greeting, commands, replies."""

import socket

from mailer.encoding import fold_header


class Connection:
    """A session with a server, from greeting to QUIT."""

    def __init__(self, host: str, port: int = 25) -> None:
        self.socket = socket.create_connection((host, port))

    def command(self, line: str) -> int:
        """Send a command and return the code of its reply; 4xx and 5xx raise."""
        self.socket.sendall(line.encode("ascii") + b"\\r\\n")
        code = int(self.socket.recv(4096)[:3])
        if code >= 400:
            raise RuntimeError(f"server replied {code}")
        return code

    def deliver(self, sender: str, recipients: list[str], text: str) -> None:
        """Send one message to its recipients."""
        self.command(f"MAIL FROM:<{sender}>")
        for recipient in recipients:
            self.command(f"RCPT TO:<{recipient}>")
        self.command("DATA")
        self.command(fold_header(text) + "\\r\\n.")

    def close(self) -> None:
        """Say QUIT and close the socket."""
        self.command("QUIT")
        self.socket.close()
''',
    "mailer/encoding.py": '''\
"""Headers and bodies as bytes that servers accept."""


def fold_header(text: str, width: int = 78) -> str:
    """Break lines that are longer than a header may be, at spaces."""
    lines = []
    while len(text) > width:
        cut = text.rfind(" ", 0, width)
        lines.append(text[:cut])
        text = text[cut:]
    return "\\r\\n".join([*lines, text])


def encode_subject(subject: str) -> str:
    """Return a subject with letters outside of ASCII as an encoded word."""
    return f"=?utf-8?q?{subject}?="
''',
    "mailer/retry.py": '''\
"""Try again after errors of the network."""

import functools
import time

from mailer.throttle import wait_time


def retried(times: int):
    """Return a decorator that calls a function again after OSError."""

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for attempt in range(times):
                try:
                    return function(*args, **kwargs)
                except OSError:
                    time.sleep(wait_time(attempt))
            return function(*args, **kwargs)

        return wrapper

    return decorate
''',
    "mailer/throttle.py": '''\
"""How long to wait between attempts."""


def wait_time(attempt: int, limit: float = 60.0) -> float:
    """Return seconds of back-off: twice as long each time, up to a limit."""
    return min(limit, -1.0 + 2.0**attempt)
''',
    "mailer/config.py": '''\
"""Settings from a file and from the environment."""

import os
import tomllib


def load_settings(path: str) -> dict[str, object]:
    """Return the settings of a TOML file; variables of the environment override them."""
    with open(path, "rb") as file:
        settings = tomllib.load(file)
    for name in ("host", "port", "sender"):
        value = os.environ.get(f"MAILER_{name.upper()}")
        if value is not None:
            settings[name] = value
    return settings
''',
    "mailer/templates.py": '''\
"""Texts with places for names."""

import re

from mailer.addresses import display_name

PLACE = re.compile(r"{{ *(\\w+) *}}")


def render(message) -> str:
    """Return the text of a message with its places filled in."""
    values = {**message.values, "name": display_name(message.recipients[0])}
    return PLACE.sub(lambda place: values[place[1]], message.template)
''',
    "mailer/addresses.py": '''\
"""Addresses with names before them."""


def parse_address(text: str) -> tuple[str, str]:
    """Return the display name and the mailbox of an address; quotes are not understood."""
    name, _, mailbox = text.rpartition("<")
    return name.strip(), mailbox.rstrip(">")


def split_addresses(text: str) -> list[str]:
    """Split a list of recipients at commas, also at those within quoted names."""
    return [one.strip() for one in text.split(",")]


def display_name(address: str) -> str:
    """Return the name of a recipient, or the part before the @."""
    return parse_address(address)[0] or address.partition("@")[0]
''',
    "mailer/attachments.py": '''\
"""Files that go along with a message."""

import mimetypes


def attach(message, path: str) -> None:
    """Add a file to a message; its type is guessed from its name."""
    kind, _ = mimetypes.guess_type(path)
    with open(path, "rb") as file:
        message.parts.append((path.rsplit("/", 1)[-1], kind, file.read()))
''',
    "mailer/cli.py": '''\
"""The commands: send, check, flush."""

import argparse

from mailer.config import load_settings


def main() -> None:
    """Run a command; flush is not registered."""
    parser = argparse.ArgumentParser("mailer")
    commands = parser.add_subparsers(required=True)
    commands.add_parser("send").add_argument("file")
    commands.add_parser("check").add_argument("--config", default="mailer.toml")
    arguments = parser.parse_args()
    print(load_settings(arguments.config))
''',
    "mailer/queue.py": '''\
"""Messages that wait on disk until a worker sends them."""

import threading


class Queue:
    """A folder of messages, emptied by a thread in the background."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.worker = threading.Thread(target=self.flush)

    def flush(self) -> None:
        """Send what waits, oldest first."""

    def join(self) -> None:
        """Wait for the worker, which never ends by itself."""
        self.worker.join()
''',
    "mailer/version.py": '''\
"""Which version is installed."""

from importlib import metadata


def installed_version() -> str:
    """Return the version of the distribution, or 0.0.0 where there is none."""
    try:
        return metadata.version("mailer")
    except metadata.PackageNotFoundError:
        return "0.0.0"
''',
    "tests/test_sender.py": """\
from mailer.sender import Sender


def test_messages_are_accepted_in_turn(pool, messages):
    sender = Sender(pool)
    sender.send_all(messages)
    assert sender.accepted == {message.number for message in messages}
""",
    "examples/newsletter.py": '''\
"""Send a newsletter to all customers."""

from mailer.queue import Queue

queue = Queue("waiting")
queue.worker.start()
queue.join()
''',
    "examples/app.py": '''\
"""A web application that sends a mail after each order."""

from mailer.pool import Pool
from mailer.sender import Sender

sender = Sender(Pool("localhost"))


def ordered(order):
    sender.send_all([order.receipt()])
''',
    "pyproject.toml": '[project]\nname = "mailer"\nversion = "2.1.0"\n',
    "mailer.toml": 'host = "localhost"\nport = 25\nsender = "shop@example.org"\n',
    "README.md": """\
# mailer

Send mail with `Sender`, keep it in a `Queue`, and add files with `attach`, by name or by path.
Settings are in `mailer.toml`.
""",
}


@dataclass(frozen=True)
class Trap:
    """A question, the file with its answer, and the files that it names without meaning them."""

    question: str
    answer: str
    named: tuple[str, ...]


TRAPS = (
    Trap(
        "Messages go out twice\n\nIn tests/test_sender.py I call send_all with three messages and"
        " get the first one delivered again whenever the second fails.",
        "mailer/sender.py",
        ("tests/test_sender.py",),
    ),
    Trap(
        "The port in mailer.toml counts for nothing once the environment has MAILER_PORT,"
        " which comes back as text",
        "mailer/config.py",
        ("mailer.toml",),
    ),
    Trap(
        "After an install from a checkout the version is 0.0.0, although pyproject.toml says"
        " 2.1.0",
        "mailer/version.py",
        ("pyproject.toml",),
    ),
    Trap(
        "Long subjects arrive broken\n\nTraceback (most recent call last):\n"
        '  File "/srv/site/mailer/sender.py", line 20, in send_all\n'
        '  File "/srv/site/mailer/smtp.py", line 34, in deliver\n'
        '  File "/srv/site/mailer/smtp.py", line 23, in command\n'
        "RuntimeError: server replied 500\n\n"
        "The header is folded in the middle of a word, it seems, when it has no spaces.",
        "mailer/encoding.py",
        ("mailer/smtp.py", "mailer/sender.py"),
    ),
    Trap(
        "KeyError from a template\n\nTraceback (most recent call last):\n"
        '  File "/home/me/shop/app.py", line 12, in ordered\n'
        '  File "/home/me/shop/orders.py", line 7, in receipt\n'
        "KeyError: 'total'\n\nCan places in texts have defaults?",
        "mailer/templates.py",
        ("examples/app.py",),
    ),
    Trap(
        "README.md says that files can be attached by path, but attach fails for a pathlib.Path:"
        " it has no rsplit",
        "mailer/attachments.py",
        ("README.md",),
    ),
    Trap(
        "Running examples/newsletter.py never comes back: the thread in the background that"
        " empties the folder of messages does not end",
        "mailer/queue.py",
        ("examples/newsletter.py",),
    ),
    Trap(
        "Sockets are leaked on shutdown. A single connection of mailer/smtp.py says QUIT, but idle"
        " ones are just forgotten.",
        "mailer/pool.py",
        ("mailer/smtp.py",),
    ),
    Trap(
        "Since mailer/queue.py has a flush there should be a command for it: `mailer flush`"
        " prints invalid choice",
        "mailer/cli.py",
        ("mailer/queue.py",),
    ),
    Trap(
        "ValueError: sleep length must be non-negative\n\nTraceback (most recent call last):\n"
        '  File "/usr/lib/python3/site-packages/mailer/retry.py", line 20, in wrapper\n'
        '  File "/usr/lib/python3/site-packages/mailer/retry.py", line 22, in wrapper\n'
        "ValueError: sleep length must be non-negative\n\n"
        "The back-off of the first attempt must be wrong. It should be seconds above 0.",
        "mailer/throttle.py",
        ("mailer/retry.py",),
    ),
    Trap(
        "Our own utils/addresses.py hands over 'Doe, Jane <jane@example.org>' and two recipients"
        " come out, split within the quoted name",
        "mailer/addresses.py",
        (),
    ),
)
