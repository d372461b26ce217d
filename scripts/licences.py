"""List the packages of the image with their licences in THIRD-PARTY.md; with `--check` only compare.

    scripts/licences.py [--check]

It reads what the packages say of themselves, and refuses a licence that is not in the list of those that we take.
"""

import re
import sys
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

PROJECT = Path(__file__).resolve().parent.parent
FILE = PROJECT / "THIRD-PARTY.md"
LOCK = PROJECT / "requirements" / "prod.txt"
BEGIN, END = "<!-- licences -->\n", "<!-- /licences -->\n"
TAKEN = re.compile(r"\b(MIT|BSD|Apache|ISC|PSF-2\.0|PSFL|Python Software Foundation|LGPL|Lesser General|MPL|Mozilla)")
IMAGE = {"python_full_version": "3.12.12", "python_version": "3.12", "sys_platform": "linux", "os_name": "posix"}
"""What decides, in the image, about packages that only some machines need."""


class NotTaken(Exception):
    """A package has a licence that we do not take, or none; the message is a sentence."""


def packages() -> list[str]:
    """Return the names of the packages of the image."""
    lines = [line.rstrip(" \\") for line in LOCK.read_text(encoding="utf-8").splitlines() if re.match(r"\w", line)]
    wanted = [Requirement(line) for line in lines]
    return sorted(
        requirement.name for requirement in wanted if requirement.marker is None or requirement.marker.evaluate(IMAGE)
    )


def licence(values: metadata.PackageMetadata, name: str) -> str:
    """Return the licence of a package, as its expression, its short name or its classifiers say it."""
    classifiers = [
        classifier.rpartition(" :: ")[2]
        for classifier in values.get_all("Classifier", [])
        if classifier.startswith("License ::")
    ]
    short = (values.get("License") or "").strip()
    for text in (values.get("License-Expression") or "", short if "\n" not in short else "", ", ".join(classifiers)):
        if TAKEN.search(text):
            return text
    raise NotTaken(f"{name} has the licence {short[:60] or classifiers or 'none'}: it is not one that we take.")


def listed() -> str:
    """Return the list."""
    return "".join(f"- {name}: {licence(metadata.metadata(name), name)}\n" for name in packages())


def main(arguments: list[str]) -> int:
    text = FILE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    try:
        wanted = before + BEGIN + listed() + END + rest.partition(END)[2]
    except (NotTaken, metadata.PackageNotFoundError) as reason:
        print(reason, file=sys.stderr)
        return 1
    if "--check" in arguments:
        if wanted != text:
            print(
                "THIRD-PARTY.md has not the packages of requirements/prod.txt: run scripts/licences.py.",
                file=sys.stderr,
            )
        return int(wanted != text)
    FILE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
