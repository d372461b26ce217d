"""The command converts to and from the notation, and replays large files on several cores."""

import io
import json
import os
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
from tests.engine.test_command import BAD, ROOT, lines, results

LINE = notation.write(TALLY)


def test_json_is_converted_to_notation_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records, hands = tmp_path / "hands.jsonl", tmp_path / "hands.txt"
    records.write_bytes(lines(TALLY, FULL) + b"\n" + lines(BAD, WALKOVER))
    assert command.main(["convert", "--to", "notation", str(records)]) == 0
    hands.write_text(capsys.readouterr().out)
    assert hands.read_text().splitlines()[0] == LINE
    assert command.main(["convert", "--to", "json", str(hands)]) == 0
    converted = capsys.readouterr().out
    assert results(converted) == [TALLY, FULL, BAD, WALKOVER]
    assert " " not in converted


def test_a_line_that_cannot_be_converted_is_reported_and_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hands = tmp_path / "hands.txt"
    hands.write_bytes(f"{LINE}\n\nchratze 5 X4\n{LINE}\n".encode() + b"\xff\n" + b"x" * (LINE_LIMIT + 1))
    assert command.main(["convert", "--to", "json", str(hands)]) == 1
    captured = capsys.readouterr()
    assert results(captured.out) == [TALLY, TALLY]
    assert captured.err.splitlines() == [
        f'engine: {hands}:3:11: Expected the dealer\'s seat, such as D4, found "X4".',
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
    answers = results(capsys.readouterr().out)
    assert answers[0] == engine.replay(TALLY)
    assert answers[1]["error"] == {
        "clause": "R1",
        "at": "1:8",
        "message": "Expected the number of seats, such as 5, found the end of the line.",
    }


def test_a_line_in_notation_may_be_as_long_as_the_limit() -> None:
    line = LINE.encode()
    assert command.read_notation(line.ljust(LINE_LIMIT), 1) == TALLY
    for wrong in (line.ljust(LINE_LIMIT + 1), b"\xff"):
        refused = command.replay_notation(wrong)["error"]
        assert (refused["clause"], refused["at"]) == ("R1", "1:1")


def test_lines_are_divided_into_chunks_of_enough_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "CHUNK", 10)
    chunks = [[b"123456789", b"0"], [b"12345678901"], [b"1", b"234567", b"89", b"01"], [b"12"]]
    assert list(command.chunks_of(line for chunk in chunks for line in chunk)) == chunks


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file with a few hundred chunks of a few lines."""
    monkeypatch.setattr(command, "CHUNK", 1000)
    source = tmp_path / "many.jsonl"
    source.write_bytes(b"".join(lines(tally(pot_before=pot), WALKOVER) for pot in range(500)))
    return source


def test_several_processes_write_the_same_results_in_the_same_order(
    many: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["replay", "--jobs", "1", str(many)]) == 0
    alone = capsys.readouterr().out
    assert command.main(["replay", "--jobs", "2", str(many)]) == 0
    assert capsys.readouterr().out == alone
    assert len(alone.splitlines()) == 1000


@pytest.mark.parametrize("place", [0, 500, 1000])
def test_several_processes_report_one_invalid_record(
    place: int, many: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    all_lines = many.read_bytes().splitlines(keepends=True)
    many.write_bytes(b"".join([*all_lines[:place], *[lines(BAD)], *all_lines[place:]]))
    assert command.main(["replay", "--jobs", "2", str(many)]) == 1
    assert [result["ok"] for result in results(capsys.readouterr().out)].index(False) == place


@pytest.mark.parametrize("jobs", ["0", "-1", "65", "0064", "many", "٣", "9" * 5000])
def test_an_invalid_number_of_processes_is_refused(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        command.main(["replay", f"--jobs={jobs}"])
    assert left.value.code == 2
    assert "argument --jobs: a number of processes from 1 to 64, not " in capsys.readouterr().err


def test_64_processes_are_allowed(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert command.main(["replay", "--jobs", "64", str(tmp_path / "empty")]) == 0


def test_a_chunk_gives_the_results_of_its_lines() -> None:
    text, all_valid = command.replay_chunk([json.dumps(TALLY).encode(), json.dumps(BAD).encode()], "json")
    assert results(text) == [engine.replay(TALLY), engine.replay(BAD)]
    assert not all_valid
    assert command.replay_chunk([LINE.encode()], "notation")[1]


def test_few_chunks_are_read_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a pool that works only on request: at most two chunks for each process and one more may wait."""
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


def test_large_files_use_all_cores_and_small_files_one(
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


def test_worker_processes_ignore_interrupts() -> None:
    before = signal.getsignal(signal.SIGINT)
    try:
        command.leave_interrupts_to_parent()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def restore_interrupts() -> None:
    """Reset the handler: a test run in the background ignores SIGINT, and its child processes inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_the_command_silently(jobs: str, many: Path) -> None:
    many.write_bytes(many.read_bytes() * 50)
    child = subprocess.Popen(
        [sys.executable, "-m", "engine", "replay", "--jobs", jobs, str(many)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        start_new_session=True,
        preexec_fn=restore_interrupts,
    )
    assert child.stdout
    assert child.stdout.readline(), "the command has started"
    os.killpg(child.pid, signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert errors == b""
    assert child.returncode == 130


def test_a_killed_worker_process_is_reported(
    many: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "leave_interrupts_to_parent", _kill_this_process)
    assert command.main(["replay", "--jobs", "2", str(many)]) == 2
    assert capsys.readouterr().err == "engine: a worker process was killed; the results are not complete.\n"


def _kill_this_process() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_an_interrupt_during_reading_exits_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Interrupted()))
    assert command.main(["replay"]) == 130


def test_a_closed_pipe_ends_all_processes(many: Path) -> None:
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
