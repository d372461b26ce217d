"""The entry point of web servers: what it loads, and what it leaves out of garbage collection."""

import subprocess
import sys

import pytest

from tests.conftest import PROJECT

START = """
import gc, sys
import league.config.wsgi
print(gc.isenabled(), gc.get_freeze_count() > 100_000, "league.standings.views" in sys.modules)
"""
LIBRARIES = ["PIL", "fontTools", "fpdf", "icalendar", "qrbill", "svgwrite", "xlsxwriter"]


def printed(program: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_loaded_objects_are_left_out_of_garbage_collection():
    """The views are among the frozen objects: they are loaded before the first request."""
    assert printed(START) == ["True", "True", "True"]


@pytest.mark.parametrize(
    ("first", "loaded"),
    [("", []), ("import league.treasury.bill_pdf", ["PIL", "fontTools", "fpdf", "qrbill", "svgwrite"])],
)
def test_libraries_that_make_files_are_loaded_with_the_first_file(first, loaded):
    """They take a quarter of the time of a start, and 60 MB in each process."""
    program = f"{START}\n{first}\nprint(*sorted(set({LIBRARIES}) & set(sys.modules)))"
    assert printed(program)[3:] == loaded
