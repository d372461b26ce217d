"""The entry point of web servers: what it loads, and what it leaves out of garbage collection."""

import os
import subprocess
import sys

import pytest

from tests.conftest import PROJECT

pytestmark = pytest.mark.rest

START = """
import gc, sys
import league.config.wsgi
print(gc.isenabled(), gc.get_freeze_count() > 100_000, "league.standings.views" in sys.modules)
"""
LIBRARIES = ["PIL", "fontTools", "fpdf", "icalendar", "qrbill", "svgwrite", "xlsxwriter"]
FOR_OPERATORS = ["prometheus_client", "sentry_sdk"]


def printed(program: str, **more: str) -> list[str]:
    env = {**os.environ, **more}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_loaded_objects_are_left_out_of_garbage_collection():
    """The views are among the frozen objects: they are loaded before the first request."""
    assert printed(START) == ["True", "True", "True"]


@pytest.mark.parametrize(
    ("first", "switched_on", "loaded"),
    [
        ("", {}, []),
        ("import league.treasury.bill_pdf", {}, ["PIL", "fontTools", "fpdf", "qrbill", "svgwrite"]),
        ("", {"METRICS_TOKEN": "token", "SENTRY_DSN": "http://key@127.0.0.1:9/1"}, FOR_OPERATORS),
    ],
)
def test_libraries_are_loaded_with_their_first_use(first, switched_on, loaded):
    """Those that make files take a quarter of the time of a start, and 60 MB in each process."""
    program = f"{START}\n{first}\nprint(*sorted(set({LIBRARIES + FOR_OPERATORS}) & set(sys.modules)))"
    assert printed(program, **switched_on)[3:] == loaded
