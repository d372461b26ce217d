"""The wheel depends on the packages of `requirements/base.in` and `prod.in`: hatchling asks this module for them."""

from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Dependencies(MetadataHookInterface):
    """Reads the lists, so that no version is written twice."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the packages."""
        folder = Path(self.root) / "requirements"
        lines = [line.strip() for name in ("base.in", "prod.in") for line in (folder / name).read_text().splitlines()]
        metadata["dependencies"] = [
            line.partition(" #")[0] for line in lines if line and not line.startswith(("#", "-"))
        ]
