"""The check of long lines finds prose, scripts and style sheets, and leaves alone what cannot be wrapped."""

from __future__ import annotations

import pytest

from scripts.prose_width import MOST, MOST_OF_CODE, long_lines

LONG = "word " * (MOST // 5 + 1)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", f"{LONG}\n"),
        ("a.md", f"- {LONG}\n"),
        ("a.js", f"// {LONG}\n"),
        ("a.js", f"/** {LONG} */\n"),
        ("a.js", f"const text = '{LONG}';\n"),
        ("a.css", f"/* {LONG} */\n"),
        ("a.css", f".a {{ content: '{LONG}'; }}\n"),
    ],
)
def test_long_lines_is_found(path: str, text: str) -> None:
    assert list(long_lines(path, text)) == [1]


def test_code_is_narrower_than_prose() -> None:
    line = "x" * (MOST_OF_CODE + 1)
    assert list(long_lines("a.js", f"{line[1:]}\n{line}\n")) == [2]
    assert list(long_lines("a.md", f"{LONG[: MOST_OF_CODE + 1]}\n")) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", f"| {LONG} |\n"),
        ("a.md", f"![{LONG}](a.png)\n"),
        ("a.md", "x" * 200),
        ("a.md", f"```\n{LONG}\n```\n"),
        ("a.md", "x" * MOST),
    ],
)
def test_what_cannot_be_wrapped_is_left_alone(path: str, text: str) -> None:
    assert list(long_lines(path, text)) == []
