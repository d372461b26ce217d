"""A test run leaves no files and no processes after its end, an interruption or a kill."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import run_folder
from tests.processes import PROJECT, wait_until

# `MEMORY` belongs to all runs; these tests use a temporary folder instead.
RUN = """
import subprocess, sys, tempfile, time
from pathlib import Path
from tests import run_folder, servers
run_folder.MEMORY = Path("/nowhere")
run_folder.end_on_signals()
folder = run_folder.make()
Path(tempfile.mkdtemp(), "file").write_text("data")
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], preexec_fn=servers.die_with_parent(9))
print(folder, child.pid, flush=True)
"""

Started = tuple["subprocess.Popen[str]", Path, int]


@pytest.fixture
def start_run(tmp_path: Path) -> Iterator[Callable[[str], Started]]:
    """Start a run with these last statements; return its process, its folder and the id of its child process."""
    env = {key: value for key, value in os.environ.items() if key != "CHRATZETE_RUN_FOLDER"}
    env["TMPDIR"] = str(tmp_path)
    started = []

    def start(then: str) -> Started:
        command = [sys.executable, "-c", RUN + then]
        running = subprocess.Popen(command, cwd=PROJECT, env=env, stdout=subprocess.PIPE, text=True)
        started.append(running)
        assert running.stdout is not None
        folder, child = running.stdout.readline().split()
        return running, Path(folder), int(child)

    yield start
    for each in started:
        each.kill()
        each.communicate()


def is_alive(process: int) -> bool:
    state = Path(f"/proc/{process}/stat")
    return state.exists() and " Z " not in state.read_text()


def make_old(folder: Path) -> None:
    os.utime(folder, (0, 0))


def test_a_run_that_ends_removes_its_folder_and_temporary_files(
    start_run: Callable[[str], Started], tmp_path: Path
) -> None:
    running, folder, _child = start_run("")
    assert running.wait(20) == 0
    assert folder.name.startswith(run_folder.PREFIX)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_removes_its_folder(
    start_run: Callable[[str], Started], tmp_path: Path, number: signal.Signals
) -> None:
    running, folder, _child = start_run("time.sleep(60)")
    assert folder.is_dir()
    running.send_signal(number)
    assert running.wait(20) != 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends a process with its parent")
def test_processes_of_a_killed_run_end_and_the_next_run_removes_its_folder(
    start_run: Callable[[str], Started], tmp_path: Path
) -> None:
    running, folder, child = start_run("time.sleep(60)")
    running.kill()
    running.wait()
    wait_until(lambda: not is_alive(child), 20, "the child of the killed run ends")
    make_old(folder)
    next_one, _folder, _child = start_run("")
    next_one.wait(20)
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_a_live_run_stays(start_run: Callable[[str], Started], tmp_path: Path) -> None:
    running, folder, _child = start_run("time.sleep(60)")
    make_old(folder)
    assert run_folder.sweep([tmp_path]) == []
    running.kill()
    running.wait()
    assert run_folder.sweep([tmp_path]) == [folder]


def test_a_new_folder_stays_until_its_run_had_time_to_lock_it(tmp_path: Path) -> None:
    young = tmp_path / (run_folder.PREFIX + "young")
    young.mkdir()
    assert run_folder.sweep([tmp_path]) == []
    assert young.is_dir()
