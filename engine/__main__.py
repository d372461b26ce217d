"""``python -m engine replay [FILE…]``: JSON Lines in, one result a line out, in constant memory."""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO, TextIO

from engine.replay import LINE_LIMIT, replay_line

VALID, INVALID, MISUSED = 0, 1, 2
STANDARD_INPUT = "-"


def lines_of(source: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream that are not blank. Of a line above the limit only so much is kept that it is seen
    to be too long: the rest is read away piece by piece."""
    while line := source.readline(LINE_LIMIT + 2):
        rest = line
        while len(rest) > LINE_LIMIT and not rest.endswith(b"\n"):
            rest = source.readline(LINE_LIMIT + 2)
        if rest is not line:
            yield line
        elif text := line.strip():
            yield text


def replay_stream(source: BinaryIO, output: TextIO) -> bool:
    """Write the result of every line in order; whether all were valid."""
    all_valid = True
    for line in lines_of(source):
        result = replay_line(line)
        all_valid = all_valid and result["ok"]
        output.write(json.dumps(result, separators=(",", ":")))
        output.write("\n")
    return all_valid


def replay_files(names: Sequence[str]) -> int:
    """Replay the named files one after the other; the exit status."""
    status = VALID
    for name in names:
        try:
            source = sys.stdin.buffer if name == STANDARD_INPUT else open(name, "rb")  # noqa: SIM115
        except OSError as error:
            return _misused(name, error)
        with source:
            try:
                if not replay_stream(source, sys.stdout):
                    status = INVALID
            except BrokenPipeError:
                raise
            except OSError as error:
                return _misused(name, error)
    sys.stdout.flush()
    return status


def _misused(name: str, error: OSError) -> int:
    sys.stdout.flush()
    print(f"engine: {name} cannot be read: {error.strerror}.", file=sys.stderr)
    return MISUSED


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m engine", description="Replay hands of Chratze by the rulebook.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser(
        "replay",
        help="replay records, one JSON object a line",
        description="Read hand records as JSON Lines and write one JSON result a line, in the same order.",
        epilog="Exit status: 0 every record is valid, 1 at least one is not, 2 wrong call or unreadable file.",
    )
    command.add_argument(
        "files", nargs="*", metavar="FILE", default=[STANDARD_INPUT], help='"-" or none: standard input'
    )
    options = parser.parse_args(arguments)
    try:
        return replay_files(options.files)
    except BrokenPipeError:
        # Whoever read the results has gone; without this Python would complain once more while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INVALID


if __name__ == "__main__":
    sys.exit(main())
