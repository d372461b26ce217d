"""Release a version: `make release VERSION=0.2.0`. It sends nothing anywhere.

    scripts/release.py VERSION

It moves the sections 'Unreleased' of CHANGELOG.md and docs/upgrading.md to the version, writes the version into
pyproject.toml and compose.yaml, builds `dist/` (the wheel and the list of its packages as CycloneDX), commits and tags.
If a step fails, the files are as they were.
"""

import re
import subprocess
import sys
from datetime import date
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from scripts import licences  # noqa: E402

DIST = "dist"
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
UNRELEASED = "## Unreleased\n"
LATER = "Nothing but the [usual steps](deploy.md#upgrading).\n"
CHANGED = ("pyproject.toml", "compose.yaml", "CHANGELOG.md", "docs/upgrading.md")


class Stop(Exception):
    """The release cannot be made; the message is a sentence."""


def run(*command: str) -> str:
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    if done.returncode != 0:
        raise Stop(f"{' '.join(command[:4])} failed: {done.stdout[-1500:]}{done.stderr[-1500:]}")
    return done.stdout


def section(text: str) -> str:
    """Return what stands under 'Unreleased'."""
    return text.partition(UNRELEASED)[2].partition("\n## ")[0].strip()


def released(name: str, text: str, old: str, new: str, today: date) -> str:
    """Return the text of a file for the new version."""
    if name == "CHANGELOG.md":
        head = f"## {new} ({today.day} {today:%B %Y})\n"
        return text.replace(UNRELEASED, f"{UNRELEASED}\n{head}", 1)
    if name == "docs/upgrading.md":
        return text.replace(UNRELEASED, f"{UNRELEASED}\n{LATER}\n## {new}\n", 1)
    pattern = {"pyproject.toml": f'version = "{old}"\n', "compose.yaml": f"/chratzete:{old}\n"}[name]
    if text.count(pattern) != 1:
        raise Stop(f"{name} has not the version {old} once.")
    return text.replace(pattern, pattern.replace(old, new))


def check(new: str, old: str) -> None:
    """Raise Stop if the version cannot be released now."""
    if not VERSION.fullmatch(new):
        raise Stop("Say which version, such as: make release VERSION=0.2.0")
    if tuple(map(int, new.split("."))) <= tuple(map(int, old.split("."))):
        raise Stop(f"{new} is not later than {old}.")
    if run("git", "status", "--porcelain"):
        raise Stop("There are changes that are not committed.")
    for name in ("CHANGELOG.md", "docs/upgrading.md"):
        if not section((PROJECT / name).read_text(encoding="utf-8")):
            raise Stop(f"{name} says nothing under 'Unreleased'.")
    if licences.main(["--check"]):
        raise Stop("The licences in THIRD-PARTY.md are not checked.")


def build(version: str) -> None:
    """Build the wheel and the list of its packages."""
    # As a container has it: the compiled texts are not in the repository.
    run(sys.executable, "manage.py", "messages", "--compile")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", DIST)
    options = ["--pyproject", "pyproject.toml", "--mc-type", "application", "--output-reproducible"]
    bill = f"{DIST}/chratzete-{version}.cdx.json"
    run(sys.executable, "-m", "cyclonedx_py", "requirements", "requirements/prod.txt", *options, "-o", bill)


def main(arguments: list[str]) -> int:
    new = arguments[0] if arguments else ""
    texts = {name: (PROJECT / name).read_text(encoding="utf-8") for name in CHANGED}
    old = re.search(r'^version = "(.+)"$', texts["pyproject.toml"], re.M)[1]  # type: ignore[index]
    try:
        check(new, old)
        try:
            for name, text in texts.items():
                (PROJECT / name).write_text(released(name, text, old, new, date.today()), encoding="utf-8")  # noqa: DTZ011
            build(new)
            run("git", "commit", "--quiet", "--all", "--message", f"Release {new}")
        except BaseException:
            for name, text in texts.items():
                (PROJECT / name).write_text(text, encoding="utf-8")
            raise
        run("git", "tag", "--annotate", f"v{new}", "--message", f"Chratzete {new}")
    except Stop as reason:
        print(reason, file=sys.stderr)
        return 1
    print(f"{new} is committed, tagged and in {DIST}/. Send it: git push --follow-tags")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
