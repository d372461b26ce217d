"""The check of long lines finds prose and comments, and leaves alone what cannot be wrapped."""

from __future__ import annotations

import pytest

from scripts.prose_width import MOST, long_prose

LONG = "word " * (MOST // 5 + 1)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", f"{LONG}\n"),
        ("a.md", f"- {LONG}\n"),
        ("a.js", f"// {LONG}\n"),
        ("a.js", f"/** {LONG} */\n"),
        ("a.css", f"/* {LONG} */\n"),
    ],
)
def test_long_prose_is_found(path: str, text: str) -> None:
    assert list(long_prose(path, text)) == [1]


def test_the_lines_of_a_block_comment_are_found() -> None:
    assert list(long_prose("a.js", f"/*\n {LONG}\n*/\nconst text = '{LONG}';\n")) == [2]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", f"| {LONG} |\n"),
        ("a.md", f"![{LONG}](a.png)\n"),
        ("a.md", "x" * 200),
        ("a.md", f"```\n{LONG}\n```\n"),
        ("a.js", f"const text = '{LONG}';\n"),
        ("a.md", "x" * MOST),
    ],
)
def test_what_cannot_be_wrapped_is_left_alone(path: str, text: str) -> None:
    assert list(long_prose(path, text)) == []
