"""Compile requirements/*.in to hash-locked *.txt for every platform at once; `--upgrade` takes newer ones.

Each set is compiled under the one before it, so that installing a larger one never changes a smaller one.
"""

import subprocess
import sys
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parent.parent / "requirements"
UNDER = {"base": None, "prod": "base", "dev": "prod", "servers": "dev", "bench": "dev"}
OPTIONS = [
    "--universal",
    "--generate-hashes",
    "--no-build",
    "--no-emit-index-url",
    "--no-emit-find-links",
    "--python-version=3.11",
    "--custom-compile-command=make lock",
    "--quiet",
]


def main(extra: list[str]) -> int:
    for name, above in UNDER.items():
        source = REQUIREMENTS / f"{name}.in"
        if not source.exists():
            continue
        under = ["--constraints", f"{above}.txt"] if above else []
        command = ["uv", "pip", "compile", *OPTIONS, *under, *extra, "-o", f"{name}.txt", source.name]
        code = subprocess.call([sys.executable, "-m", *command], cwd=REQUIREMENTS)
        if code != 0:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
