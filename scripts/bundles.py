"""Make one file of scripts for each screen, and the service worker: `make scripts`.

    scripts/bundles.py [--check]

`--check` says if the files are older than the modules.
`static/js/screens` has a list of modules for each screen; esbuild joins them to one file in `static/built`. The results
are committed: a browser loads one file instead of sixty, and the service needs no Node. npm installs esbuild from
`requirements/package-lock.json`. The check needs no esbuild: `static/built/made_of.json` has a digest of all modules
and one of each result.
"""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from scripts import node_modules  # noqa: E402

SCREENS = Path("static/js/screens")
WORKER = Path("static/js/worker.js")
BUILT = Path("static/built")
MADE_OF = BUILT / "made_of.json"
# esbuild must not read tsconfig.json: it is for the type checker, and would change the results.
OPTIONS = [
    *("--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8", "--tsconfig-raw={}"),
    f"--outdir={BUILT}",
]
# Its names stay: a test takes one of its guards away.
OPTIONS_OF_WORKER = [option.replace("--minify", "--minify-whitespace") for option in OPTIONS]


def digest(paths: list[Path]) -> str:
    """Return a digest of these files: of their names and contents."""
    total = hashlib.sha256()
    for path in paths:
        total.update(f"{path.as_posix()}\0".encode() + hashlib.sha256((PROJECT / path).read_bytes()).digest())
    return total.hexdigest()


def files(pattern: str) -> list[Path]:
    return sorted(path.relative_to(PROJECT) for path in PROJECT.glob(pattern))


def state() -> dict[str, object]:
    """Return what the results are made of, and what they are."""
    return {
        "esbuild": node_modules.version("esbuild"),
        "options": [OPTIONS, OPTIONS_OF_WORKER],
        "modules": digest([*files("static/js/**/*.js"), *files("static/vendor/**/*.js")]),
        "results": {path.name: digest([path]) for path in files(f"{BUILT}/*.js")},
    }


def make() -> int:
    if not node_modules.install():
        return 1
    for path in files(f"{BUILT}/*.js"):
        (PROJECT / path).unlink()
    esbuild = [node_modules.program("esbuild"), "--log-level=warning"]
    for made_of, options in ((files(f"{SCREENS}/*.js"), OPTIONS), ([WORKER], OPTIONS_OF_WORKER)):
        code = subprocess.call([*esbuild, *map(str, made_of), *options], cwd=PROJECT)
        if code != 0:
            return code
    (PROJECT / MADE_OF).write_text(json.dumps(state(), indent=1) + "\n", encoding="utf-8")
    return 0


def check() -> int:
    written = json.loads((PROJECT / MADE_OF).read_text(encoding="utf-8"))
    if written == state():
        return 0
    print(f"{BUILT} is not made of these modules: run `make scripts`.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(check() if "--check" in sys.argv[1:] else make())
