"""``python -m engine replay``: JSON Lines in, JSON Lines out."""

import contextlib
import io
import json
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import engine
from engine import __main__ as command
from engine import notation
from engine.replay import LINE_LIMIT
from tests.engine.hands import FULL, TALLY, WALKOVER, tally

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


def test_called_wrongly_exits_with_2() -> None:
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

Replay hands of Chratze and Kratzen by the rulebook.

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
                        what the lines are (default: json)
  --jobs N              processes; without it all cores for a file above 4 MiB, else one

Exit status: 0 every record is valid, 1 at least one is not, 2 wrong call or unreadable file.
"""
HELP_FOR_CONVERT = """\
usage: python -m engine convert [-h] --to {json,notation} [FILE ...]

Read one hand a line and write it in the other form, in the same order.

positional arguments:
  FILE                  "-" or none: standard input

options:
  -h, --help            show this help message and exit
  --to {json,notation}  what is written; the other is read

Exit status: 0 every line was converted, 1 at least one was not, 2 wrong call or unreadable file.
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


def test_a_call_without_a_command_says_so(capsys: pytest.CaptureFixture[str]) -> None:
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
    # Its own name for __main__ is multiprocessing's doing.
    assert loaded - set(sys.stdlib_module_names) - {"__main__", "__mp_main__"} == {"engine"}


def test_a_reader_who_goes_away_is_no_traceback() -> None:
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


def test_files_are_replayed_one_after_the_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_bytes(lines(TALLY))
    second.write_bytes(b"\n" + lines(BAD) + b"  \r\n\n" + json.dumps(FULL).encode())
    assert command.main(["replay", str(first)]) == 0
    assert results(capsys.readouterr().out) == [engine.replay(TALLY)]
    assert command.main(["replay", str(first), str(second)]) == 1
    assert results(capsys.readouterr().out) == [engine.replay(record) for record in (TALLY, BAD, FULL)]


def test_a_file_that_cannot_be_read_ends_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = tmp_path / "a.jsonl"
    good.write_bytes(lines(TALLY))
    assert command.main(["replay", str(good), str(tmp_path / "b.jsonl"), str(good)]) == 2
    captured = capsys.readouterr()
    assert len(results(captured.out)) == 1
    assert captured.err.endswith("b.jsonl cannot be read: No such file or directory.\n")
    assert command.main(["replay", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith("cannot be read: Is a directory.\n")


class Failing(io.BytesIO):
    """A source that breaks off, as a disk or a network share does."""

    def readline(self, size: int | None = -1, /) -> bytes:
        raise OSError(5, "Input/output error")


def test_a_source_that_fails_while_it_is_read_ends_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Failing()))
    assert command.main(["replay"]) == 2
    assert capsys.readouterr().err == "engine: - cannot be read: Input/output error.\n"


def test_a_broken_pipe_exits_with_1_and_a_quiet_output(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as output:
        monkeypatch.setattr(sys, "stdout", output)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines(*[TALLY] * 100))))
        assert command.main(["replay"]) == 1
        output.write("goes to the null device now")
        output.flush()


def test_the_module_itself_is_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["engine", "replay"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines(BAD))))
    with pytest.raises(SystemExit) as left:
        runpy.run_path(str(ROOT / "engine/__main__.py"), run_name="__main__")
    assert left.value.code == 1
    assert results(capsys.readouterr().out) == [engine.replay(BAD)]


def test_a_line_may_end_in_any_way() -> None:
    stream = io.BytesIO(b"\n\r\n \t\n1\r\n2\n3")
    assert list(command.lines_of(stream)) == [b"1", b"2", b"3"]


@pytest.mark.parametrize("extra", [0, 1, 2, 3, LINE_LIMIT, LINE_LIMIT + 1, LINE_LIMIT + 2, 5 * LINE_LIMIT + 7])
@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n", b"\nnext\n"])
def test_a_line_above_the_limit_is_cut_and_refused(extra: int, ending: bytes) -> None:
    stream = io.BytesIO(b"x" * (LINE_LIMIT + extra) + ending)
    first, *rest = command.lines_of(stream)
    assert rest == ([b"next"] if b"next" in ending else [])
    assert LINE_LIMIT + min(extra, 1) <= len(first) <= LINE_LIMIT + 2
    if extra:
        assert "this one is longer" in engine.replay_line(first)["error"]["message"]


