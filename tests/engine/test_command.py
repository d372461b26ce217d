"""``python -m engine replay``: JSON Lines in, JSON Lines out."""

import contextlib
import io
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from engine import __main__ as command
from engine.replay import LINE_LIMIT
from tests.engine.hands import FULL, TALLY, WALKOVER, tally

pytestmark = pytest.mark.rest

ROOT = Path(__file__).parents[2]
BAD = tally(seats=9)


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "engine", *arguments],
        input=stdin,
        capture_output=True,
        cwd=ROOT,
        check=False,
        timeout=300,
    )


def lines(*records: object) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def results(output: bytes | str) -> list[dict[str, object]]:
    return [json.loads(line) for line in output.splitlines()]


def test_valid_records_exit_with_0_and_their_results_in_order() -> None:
    ran = run("replay", stdin=lines(TALLY, FULL, WALKOVER))
    assert ran.returncode == 0
    assert results(ran.stdout) == [engine.replay(record) for record in (TALLY, FULL, WALKOVER)]
    assert ran.stderr == b""


def test_one_invalid_record_exits_with_1() -> None:
    ran = run("replay", stdin=lines(TALLY, BAD, FULL))
    assert ran.returncode == 1
    assert [result["ok"] for result in results(ran.stdout)] == [True, False, True]


def test_wrong_arguments_exit_with_2() -> None:
    for arguments in (
        *((), ("reply",), ("replay", "--fast"), ("replay", "/nowhere/hands.jsonl"), ("replay", "/tmp")),
        *(("convert",), ("convert", "--to", "csv"), ("convert", "--to", "json", "/nowhere/hands.txt")),
    ):
        ran = run(*arguments)
        assert ran.returncode == 2, arguments
        assert ran.stdout == b""
        assert b"Traceback" not in ran.stderr
    assert (
        b"engine: /nowhere/hands.jsonl cannot be read: No such file or directory."
        in run("replay", "/nowhere/hands.jsonl").stderr
    )


HELP = """\
usage: python -m engine [-h] COMMAND ...

Replay hands of Chratze, Kratzen and Zwicken by the rulebook.

positional arguments:
  COMMAND
    replay    replay records, one JSON object a line
    convert   convert records between JSON and the notation

options:
  -h, --help  show this help message and exit
"""
HELP_FOR_REPLAY = """\
usage: python -m engine replay [-h] [--from {json,notation}] [--jobs N] [FILE ...]

Read hand records as JSON Lines and write one JSON result a line, in the same order.

positional arguments:
  FILE                  "-" or none: standard input

options:
  -h, --help            show this help message and exit
  --from {json,notation}
                        format of the lines (default: json)
  --jobs N              number of processes; without it all cores for a file above 4 MiB, else one

Exit status: 0 every record is valid, 1 at least one is not, 2 usage error or unreadable file.
"""
HELP_FOR_CONVERT = """\
usage: python -m engine convert [-h] --to {json,notation} [FILE ...]

Read one hand a line and write it in the other format, in the same order.

positional arguments:
  FILE                  "-" or none: standard input

options:
  -h, --help            show this help message and exit
  --to {json,notation}  format to write; the other one is read

Exit status: 0 every line was converted, 1 at least one was not, 2 usage error or unreadable file.
"""


@pytest.mark.parametrize(
    ("arguments", "text"),
    [(["--help"], HELP), (["replay", "--help"], HELP_FOR_REPLAY), (["convert", "--help"], HELP_FOR_CONVERT)],
)
def test_help(
    arguments: list[str], text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit) as left:
        command.main(arguments)
    assert left.value.code == 0
    assert capsys.readouterr().out == text


def test_a_missing_command_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        command.main([])
    assert left.value.code == 2
    assert capsys.readouterr().err.endswith("python -m engine: error: the following arguments are required: COMMAND\n")


def test_a_dash_is_the_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines(TALLY, BAD))))
    assert command.main(["replay", "-"]) == 1
    assert capsys.readouterr().out == "".join(
        json.dumps(engine.replay(record), separators=(",", ":")) + "\n" for record in (TALLY, BAD)
    )


def test_it_needs_neither_django_nor_another_package() -> None:
    script = "import sys, engine, engine.sample, engine.__main__; print(*{name.split('.')[0] for name in sys.modules})"
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", f"import sys; sys.path.append({str(ROOT)!r}); {script}"],
                         capture_output=True, check=True, timeout=300)  # fmt: skip
    loaded = set(ran.stdout.decode().split())
    assert "engine" in loaded
    # The module multiprocessing adds another name for __main__.
    assert loaded - set(sys.stdlib_module_names) - {"__main__", "__mp_main__"} == {"engine"}


