"""Make `.venv` and install a hash-locked set of packages into it; do nothing when that is done already.

    python3 scripts/bootstrap.py prod|dev|bench|servers ...

It needs Python 3.11 or later and a package index, but no pip, no ensurepip (Debian packages both
separately) and no root. The index is that of pip's configuration (PIP_INDEX_URL, pip.conf).
"""

# Any Python 3 can parse this file, so that an old one can report that it is too old.

import configparser
import hashlib
import os
import re
import ssl
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

OLDEST_PYTHON = (3, 11)
PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(PROJECT, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
DEFAULT_INDEX = "https://pypi.org/simple"
PIP_WHEEL = "pip-26.3-py3-none-any.whl"
PIP_SHA256 = "f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13"
# Every lock is compiled under the one before it, so a larger set includes the smaller one.
INCLUDED = {"base": [], "prod": ["base"], "dev": ["base", "prod"], "bench": [], "servers": []}


class Stop(Exception):
    """The set-up cannot continue; the message is one sentence with the reason."""


def check_python(version=sys.version_info):
    if tuple(version[:2]) < OLDEST_PYTHON:
        raise Stop(
            "Chratzete needs Python %d.%d or later and this is %d.%d: start it with a newer one, "
            "as in 'make run PYTHON=python3.12'." % (OLDEST_PYTHON + tuple(version[:2]))
        )


def check_folder(folder):
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise Stop(
            "The folder %s cannot be written (%s): copy the project to one of your own." % (folder, error.strerror)
        ) from None


def pip_setting(name):
    """Return a global setting of pip (`index-url`, `cert`) from the environment or pip's own files."""
    value = os.environ.get("PIP_" + name.upper().replace("-", "_"))
    if value:
        return value
    home = os.path.expanduser("~")
    files = [
        "/etc/pip.conf",
        os.path.join(home, ".pip", "pip.conf"),
        os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "pip", "pip.conf"),
        os.path.join(home, "Library", "Application Support", "pip", "pip.conf"),
    ]
    if os.environ.get("PIP_CONFIG_FILE"):
        files.append(os.environ["PIP_CONFIG_FILE"])
    parser = configparser.RawConfigParser()
    try:
        parser.read(files)
    except configparser.Error:
        return None
    for section in ("install", "global"):
        if parser.has_option(section, name):
            return parser.get(section, name)
    return None


def fetch(url, accept="*/*"):
    """Return the bytes of a URL; a name and password in it are sent by basic authentication."""
    parts = urllib.parse.urlsplit(url)
    context = ssl.create_default_context(cafile=pip_setting("cert") or None)
    handlers = [urllib.request.HTTPSHandler(context=context)]
    if parts.username:
        passwords = urllib.request.HTTPPasswordMgrWithPriorAuth()
        user, password = urllib.parse.unquote(parts.username), urllib.parse.unquote(parts.password or "")
        host = parts.netloc.rpartition("@")[2]
        url = urllib.parse.urlunsplit(parts._replace(netloc=host))
        passwords.add_password(None, url, user, password, is_authenticated=True)
        handlers.append(urllib.request.HTTPBasicAuthHandler(passwords))
    request = urllib.request.Request(url, headers={"Accept": accept})
    with urllib.request.build_opener(*handlers).open(request, timeout=60) as answer:
        return answer.read()


def pip_wheel_url(index):
    """Return the URL of the pip wheel in the index. Its page, HTML or JSON, has the URL in quotes."""
    page_url = index.rstrip("/") + "/pip/"
    accept = "application/vnd.pypi.simple.v1+json, text/html;q=0.5"
    page = fetch(page_url, accept).decode("utf-8", "replace")
    for address in re.findall(r'"([^"]*/%s)(?:#[^"]*)?"' % re.escape(PIP_WHEEL), page):
        return urllib.parse.urljoin(page_url, address.replace("&amp;", "&"))
    raise Stop("The package index %s has no %s." % (index, PIP_WHEEL))


def pip_wheel(folder):
    """Download pip into `folder` and check its hash."""
    index = pip_setting("index-url") or DEFAULT_INDEX
    try:
        content = fetch(pip_wheel_url(index))
    except (OSError, ValueError) as error:
        raise Stop("The package index cannot be reached (%s): is there a network or a proxy to set?" % error) from None
    if hashlib.sha256(content).hexdigest() != PIP_SHA256:
        raise Stop("The package index gave another %s than the one expected: nothing was installed." % PIP_WHEEL)
    path = os.path.join(folder, PIP_WHEEL)
    with open(path, "wb") as file:
        file.write(content)
    return path


def run(command, what):
    if subprocess.call(command, cwd=PROJECT) != 0:
        raise Stop("%s failed; its messages are above." % what)


def venv_works():
    """Return True if .venv exists and belongs to the running Python (an upgraded Python leaves a broken link)."""
    ask = "import sys, pip; print('%d.%d' % sys.version_info[:2])"
    try:
        said = subprocess.run([PYTHON, "-I", "-c", ask], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return False
    return said.returncode == 0 and said.stdout.decode().strip() == "%d.%d" % sys.version_info[:2]


def make_venv():
    try:
        import venv
    except ImportError:
        raise Stop("This Python has no venv module (Debian: it comes with the package python3).") from None
    print("Making .venv ...", flush=True)
    venv.EnvBuilder(clear=True, symlinks=True, with_pip=False).create(VENV)
    with tempfile.TemporaryDirectory() as folder:
        wheel = pip_wheel(folder)
        # A wheel is a zip file that Python can run from: pip installs itself.
        install = ["install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check", wheel]
        run([PYTHON, "-I", os.path.join(wheel, "pip"), *install], "Installing pip")


def lock_file(name):
    return os.path.join(PROJECT, "requirements", name + ".txt")


def stamp_file(name):
    return os.path.join(VENV, ".installed-" + name)


def digest(name):
    with open(lock_file(name), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def is_installed(name):
    try:
        with open(stamp_file(name)) as file:
            return file.read().strip() == digest(name)
    except OSError:
        return False


def install(name):
    print("Installing requirements/%s.txt ..." % name, flush=True)
    options = ["--quiet", "--disable-pip-version-check", "--no-input", "--require-hashes", "--no-deps"]
    command = [PYTHON, "-m", "pip", "install", *options, "--only-binary", ":all:", "-r", lock_file(name)]
    run(command, "Installing the packages")
    for each in [*INCLUDED[name], name]:
        with open(stamp_file(each), "w") as file:
            file.write(digest(each))


def main(names):
    unknown = [name for name in names if name not in INCLUDED]
    try:
        if unknown or not names:
            raise Stop("Say what to install: one or more of %s." % ", ".join(sorted(INCLUDED)))
        check_python()
        if all(is_installed(name) for name in names) and venv_works():
            return 0
        check_folder(PROJECT)
        if not venv_works():
            make_venv()
        for name in names:
            if not is_installed(name):
                install(name)
    except Stop as reason:
        print(reason, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
