#!/usr/bin/env python3
"""Build `league/accounts/breached.bin`, the passwords that are refused; `--check` compares the file with its sources.

It is made, without any network, of

- the 20,000 commonest passwords of published breaches that Django ships (gathered by Royce Williams; BSD licence),
- local additions (`breached_words.txt`): words, names and places of Switzerland, words of the games,
- rows of the keyboard and of the alphabet, forwards and backwards, in all parts of five characters or more.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from django.contrib.auth.password_validation import CommonPasswordValidator

from league.accounts.breached_passwords import LIST, digest

WORDS = Path(__file__).with_name("breached_words.txt")
ROWS = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890123456789",
    "qwertzuiopü",
    "asdfghjklöä",
    "yxcvbnm",
    "qwertyuiop",
    "zxcvbnm",
    "azertyuiop",
    "1qay2wsx3edc4rfv5tgb6zhn7ujm8ik",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik",
    "q1w2e3r4t5z6u7i8o9p0",
    "q1w2e3r4t5y6u7i8o9p0",
    "1q2w3e4r5t6z7u8i9o0p",
    "1q2w3e4r5t6y7u8i9o0p",
)
SHORTEST = 5


def pieces(row: str) -> set[str]:
    """Yield every run of keys of `row` and of its reverse."""
    fragments = set()
    for text in (row, row[::-1]):
        for begin in range(len(text)):
            fragments |= {text[begin:end] for end in range(begin + SHORTEST, len(text) + 1)}
    return fragments


def build() -> bytes:
    """Return the content of the whole file."""
    with gzip.open(str(CommonPasswordValidator().DEFAULT_PASSWORD_LIST_PATH), "rt", encoding="utf-8") as lines:
        words = {line.strip().casefold() for line in lines}
    words |= {word.casefold() for word in WORDS.read_text(encoding="utf-8").split()}
    words = words.union(*map(pieces, ROWS)) - {""}
    return b"".join(sorted({digest(word) for word in words}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing, exit 1 where the file is another")
    options = parser.parse_args()
    data = build()
    if options.check:
        return int(LIST.read_bytes() != data)
    LIST.write_bytes(data)
    print(f"{LIST}: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
