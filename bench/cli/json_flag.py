"""`--json`: the result of a command for programs. The text for people is then not printed."""

import argparse
import json


def add_json_flag(parser: argparse.ArgumentParser, shape: str) -> None:
    """Add `--json`; `shape` says in its help which keys are printed."""
    parser.add_argument("--json", action="store_true", help=f"print JSON: {shape}")


def print_json(value: object) -> None:
    """Print one JSON value, and nothing else."""
    print(json.dumps(value, indent=2, ensure_ascii=False))
