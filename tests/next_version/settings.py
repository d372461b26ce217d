"""The settings of the next version; `TEST_NEXT` is the folder of its migrations."""

import os

from tests.next_version import ALLOWED
from tests.settings import *  # noqa: F403

_FOLDER = os.environ.get("TEST_NEXT", ALLOWED)
INSTALLED_APPS = [*INSTALLED_APPS, "tests.next_version.apps.NextVersionConfig"]  # noqa: F405
MIGRATION_MODULES = {**MIGRATION_MODULES, "league": f"tests.next_version.{_FOLDER}"}  # noqa: F405
NEXT_READS_COLUMN = _FOLDER == ALLOWED