def test_a_long_line_that_begins_blank_is_not_passed_over() -> None:
    stream = io.BytesIO(b" " * (LINE_LIMIT + 5) + json.dumps(TALLY).encode() + b"\n" + lines(WALKOVER))
    long, walkover = command.lines_of(stream)
    assert engine.replay_line(long)["error"]["clause"] == "R1"
    assert engine.replay_line(walkover)["outcome"] == "walkover"


def test_a_line_is_never_held_as_a_whole() -> None:
    class Endless(io.RawIOBase):
        """One line of 64 MiB; asked for more than a little at once it refuses."""

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


LINE = notation.write(TALLY)


def test_json_is_converted_to_notation_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records, hands = tmp_path / "hands.jsonl", tmp_path / "hands.txt"
    records.write_bytes(lines(TALLY, FULL) + b"\n" + lines(BAD, WALKOVER))
    assert command.main(["convert", "--to", "notation", str(records)]) == 0
    hands.write_text(capsys.readouterr().out)
    assert hands.read_text().splitlines()[0] == LINE
    assert command.main(["convert", "--to", "json", str(hands)]) == 0
    assert results(capsys.readouterr().out) == [TALLY, FULL, BAD, WALKOVER]


def test_what_cannot_be_converted_is_told_with_its_line_and_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hands = tmp_path / "hands.txt"
    hands.write_bytes(f"{LINE}\n\nchratze 5 X4\n{LINE}\n".encode() + b"\xff\n" + b"x" * (LINE_LIMIT + 1))
    assert command.main(["convert", "--to", "json", str(hands)]) == 1
    captured = capsys.readouterr()
    assert results(captured.out) == [TALLY, TALLY]
    assert captured.err.splitlines() == [
        f'engine: {hands}:3:11: Expected is the dealer\'s seat, such as D4, not "X4".',
        f"engine: {hands}:5:1: The line is not UTF-8.",
        f"engine: {hands}:6:1: A hand is one line of at most {LINE_LIMIT} bytes; this one is longer.",
    ]
    hands.write_bytes(b"[]\n{\n" + lines(tally(colour="red"), TALLY))
    assert command.main(["convert", "--to", "notation", str(hands)]) == 1
    captured = capsys.readouterr()
    assert captured.out == LINE + "\n"
    assert captured.err.splitlines() == [
        f"engine: {hands}:1: A record is a JSON object, not a list.",
        f"engine: {hands}:2: The line is not JSON: Expecting property name enclosed in double quotes at character 1.",
        f"engine: {hands}:3: colour: The notation has no words for the field colour.",
    ]


