"""The check of retired words finds them in names, comments, docstrings and pages, and nowhere else."""

from __future__ import annotations

import pytest

from scripts.glossary import GLOSSARY, PROJECT, findings, retired_words

RETIRED = {"purse"}


def test_the_glossary_retires_words() -> None:
    words = retired_words((PROJECT / GLOSSARY).read_text(encoding="utf-8"))
    assert {"purse", "told"} <= words
    assert "player" not in words


@pytest.mark.parametrize(
    "source",
    [
        "purse = 1",
        "def purse_of(): ...",
        "class PurseName: ...",
        "x.purse",
        "# a purse",
        '"""A purse."""',
        "f(purse=1)",
    ],
)
def test_a_retired_word_is_found_in_code(source: str) -> None:
    assert findings("a.py", source, RETIRED) == ["a.py:1: purse"]


@pytest.mark.parametrize("source", ["x = 'purse'", "purser = 1", "x = {'purse_minor': 1}"])
def test_strings_and_other_words_are_not_reported(source: str) -> None:
    assert findings("a.py", source, RETIRED) == []


def test_a_retired_word_is_found_in_a_page_at_its_line() -> None:
    assert findings("a.md", "# Money\n\nA purse.\n", RETIRED) == ["a.md:3: purse"]