def test_a_closed_pipe_gives_no_traceback() -> None:
    many = lines(*[TALLY] * 20_000)
    child = subprocess.Popen(
        [sys.executable, "-m", "engine", "replay"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert child.stdin
    assert child.stdout
    assert child.stderr
    child.stdout.close()
    with contextlib.suppress(BrokenPipeError):
        child.stdin.write(many)
    with contextlib.suppress(BrokenPipeError):
        child.stdin.close()
    errors = child.stderr.read()
    child.stderr.close()
    assert child.wait(timeout=300) == 1
    assert errors == b""


def test_files_are_replayed_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_bytes(lines(TALLY))
    second.write_bytes(b"\n" + lines(BAD) + b"  \r\n\n" + json.dumps(FULL).encode())
    assert command.main(["replay", str(first)]) == 0
    assert results(capsys.readouterr().out) == [engine.replay(TALLY)]
    assert command.main(["replay", str(first), str(second)]) == 1
    assert results(capsys.readouterr().out) == [engine.replay(record) for record in (TALLY, BAD, FULL)]


def test_an_unreadable_file_ends_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = tmp_path / "a.jsonl"
    good.write_bytes(lines(TALLY))
    assert command.main(["replay", str(good), str(tmp_path / "b.jsonl"), str(good)]) == 2
    captured = capsys.readouterr()
    assert len(results(captured.out)) == 1
    assert captured.err.endswith("b.jsonl cannot be read: No such file or directory.\n")
    assert command.main(["replay", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith("cannot be read: Is a directory.\n")


class Failing(io.BytesIO):
    """A source with a read error, such as a disk or a network share."""

    def readline(self, size: int | None = -1, /) -> bytes:
        raise OSError(5, "Input/output error")


def test_a_read_error_ends_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Failing()))
    assert command.main(["replay"]) == 2
    assert capsys.readouterr().err == "engine: - cannot be read: Input/output error.\n"


def test_a_broken_pipe_exits_with_1_and_prints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as output:
        monkeypatch.setattr(sys, "stdout", output)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines(*[TALLY] * 100))))
        assert command.main(["replay"]) == 1
        output.write("goes to the null device")
        output.flush()


def test_the_module_itself_is_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["engine", "replay"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines(BAD))))
    with pytest.raises(SystemExit) as left:
        runpy.run_path(str(ROOT / "engine/__main__.py"), run_name="__main__")
    assert left.value.code == 1
    assert results(capsys.readouterr().out) == [engine.replay(BAD)]


def test_all_line_endings_are_accepted() -> None:
    stream = io.BytesIO(b"\n\r\n \t\n1\r\n2\n3")
    assert list(command.lines_of(stream)) == [b"1", b"2", b"3"]


@pytest.mark.parametrize("extra", [0, 1, 2, 3, LINE_LIMIT, LINE_LIMIT + 1, LINE_LIMIT + 2, 5 * LINE_LIMIT + 7])
@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n", b"\nnext\n"])
def test_a_line_above_the_limit_is_truncated_and_refused(extra: int, ending: bytes) -> None:
    stream = io.BytesIO(b"x" * (LINE_LIMIT + extra) + ending)
    first, *rest = command.lines_of(stream)
    assert rest == ([b"next"] if b"next" in ending else [])
    assert LINE_LIMIT + min(extra, 1) <= len(first) <= LINE_LIMIT + 2
    if extra:
        assert "this one is longer" in engine.replay_line(first)["error"]["message"]


def test_a_long_line_that_starts_with_blanks_is_not_skipped() -> None:
    stream = io.BytesIO(b" " * (LINE_LIMIT + 5) + json.dumps(TALLY).encode() + b"\n" + lines(WALKOVER))
    long, walkover = command.lines_of(stream)
    assert engine.replay_line(long)["error"]["clause"] == "R1"
    assert engine.replay_line(walkover)["outcome"] == "walkover"


def test_a_long_line_is_never_in_memory_as_a_whole() -> None:
    class Endless(io.RawIOBase):
        """One line of 64 MiB that must be read in small pieces."""

        left = 64 << 20

        def readline(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert 0 < size <= LINE_LIMIT + 2
            length = min(size, self.left)
            self.left -= length
            return b"[" * length

    (line,) = command.lines_of(Endless())  # type: ignore[arg-type]
    assert len(line) == LINE_LIMIT + 2


MEASURED = """
import resource, sys
from engine.__main__ import replay_stream
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
class Lines:
    def __init__(self, source, warm):
        self.source, self.left, self.before = source, warm, None
    def readline(self, size):
        self.left -= 1
        if not self.left:
            self.before = peak()
        return self.source.readline(size)
lines = Lines(sys.stdin.buffer, 2000)
all_valid = replay_stream(lines, sys.stdout)
print(peak() - lines.before, all_valid, file=sys.stderr)
"""


def test_a_hundred_thousand_lines_are_streamed_in_constant_memory(tmp_path: Path) -> None:
    source = tmp_path / "hands.jsonl"
    source.write_bytes(lines(TALLY, BAD, WALKOVER, TALLY) * 25_000)
    target = tmp_path / "results.jsonl"
    with source.open("rb") as stdin, target.open("wb") as stdout:
        ran = subprocess.run(
            [sys.executable, "-c", MEASURED],
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            check=True,
            timeout=300,
        )
    growth_kib, all_valid = ran.stderr.decode().split()
    assert int(growth_kib) < 1024, "KiB of memory after the first two thousand lines"
    assert all_valid == "False"
    with target.open("rb") as output:
        assert sum(1 for _ in output) == 100_000
