"""Find long lines: prose over 130 characters in Markdown, any line over 120 in scripts and style sheets.

    scripts/prose_width.py

In Markdown, tables, code, pictures, and lines that are one link or one address stay as they are; so does the rulebook,
whose examples are set by hand.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
MOST = 130
MOST_OF_CODE = 120
UNCHECKED = re.compile(r"^docs/rulebook/|^static/(vendor|built)/")
FENCE = re.compile(r"^\s*(```|~~~)")
AS_IT_IS = re.compile(r"^\s*(\||!\[|\S+$|[-*] \S+$)|\]\([^)]*\)\S*$")


def long_lines(path: str, text: str) -> Iterator[int]:
    """Yield the numbers of the lines that are too long."""
    if not path.endswith(".md"):
        yield from (number for number, line in enumerate(text.splitlines(), 1) if len(line) > MOST_OF_CODE)
        return
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= bool(FENCE.match(line))
        if not fenced and not AS_IT_IS.search(line) and len(line) > MOST:
            yield number


def main() -> int:
    listed = subprocess.run(
        ["git", "ls-files", "--", "*.md", "static/*.js", "static/*.css"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [
        f"{path}:{number}"
        for path in listed.stdout.splitlines()
        if not UNCHECKED.search(path) and (PROJECT / path).exists()
        for number in long_lines(path, (PROJECT / path).read_text(encoding="utf-8"))
    ]
    print(*lines, sep="\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
