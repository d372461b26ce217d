"""The command ``python -m engine``: replay and convert hands line by line, in constant memory."""

import argparse
import json
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from functools import partial
from typing import Any, BinaryIO, Final, TextIO

from engine import notation
from engine.errors import Fault, printable
from engine.games import BY_NAME
from engine.replay import LINE_LIMIT, parsed, replay, replay_line

VALID, INVALID, MISUSED, INTERRUPTED = 0, 1, 2, 130
STANDARD_INPUT = "-"

LARGE: Final = 4 << 20
"""The size in bytes from which a file is replayed by several processes."""
CHUNK: Final = 1 << 18
"""The bytes of lines that one process gets at a time; a longer line is a chunk of its own."""

MOST_JOBS: Final = 64

Replay = Callable[[bytes], dict[str, Any]]


def lines_of(source: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream that are not blank.

    Of a line above the limit only the first part is kept, which is still too long to be valid; the rest is read piece
    by piece and discarded.
    """
    return (line for _, line in numbered(source))


def numbered(source: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the same lines as `lines_of`, each with its number in the stream; blank lines are counted."""
    number = 0
    while line := source.readline(LINE_LIMIT + 2):
        number += 1
        rest = line
        while len(rest) > LINE_LIMIT and not rest.endswith(b"\n"):
            rest = source.readline(LINE_LIMIT + 2)
        if rest is not line:
            yield number, line
        elif text := line.strip():
            yield number, text


def replay_notation(line: bytes) -> dict[str, Any]:
    """Return the result of one line of the notation, or an error object; never raise."""
    try:
        return replay(read_notation(line, 1))
    except Fault as fault:
        return fault.as_result()


REPLAYS: Final[dict[str, Replay]] = {"json": replay_line, "notation": replay_notation}


def read_notation(line: bytes, number: int) -> dict[str, Any]:
    """Return the record of a line of the notation.

    Raises:
        Fault: R1 for a line that is not in the notation, is too long, or is not UTF-8.
    """
    if len(line) > LINE_LIMIT:
        raise Fault("R1", f"{number}:1", f"A hand is one line of at most {LINE_LIMIT} bytes; this one is longer.")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Fault("R1", f"{number}:{error.start + 1}", "The line is not UTF-8.") from None
    return notation.read(text, number=number)


def replay_lines(lines: Iterable[bytes], output: Callable[[str], object], replay_one: Replay) -> bool:
    """Pass the result of every line to ``output``, in order; return True if all were valid."""
    all_valid = True
    for line in lines:
        result = replay_one(line)
        all_valid = all_valid and result["ok"]
        output(json.dumps(result, separators=(",", ":")) + "\n")
    return all_valid


def replay_stream(source: BinaryIO, output: TextIO, replay_one: Replay = replay_line) -> bool:
    """Write the result of every line, in order; return True if all were valid."""
    return replay_lines(lines_of(source), output.write, replay_one)


def chunks_of(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield the lines in chunks of about `CHUNK` bytes."""
    chunk: list[bytes] = []
    size = 0
    for line in lines:
        chunk.append(line)
        size += len(line)
        if size >= CHUNK:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def replay_chunk(lines: Sequence[bytes], form: str) -> tuple[str, bool]:
    """Replay a chunk in a worker process; return the results as text, and True if all were valid."""
    results: list[str] = []
    all_valid = replay_lines(lines, results.append, REPLAYS[form])
    return "".join(results), all_valid


def replay_in_parallel(source: BinaryIO, output: TextIO, form: str, jobs: int) -> bool:
    """Do the same as `replay_stream` in several processes. Few chunks are read ahead, so memory stays constant."""
    all_valid = True
    waiting: deque[Future[tuple[str, bool]]] = deque()
    with ProcessPoolExecutor(jobs, initializer=leave_interrupts_to_parent) as pool:
        try:
            for chunk in chunks_of(lines_of(source)):
                waiting.append(pool.submit(replay_chunk, chunk, form))
                if len(waiting) > 2 * jobs:
                    all_valid = _written(waiting.popleft(), output) and all_valid
            while waiting:
                all_valid = _written(waiting.popleft(), output) and all_valid
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return all_valid


def leave_interrupts_to_parent() -> None:
    """Ignore SIGINT in a worker: Ctrl-C reaches every process of the terminal, and only the parent reports it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _written(done: Future[tuple[str, bool]], output: TextIO) -> bool:
    text, all_valid = done.result()
    output.write(text)
    return all_valid


def replay_files(names: Sequence[str], form: str, jobs: int | None) -> int:
    """Replay the named files in order; return the exit status. Without ``jobs``, large files use all cores."""

    def replay_file(name: str, source: BinaryIO) -> bool:
        processes = jobs or (min(os.cpu_count() or 1, MOST_JOBS) if _size(name) >= LARGE else 1)
        if processes > 1:
            return replay_in_parallel(source, sys.stdout, form, processes)
        return replay_stream(source, sys.stdout, REPLAYS[form])

    return _each_file(names, replay_file)


def convert_files(names: Sequence[str], to: str) -> int:
    """Convert the named files in order; return the exit status. A line with a fault is reported and skipped."""
    return _each_file(names, partial(_convert, to=to))


def _convert(name: str, source: BinaryIO, to: str) -> bool:
    all_valid = True
    for number, line in numbered(source):
        try:
            sys.stdout.write(_converted(line, number, to) + "\n")
        except Fault as fault:
            all_valid = False
            location = fault.at if to == "json" else f"{number}: {fault.at}".removesuffix(": ")
            print(f"engine: {name}:{location}: {fault.message}", file=sys.stderr)
    return all_valid


def _converted(line: bytes, number: int, to: str) -> str:
    if to == "json":
        return json.dumps(read_notation(line, number), separators=(",", ":"))
    record = parsed(line)
    if type(record) is not dict:
        raise Fault("R1", "", f"A record is a JSON object, not {printable(record)}.")
    return notation.write(record)


def _size(name: str) -> int:
    """Return the size of a file in bytes; 0 for the standard input, whose size is unknown."""
    return 0 if name == STANDARD_INPUT else os.stat(name).st_size


def _each_file(names: Sequence[str], work: Callable[[str, BinaryIO], bool]) -> int:
    status = VALID
    for name in names:
        try:
            source = sys.stdin.buffer if name == STANDARD_INPUT else open(name, "rb")  # noqa: SIM115
        except OSError as error:
            return _report_unreadable(name, error)
        with source:
            try:
                if not work(name, source):
                    status = INVALID
            except BrokenPipeError:
                raise
            except OSError as error:
                return _report_unreadable(name, error)
    sys.stdout.flush()
    return status


def _report_unreadable(name: str, error: OSError) -> int:
    sys.stdout.flush()
    print(f"engine: {name} cannot be read: {error.strerror}.", file=sys.stderr)
    return MISUSED


def _processes(text: str) -> int:
    """Parse the value of ``--jobs``."""
    if text.isascii() and text.isdecimal() and len(text) < 4 and 1 <= int(text) <= MOST_JOBS:
        return int(text)
    raise argparse.ArgumentTypeError(f"a number of processes from 1 to {MOST_JOBS}, not {printable(text)}")


def _parser() -> argparse.ArgumentParser:
    *others, last = (game.title for game in BY_NAME.values())
    games = f"{', '.join(others)} and {last}"
    parser = argparse.ArgumentParser(prog="python -m engine", description=f"Replay hands of {games} by the rulebook.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser(
        "replay",
        help="replay records, one JSON object a line",
        description="Read hand records as JSON Lines and write one JSON result a line, in the same order.",
        epilog="Exit status: 0 every record is valid, 1 at least one is not, 2 usage error or unreadable file.",
    )
    command.add_argument(
        "--from", dest="form", choices=sorted(REPLAYS), default="json", help="format of the lines (default: json)"
    )
    command.add_argument(
        "--jobs",
        type=_processes,
        metavar="N",
        help=f"number of processes; without it all cores for a file above {LARGE >> 20} MiB, else one",
    )
    command.set_defaults(run=lambda options: replay_files(options.files, options.form, options.jobs))
    convert = commands.add_parser(
        "convert",
        help="convert records between JSON and the notation",
        description="Read one hand a line and write it in the other format, in the same order.",
        epilog="Exit status: 0 every line was converted, 1 at least one was not, 2 usage error or unreadable file.",
    )
    convert.add_argument("--to", choices=sorted(REPLAYS), required=True, help="format to write; the other one is read")
    convert.set_defaults(run=lambda options: convert_files(options.files, options.to))
    for each in (command, convert):
        each.add_argument(
            "files", nargs="*", metavar="FILE", default=[STANDARD_INPUT], help='"-" or none: standard input'
        )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
    except BrokenPipeError:
        # The reader has closed the pipe. Without this Python would print a second error while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INVALID
    except BrokenExecutor:
        print("engine: a worker process was killed; the results are not complete.", file=sys.stderr)
        return MISUSED
    except KeyboardInterrupt:
        sys.stdout.flush()
        return INTERRUPTED
    return status


if __name__ == "__main__":
    sys.exit(main())
