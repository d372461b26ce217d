"""An example of the next version, for tests of upgrades: the present program with one field more, and its migrations.

Each folder beside this file has the migrations of `league`, those of the product and further ones. `allowed` has one of
each kind that may be applied while the version before runs; the others are not allowed.
"""

from __future__ import annotations

import pkgutil
from pathlib import Path

from league import migrations

ALLOWED = "allowed"
NEWEST = max(module.name for module in pkgutil.iter_modules(migrations.__path__))
"""The last migration of the product, on which the example follows."""


def folders(here: str) -> list[str]:
    """Return where the migrations of an example are: beside the file `here`, and in the product."""
    return [str(Path(here).parent), *migrations.__path__]
