"""`--json`: prints the result of a command as JSON instead of text."""

import argparse
import json


def add_json_flag(parser: argparse.ArgumentParser, shape: str) -> None:
    """Add `--json`; `shape` lists the printed keys for the help text."""
    parser.add_argument("--json", action="store_true", help=f"print JSON: {shape}")


def print_json(value: object) -> None:
    """Print a single JSON value."""
    print(json.dumps(value, indent=2, ensure_ascii=False))
