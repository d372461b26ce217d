"""Check static/js with Biome (rules and format) and with TypeScript (types). `make lint` runs this where there is Node.

scripts/javascript.py
"""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from scripts import node_modules  # noqa: E402

CHECKS = [
    ["biome", "ci", "--error-on-warnings"],
    # Everything; then strictly the modules that are listed; then the service worker, which has no page.
    ["tsc", "--project", "tsconfig.json"],
    ["tsc", "--project", "tsconfig.strict.json"],
    ["tsc", "--project", "tsconfig.worker.json"],
]


def main() -> int:
    if not node_modules.install():
        return 1
    codes = [subprocess.call([node_modules.program(name), *arguments], cwd=PROJECT) for name, *arguments in CHECKS]
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main())
