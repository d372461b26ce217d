"""Find lines of prose over 130 characters: in Markdown, and in comments of scripts and style sheets.

    scripts/prose_width.py

Tables, code, pictures, and lines that are one link or one address stay as they are; so does the rulebook, whose
examples are set by hand.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
MOST = 130
UNCHECKED = re.compile(r"^docs/rulebook/|^static/vendor/")
FENCE = re.compile(r"^\s*(```|~~~)")
AS_IT_IS = re.compile(r"^\s*(\||!\[|\S+$|[-*] \S+$)|\]\([^)]*\)\S*$")
COMMENT = re.compile(r"^\s*(//|/\*|\*)")


def long_prose(path: str, text: str) -> Iterator[int]:
    """Yield the numbers of the lines that are too long."""
    fenced, inside = False, False
    for number, line in enumerate(text.splitlines(), 1):
        if path.endswith(".md"):
            fenced ^= bool(FENCE.match(line))
            prose = not fenced and not AS_IT_IS.search(line)
        else:
            prose = inside or bool(COMMENT.match(line))
            opened = line.rfind("/*")
            inside = line.rfind("*/") < opened if opened >= 0 else inside and "*/" not in line
        if prose and len(line) > MOST:
            yield number


def main() -> int:
    listed = subprocess.run(
        ["git", "ls-files", "--", "*.md", "static/*.js", "static/*.css"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    found = [
        f"{path}:{number}"
        for path in listed.stdout.splitlines()
        if not UNCHECKED.search(path) and (PROJECT / path).exists()
        for number in long_prose(path, (PROJECT / path).read_text(encoding="utf-8"))
    ]
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
