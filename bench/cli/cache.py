"""`rankgrid cache`: shows and removes the contents of the store."""

import argparse
from typing import TYPE_CHECKING

from bench.cli.json_flag import add_json_flag, print_json
from bench.errors import UsageError
from bench.files import STORE

if TYPE_CHECKING:
    from bench.engine import ArtifactStore


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    cache = commands.add_parser(
        "cache",
        help="show the size of the store, or remove entries",
        description="Show the size of the store of finished work, or remove entries. Removed work"
        " is done again when it is needed. What a running study uses is kept.",
    )
    cache.add_argument(
        "--store", default=STORE, metavar="URL", help=f"the store (default: {STORE})"
    )
    removing = cache.add_mutually_exclusive_group()
    removing.add_argument("--prune", action="store_true", help="remove everything")
    removing.add_argument(
        "--max-gb",
        type=_size,
        metavar="GB",
        help="remove the entries used least recently until the store has this size",
    )
    add_json_flag(
        cache, "store, folders (each with folder, files, bytes), bytes, running, removed_bytes"
    )
    cache.set_defaults(command=_cache)


def _size(text: str) -> float:
    try:
        size = float(text)
    except ValueError:
        size = -1.0
    if not 0 <= size < float("inf"):
        raise argparse.ArgumentTypeError(f"{text}: is not a size. Use gigabytes, such as 20")
    return size


def _cache(found: argparse.Namespace) -> int:
    from bench.engine import leases
    from bench.settings import StudySettings
    from bench.wiring import open_store

    store = open_store(StudySettings(store=found.store))
    folders = store.contents()
    total = sum(size for _, _, size in folders)
    running = leases.held(store.root) if store.root else []
    if not found.json:
        for folder, files, size in folders:
            noun = "file " if files == 1 else "files"
            print(f"{folder:40} {files:7} {noun} {size / 1e6:10.1f} MB")
        print(f"{'total':40} {'':7}       {total / 1e6:10.1f} MB in {store.url}")
        for lease in running:
            print(f"in use by process {lease.pid} on {lease.host}")
    most = 0.0 if found.prune else found.max_gb
    removed = None if most is None else _removed(store, most, total)
    if found.json:
        rows = [{"folder": name, "files": files, "bytes": size} for name, files, size in folders]
        processes = [{"pid": lease.pid, "host": lease.host} for lease in running]
        whole = {"store": store.url, "folders": rows, "bytes": total, "running": processes}
        print_json({**whole, "removed_bytes": removed or 0})
    elif removed is not None:
        print(f"removed {removed / 1e6:.1f} MB")
    return 0


def _removed(store: "ArtifactStore", most_gb: float, total: int) -> int:
    """Shrink a store to at most `most_gb` GB; return the number of removed bytes."""
    from bench.engine import trimmed

    if store.root is not None:
        done = trimmed(store.root, int(most_gb * 1e9))
        return done.removed if done else 0
    if most_gb:
        message = f"--max-gb {most_gb:g}: a remote store records no times. Use --prune, or"
        raise UsageError(f"{message} a lifecycle rule of the server.")
    store.clear()
    return total