def test_hands_in_notation_are_replayed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{LINE}\nchratze\n".encode())))
    assert command.main(["replay", "--from", "notation"]) == 1
    told = results(capsys.readouterr().out)
    assert told[0] == engine.replay(TALLY)
    assert told[1]["error"] == {
        "clause": "R1",
        "at": "1:8",
        "message": "Expected is the number of seats, such as 5, not the end of the line.",
    }


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of a few hundred chunks of a few lines."""
    monkeypatch.setattr(command, "CHUNK", 1000)
    source = tmp_path / "many.jsonl"
    source.write_bytes(b"".join(lines(tally(pot_before=pot), WALKOVER) for pot in range(500)))
    return source


def test_several_processes_write_the_same_in_the_same_order(many: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["replay", "--jobs", "1", str(many)]) == 0
    alone = capsys.readouterr().out
    assert command.main(["replay", "--jobs", "2", str(many)]) == 0
    assert capsys.readouterr().out == alone
    assert len(alone.splitlines()) == 1000


@pytest.mark.parametrize("place", [0, 500, 1000])
def test_several_processes_find_the_one_that_is_invalid(
    place: int, many: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    all_lines = many.read_bytes().splitlines(keepends=True)
    many.write_bytes(b"".join([*all_lines[:place], *[lines(BAD)], *all_lines[place:]]))
    assert command.main(["replay", "--jobs", "2", str(many)]) == 1
    assert [result["ok"] for result in results(capsys.readouterr().out)].index(False) == place


@pytest.mark.parametrize("jobs", ["0", "-1", "65", "many", "٣", "9" * 5000])
def test_no_number_of_processes(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        command.main(["replay", f"--jobs={jobs}"])
    assert left.value.code == 2
    assert "argument --jobs: a number of processes from 1 to 64, not " in capsys.readouterr().err


def test_a_chunk_is_replayed_as_its_lines() -> None:
    text, all_valid = command.replay_chunk([json.dumps(TALLY).encode(), json.dumps(BAD).encode()], "json")
    assert results(text) == [engine.replay(TALLY), engine.replay(BAD)]
    assert not all_valid
    assert command.replay_chunk([LINE.encode()], "notation")[1]


def test_only_what_keeps_the_processes_busy_is_read_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a pool that never ends anything by itself, no more chunks wait than two a process and one."""
    waiting: list[int] = []

    class Slow:
        def __init__(self, *_: object, **__: object) -> None:
            waiting.clear()

        def __enter__(self) -> "Slow":
            return self

        def __exit__(self, *_: object) -> None:
            return None

        def shutdown(self, **_: object) -> None:
            return None

        def submit(self, work: Callable[..., object], *arguments: object) -> "Later":
            waiting.append(len(arguments))
            assert len(waiting) <= 2 * 3 + 1
            return Later(work, arguments)

    class Later:
        def __init__(self, work: Callable[..., object], arguments: tuple[object, ...]) -> None:
            self.work, self.arguments = work, arguments

        def result(self) -> object:
            waiting.pop()
            return self.work(*self.arguments)

    monkeypatch.setattr(command, "ProcessPoolExecutor", Slow)
    monkeypatch.setattr(command, "CHUNK", 1)
    output = io.StringIO()
    assert command.replay_in_parallel(io.BytesIO(lines(*[TALLY] * 50)), output, "json", 3)
    assert len(output.getvalue().splitlines()) == 50


def test_large_files_take_all_cores_and_small_ones_one(
    many: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    taken: list[int] = []

    def parallel(source: object, output: object, form: str, jobs: int) -> bool:
        taken.append(jobs)
        return True

    monkeypatch.setattr(command, "replay_in_parallel", parallel)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert command.main(["replay", str(many)]) == 0
    monkeypatch.setattr(command, "LARGE", many.stat().st_size)
    assert command.main(["replay", str(many), str(many)]) == 0
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert command.main(["replay", str(many)]) == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(many.read_bytes())))
    assert command.main(["replay"]) == 0
    assert taken == [3, 3]


def test_a_process_leaves_interrupts_to_the_first_one() -> None:
    before = signal.getsignal(signal.SIGINT)
    try:
        command.leave_interrupts_to_parent()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_it_without_a_word(jobs: str, many: Path) -> None:
    many.write_bytes(many.read_bytes() * 50)
    child = subprocess.Popen(
        [sys.executable, "-m", "engine", "replay", "--jobs", jobs, str(many)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        start_new_session=True,
    )
    assert child.stdout
    assert child.stdout.readline(), "it is under way"
    os.killpg(child.pid, signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert errors == b""
    assert child.returncode == 130


def test_a_process_that_is_ended_from_outside_is_told(
    many: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "leave_interrupts_to_parent", _end_myself)
    assert command.main(["replay", "--jobs", "2", str(many)]) == 2
    assert capsys.readouterr().err == "engine: a process was ended from outside; the results are not complete.\n"


def _end_myself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_an_interrupt_while_it_reads_exits_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Interrupted()))
    assert command.main(["replay"]) == 130


def test_a_reader_who_goes_away_ends_all_processes(many: Path) -> None:
    many.write_bytes(many.read_bytes() * 20)
    child = subprocess.Popen(
        [sys.executable, "-m", "engine", "replay", "--jobs", "2", str(many)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert child.stdout
    assert child.stderr
    child.stdout.readline()
    child.stdout.close()
    errors = child.stderr.read()
    child.stderr.close()
    assert child.wait(timeout=60) == 1
    assert errors == b""
