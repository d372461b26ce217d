"""The entry point of web servers leaves loaded objects out of garbage collection."""

import subprocess
import sys

from tests.conftest import PROJECT

START = """
import gc, sys
import league.config.wsgi
print(gc.isenabled(), gc.get_freeze_count() > 100_000, "league.standings.views" in sys.modules)
"""


def test_loaded_objects_are_left_out_of_garbage_collection():
    """The views are among the frozen objects: they are loaded before the first request."""
    done = subprocess.run([sys.executable, "-c", START], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True", "True"]
