"""The check of the catalogues, texts that gettext's programs find, and compiled texts."""

from __future__ import annotations

import ast
import gettext
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from league.config.compiled_texts import compile_texts
from league.management.commands import messages
from league.management.commands.messages import faults

PROJECT = Path(settings.BASE_DIR)
TEXTS_OF = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), 1),
    **dict.fromkeys(("ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy"), 2),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), 3),
}
"""The functions that `makemessages` knows, and how many of their arguments, from the first on, are texts."""


@pytest.fixture
def programs() -> None:
    """Leave a test out on a machine without gettext's programs; CI has them."""
    if shutil.which("msgfmt") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("the gettext programs are missing")


# --- The catalogue ---


def catalogue_of(folder: Path, *entries: polib.POEntry) -> Path:
    catalogue = polib.POFile()
    catalogue.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Language": "de",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    catalogue.extend(entries)
    path = folder / "de" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    catalogue.save(str(path))
    return path


def collected(*entries: polib.POEntry) -> polib.POFile:
    catalogue = polib.POFile()
    catalogue.extend(entries)
    return catalogue


def deals(**more: object) -> polib.POEntry:
    values = {"msgid": "%(who)s deals", "msgstr": "%(who)s gibt", "flags": ["python-format"]} | more
    return polib.POEntry(**values)


def test_a_complete_catalogue_has_no_faults(programs: None, tmp_path: Path) -> None:
    assert list(faults(collected(deals()), catalogue_of(tmp_path, deals()))) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"msgstr": ""}, "not translated: '%(who)s deals'"),
        ({"flags": ["fuzzy"]}, "not translated: '%(who)s deals'"),
        ({"msgstr": "er gibt"}, "a format specification for argument 'who' doesn't exist in 'msgstr'"),
        ({"msgstr": "%(wer)s gibt"}, "a format specification for argument 'wer'"),
        ({"msgstr": "%(who)s weiß"}, "not Swiss spelling (ß): '%(who)s deals'"),
        ({"obsolete": True}, "missing: '%(who)s deals'"),
        ({"msgid": "other"}, "missing: '%(who)s deals'"),
        ({"msgctxt": "verb"}, "no longer used: '%(who)s deals'"),
        ({"msgid_plural": "%(who)s deal", "msgstr_plural": {0: "%(who)s", 1: "%(who)s"}}, "missing: '%(who)s deals'"),
    ],
)
def test_each_fault_is_reported(programs: None, tmp_path: Path, change: dict[str, object], fault: str) -> None:
    problems = list(faults(collected(deals()), catalogue_of(tmp_path, deals(**change))))
    assert any(fault in each for each in problems), problems


def test_the_singular_may_omit_its_number_and_the_plural_not(programs: None, tmp_path: Path) -> None:
    def hands(plural: str) -> polib.POEntry:
        values = {0: "ein Spiel", 1: plural}
        return deals(msgid="%(n)d hand", msgid_plural="%(n)d hands", msgstr="", msgstr_plural=values)

    assert list(faults(collected(hands("")), catalogue_of(tmp_path / "a", hands("%(n)d Spiele")))) == []
    assert list(faults(collected(hands("")), catalogue_of(tmp_path / "b", hands("viele Spiele"))))


def test_the_check_needs_the_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages.shutil, "which", lambda name: None)
    with pytest.raises(CommandError, match="install the package gettext"):
        call_command("messages", check=True)


# --- The texts in the code ---


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TEXTS_OF:
            yield node


def hidden(source: str) -> Iterator[str]:
    """Yield the calls whose texts gettext's programs do not find: of no literal, and inside an f-string."""
    tree = ast.parse(source)
    for call in calls(tree):
        texts = call.args[: TEXTS_OF[call.func.id]]  # type: ignore[attr-defined]
        if not all(isinstance(text, ast.Constant) and isinstance(text.value, str) for text in texts):
            yield f"{call.lineno}: {ast.unparse(call)}"
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield from (f"{call.lineno}: {ast.unparse(call)}" for call in calls(node))


@pytest.mark.parametrize(
    "code",
    ['_(f"{n} hands")', "_(name)", '_("a" + b)', 'ngettext("one", many, 2)', "f\"{_('a')} b\"", "pgettext(a, 'b')"],
)
def test_a_text_that_would_not_be_found_is_seen(code: str) -> None:
    assert list(hidden(code))


def test_each_text_is_found() -> None:
    for folder in ("league", "games"):
        for path in (PROJECT / folder).rglob("*.py"):
            source = path.read_text(encoding="utf-8")
            assert list(hidden(source)) == [], path
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation":
                    names = {name.asname or name.name for name in node.names if "gettext" in name.name}
                    assert names <= set(TEXTS_OF), path


# --- The compiled texts ---


def test_compiling_writes_a_file_only_if_the_texts_are_newer(tmp_path: Path) -> None:
    catalogue_of(
        tmp_path,
        polib.POEntry(msgid="%d hand", msgid_plural="%d hands", msgstr_plural={0: "%d Spiel", 1: "%d Spiele"}),
    )
    assert compile_texts(tmp_path) == 1
    assert compile_texts(tmp_path) == 0
    translations = gettext.translation("django", str(tmp_path), ["de"])
    assert translations.ngettext("%d hand", "%d hands", 1) == "%d Spiel"
    assert translations.ngettext("%d hand", "%d hands", 2) == "%d Spiele"
