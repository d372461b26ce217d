"""Write `.env.example` from the table of settings in docs/deploy.md; with `--check` only compare.

    scripts/env_example.py [--check]

Each variable stands with its default, as a comment, and with the sentence of the table. Standard library only.
"""

import re
import sys
import textwrap
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
PAGE = PROJECT / "docs" / "deploy.md"
FILE = PROJECT / ".env.example"
NAME = re.compile(r"`([A-Z_]+)`")
# A variable in the place of a value is the value of that variable.
VALUE = re.compile(r"`(?![A-Z_]+`)([^` ]+)`|`(INFO)`|(\d+)")
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
HEAD = """\
# Settings of Chratzete for compose.yaml, with their defaults: copy this file to `.env`, and set what has no #.
# Made by scripts/env_example.py from the table in docs/deploy.md. compose.yaml itself sets DATABASE_URL, REDIS_URL,
# BEHIND_PROXY, STREAM and DATA_DIR.

# The password of the database in compose.yaml, letters and digits only: openssl rand -hex 32
POSTGRES_PASSWORD=

# The name of this server; with several names write the setting into compose.yaml.
ALLOWED_HOSTS=club.example
HTTPS=1

# openssl rand -hex 32
SECRET_KEY=
"""


def rows() -> list[tuple[list[str], list[str], str]]:
    """Return the variables, the default of each and the sentence of each row of the table."""
    entries = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if not re.match(r"\| `[A-Z_]+`", line):
            continue
        variables, default, meaning = line.strip("| ").split(" | ")
        names = NAME.findall(variables)
        defaults = default.split(", ") if len(names) > 1 else [default]
        if len(defaults) != len(names):
            defaults = [default] * len(names)
        entries.append((names, defaults, meaning))
    return entries


def variables() -> set[str]:
    """Return the names of all settings."""
    return {name for names, _defaults, _meaning in rows() for name in names}


def plain(text: str) -> str:
    """Return the text of a cell without links and marks."""
    return LINK.sub(r"\1", text).replace("**", "").replace("`", "")


def text() -> str:
    """Return what the file should have."""
    parts = [HEAD]
    for names, defaults, meaning in rows():
        lines = textwrap.wrap(plain(meaning), 110, break_on_hyphens=False)
        for name, default in zip(names, defaults, strict=True):
            if not VALUE.fullmatch(default):
                lines.append(f"Default of {name}: {plain(default)}")
        parts.append("\n" + "".join(f"# {line}\n" for line in lines))
        for name, default in zip(names, defaults, strict=True):
            value = VALUE.fullmatch(default)
            parts.append(f"#{name}={value[value.lastindex or 0] if value else ''}\n")
    return "".join(parts)


def main(arguments: list[str]) -> int:
    wanted = text()
    if "--check" in arguments:
        if FILE.exists() and FILE.read_text(encoding="utf-8") == wanted:
            return 0
        print("`.env.example` is not that of the table in docs/deploy.md: run scripts/env_example.py.", file=sys.stderr)
        return 1
    FILE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
