"""Find words that the glossary has retired: in names, comments and docstrings of the code, and in the docs.

    scripts/glossary.py

The last column of the tables in docs/glossary.md lists them, in backticks. Strings are not checked: some are stored
data, and texts for people have other checks.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
GLOSSARY = "docs/glossary.md"
UNCHECKED = re.compile(r"/migrations/|^docs/rulebook/|^docs/glossary\.md$|^CHANGELOG\.md$")
NAME_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def retired_words(glossary: str) -> set[str]:
    """Return the words in backticks of the last column of every table row."""
    rows = [line.strip().strip("|").split("|") for line in glossary.splitlines() if line.startswith("| ")]
    return {word for cells in rows for word in re.findall(r"`([^`]+)`", cells[-1])}


def checked_files() -> list[str]:
    """Return the paths of all Python files and Markdown pages under version control that are checked."""
    listed = subprocess.run(
        ["git", "ls-files", "*.py", "*.md"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    return [path for path in listed.stdout.splitlines() if not UNCHECKED.search(path)]


def _docstring_lines(source: str) -> set[int]:
    lines: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def words_of_code(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, word), in lower case, for each part of a name and each word of a comment or docstring."""
    docstrings = _docstring_lines(source)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        line = token.start[0]
        if token.type == tokenize.NAME:
            yield from ((line, part.lower()) for part in NAME_PARTS.findall(token.string))
        elif token.type == tokenize.COMMENT or (token.type == tokenize.STRING and line in docstrings):
            yield from words_of_text(token.string, line)


def words_of_text(text: str, first: int = 1) -> Iterator[tuple[int, str]]:
    """Yield (line, word), in lower case, for each word of a text whose first line has the number `first`."""
    for line, content in enumerate(text.splitlines(), first):
        yield from ((line, word.lower()) for word in re.findall(r"[A-Za-z]+", content))


def findings(path: str, source: str, retired: set[str]) -> list[str]:
    """Return a line for each retired word in a file: `path:line: word`."""
    words = words_of_code(source) if path.endswith(".py") else words_of_text(source)
    return [f"{path}:{line}: {word}" for line, word in sorted({found for found in words if found[1] in retired})]


def main() -> int:
    retired = retired_words((PROJECT / GLOSSARY).read_text(encoding="utf-8"))
    found = [
        line
        for path in checked_files()
        if (PROJECT / path).exists()
        for line in findings(path, (PROJECT / path).read_text(encoding="utf-8"), retired)
    ]
    print(*found, sep="\n")
    return 1 if found or not retired else 0


if __name__ == "__main__":
    sys.exit(main())
