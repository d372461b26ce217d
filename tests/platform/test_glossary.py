"""The check of retired words finds them in names, comments, docstrings and pages, and nowhere else."""

from __future__ import annotations

import pytest

from scripts.glossary import GLOSSARY, PROJECT, findings, retired_words

RETIRED = {"purse"}


def test_the_glossary_retires_words() -> None:
    words = retired_words((PROJECT / GLOSSARY).read_text(encoding="utf-8"))
    assert {"purse", "told"} <= words
    assert "player" not in words


def test_each_term_is_defined_once() -> None:
    rows = [line for line in (PROJECT / GLOSSARY).read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    terms = [term.strip() for row in rows for term in row.split("|")[1].split(",") if "---" not in term]
    assert sorted(term for term in set(terms) if terms.count(term) > 1) == ["Term"]


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


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.html", '<p>{% translate "A purse" %}</p>'),
        ("a.js", "const theirPurse = 1;"),
        ("a.po", 'msgid "A purse"\nmsgstr ""\n'),
        ("a.po", 'msgid "%(purse)s"\nmsgstr ""\n'),
    ],
)
def test_a_retired_word_is_found_in_pages_scripts_and_texts(path: str, source: str) -> None:
    (finding,) = findings(path, source, RETIRED)
    assert finding.endswith(": purse")


@pytest.mark.parametrize(
    ("path", "source"), [("a.md", "In its own\nwords."), ("a.py", "own_words = 1"), ("a.js", "ownWords")]
)
def test_words_that_follow_each_other_are_found(path: str, source: str) -> None:
    assert findings(path, source, {"own words"}) == [f"{path}:1: own words"]


@pytest.mark.parametrize(("path", "source"), [("a.py", "f(own, words)"), ("a.md", "It is its own. Words follow.")])
def test_words_that_a_sign_separates_are_not_read_together(path: str, source: str) -> None:
    assert findings(path, source, {"own words"}) == []


def test_a_retired_word_is_found_in_a_page_at_its_line() -> None:
    assert findings("a.md", "# Money\n\nA purse.\n", RETIRED) == ["a.md:3: purse"]
