"""`rankgrid cache`: what the store holds."""

from bench.settings import StudySettings
from bench.wiring import open_store


def show_cache(store_url: str, *, prune: bool) -> int:
    """Print files and bytes of each kind; with `prune`, remove them."""
    store = open_store(StudySettings(store=store_url))
    total = 0
    for folder, files, size in store.contents():
        total += size
        print(f"{folder:40} {files:7} files {size / 1e6:10.1f} MB")
    print(f"{'total':40} {'':7}       {total / 1e6:10.1f} MB in {store.url}")
    if prune:
        store.clear()
        print("removed")
    return 0
