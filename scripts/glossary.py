"""Find words that the glossary has retired: in names, comments and docstrings of the code, in pages, scripts and docs.

    scripts/glossary.py

The last column of the tables in docs/glossary.md lists them, in backticks: a word, or words that follow each other.
Strings of Python are not checked, as some are stored data; the texts for people among them are in the catalogue of
translations, whose English side is checked.
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

import polib

PROJECT = Path(__file__).resolve().parent.parent
GLOSSARY = "docs/glossary.md"
CHECKED = ("*.py", "*.md", "templates/*.html", "templates/*.txt", "static/js/*.js")
CATALOGUES = ("locale/*.po",)
ALLOWED: dict[str, set[str]] = {}
"""The retired words that a file may use, for a reason beside them."""
UNCHECKED = re.compile(r"/migrations/|^docs/rulebook/|^docs/glossary\.md$|^CHANGELOG\.md$")
NAME_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


Words = Iterator[tuple[int, str]]
"""Words in lower case with their lines. An empty word ends a sequence: the words beside it are not read together."""


def retired_words(glossary: str) -> set[str]:
    """Return the words in backticks of the last column of every table row."""
    rows = [line.strip().strip("|").split("|") for line in glossary.splitlines() if line.startswith("| ")]
    return {word for cells in rows for word in re.findall(r"`([^`]+)`", cells[-1])}


def checked_files() -> list[str]:
    """Return the paths of all files under version control that are checked."""
    listed = subprocess.run(
        ["git", "ls-files", "--", *CHECKED, *CATALOGUES], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    return [path for path in listed.stdout.splitlines() if not UNCHECKED.search(path)]


def _docstring_lines(source: str) -> set[int]:
    lines: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def words_of_code(source: str) -> Words:
    """Yield the parts of each name, and the words of comments and docstrings."""
    docstrings = _docstring_lines(source)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        line = token.start[0]
        if token.type == tokenize.NAME:
            yield from ((line, part.lower()) for part in NAME_PARTS.findall(token.string))
            yield line, ""
        elif token.type == tokenize.COMMENT or (token.type == tokenize.STRING and line in docstrings):
            yield from words_of_text(token.string, line)


def words_of_text(text: str, first: int = 1) -> Words:
    """Yield the words of a text whose first line has the number `first`; of a name, its parts."""
    for line, content in enumerate(text.splitlines(), first):
        for word in re.findall(r"[A-Za-z]+|[^A-Za-z\s*#/-]", content):
            yield from ((line, part.lower()) for part in NAME_PARTS.findall(word) or [""])


def words_of_catalogue(source: str) -> Words:
    """Yield the words of the English texts, at the line of each."""
    for entry in polib.pofile(source):
        for text in filter(None, (entry.msgid, entry.msgid_plural)):
            yield from ((entry.linenum, word) for _line, word in words_of_text(text))
            yield entry.linenum, ""


def findings(path: str, source: str, retired: set[str]) -> list[str]:
    """Return a line for each retired word in a file: `path:line: word`."""
    read = words_of_code if path.endswith(".py") else words_of_catalogue if path.endswith(".po") else words_of_text
    words = list(read(source))
    terms = {tuple(re.findall(r"[a-z]+", term.lower())): term for term in retired - ALLOWED.get(path, set())}
    firsts = {parts[0] for parts in terms}
    hits = set()
    for place in (place for place, (_line, word) in enumerate(words) if word in firsts):
        for parts, term in terms.items():
            if tuple(word for _line, word in words[place : place + len(parts)]) == parts:
                hits.add((words[place][0], term))
    return [f"{path}:{line}: {term}" for line, term in sorted(hits)]


def main() -> int:
    retired = retired_words((PROJECT / GLOSSARY).read_text(encoding="utf-8"))
    lines = [
        line
        for path in checked_files()
        if (PROJECT / path).exists()
        for line in findings(path, (PROJECT / path).read_text(encoding="utf-8"), retired)
    ]
    print(*lines, sep="\n")
    return 1 if lines or not retired else 0


if __name__ == "__main__":
    sys.exit(main())
