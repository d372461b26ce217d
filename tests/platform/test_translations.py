"""The translation tool finds every text, keeps translations, and reports every fault."""

import ast
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from league.config import translations
from league.config.translations import Text

PYTHON = """
from django.utils.translation import gettext as _, ngettext, pgettext_lazy
from django.utils import translation

# Translators: on a button
save = _("Save")
hands = ngettext("one hand", "%(count)d hands", 2)
trick = pgettext_lazy("cards", "trick")
long = _("two "
         "lines")
other = translation.gettext("elsewhere")
not_ours = dictionary.gettext("no")
"""
TEMPLATE = """{% load i18n %}
{# Translators: the page's title #}
<h1 title="{% trans 'Pot (of the table)' %}">{% translate "Standings" %}</h1>
{% blocktranslate count n=n trimmed %}
  {{ n }} evening
{% plural %}
  {{ n }} evenings
{% endblocktranslate %}
{% blocktranslate with who=name %}It is {{ who }}'s turn: "now"!{% endblocktranslate %}
{% translate "deal" context "verb" %}
{% if x == _("inline") %}{% endif %}
_("only words")
"""


def keys(found: object) -> list[translations.Key]:
    return [key for key, _note in found]  # type: ignore[attr-defined]


def test_python_texts_are_found_in_their_order() -> None:
    assert keys(translations.python_texts(PYTHON, "a.py")) == [
        (None, "Save", None),
        (None, "one hand", "%(count)d hands"),
        ("cards", "trick", None),
        (None, "two lines", None),
        (None, "elsewhere", None),
    ]


def test_a_note_for_translators_is_collected() -> None:
    assert next(iter(translations.python_texts(PYTHON, "a.py")))[1] == "on a button"


@pytest.mark.parametrize("call", ['_(f"{n} hands")', "_(name)", '_("a" + b)', 'ngettext("one", many, 2)'])
def test_a_text_that_is_not_a_literal_is_refused(call: str) -> None:
    with pytest.raises(translations.NotAText, match=r"a\.py:1"):
        list(translations.python_texts(call, "a.py"))


def test_template_texts_are_found() -> None:
    assert keys(translations.template_texts(TEMPLATE, "a.html")) == [
        (None, "Pot (of the table)", None),
        (None, "Standings", None),
        (None, "%(n)s evening", "%(n)s evenings"),
        (None, 'It is %(who)s\'s turn: "now"!', None),
        ("verb", "deal", None),
        (None, "inline", None),
    ]


def test_texts_are_collected_from_code_and_templates_but_not_tests(tmp_path: Path) -> None:
    for name, content in (
        ("app/b.py", 'x = _("from b")'),
        ("app/a.html", '{% load i18n %}{% translate "shared" %}'),
        ("app/c.py", 'x = _("shared")'),
        ("app/migrations/0001.py", 'x = _("old")'),
        ("app/tests/t.py", 'x = _("test")'),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    found = {text.key[1]: text.files for text in translations.collect(tmp_path, ["app"])}
    assert found == {"shared": ["app/a.html", "app/c.py"], "from b": ["app/b.py"]}


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")], ids="".join)
def test_a_text_that_is_also_used_alone_keeps_its_plural(tmp_path: Path, order: tuple[str, str]) -> None:
    (tmp_path / "app").mkdir()
    for name, code in zip(order, ('_("hand")', 'ngettext("hand", "hands", n)'), strict=True):
        (tmp_path / "app" / f"{name}.py").write_text(code)
    (found,) = translations.collect(tmp_path, ["app"])
    assert found.key == (None, "hand", "hands")
    assert found.files == ["app/a.py", "app/b.py"]


def test_the_name_of_a_parent_folder_does_not_matter(tmp_path: Path) -> None:
    project = tmp_path / "tests"
    (project / "app").mkdir(parents=True)
    (project / "app" / "a.py").write_text('x = _("text")')
    assert [text.key[1] for text in translations.collect(project, ["app"])] == ["text"]


def catalogue_of(*entries: polib.POEntry) -> polib.POFile:
    catalogue = polib.POFile()
    catalogue.extend(entries)
    return catalogue


def test_updating_keeps_translations_adds_new_texts_and_drops_old_ones() -> None:
    catalogue = catalogue_of(
        polib.POEntry(msgid="gone", msgstr="weg"), polib.POEntry(msgid="pot", msgstr="Topf", msgctxt="cards")
    )
    translations.update(catalogue, [Text((None, "new", None), ["a.py"]), Text(("cards", "pot", None), ["b.py"])])
    assert [(entry.msgctxt, entry.msgid, entry.msgstr) for entry in catalogue] == [
        (None, "new", ""),
        ("cards", "pot", "Topf"),
    ]
    assert catalogue[1].occurrences == [("b.py", "")]


def test_a_text_that_gets_a_plural_keeps_its_singular() -> None:
    catalogue = catalogue_of(polib.POEntry(msgid="one hand", msgstr="ein Spiel"))
    translations.update(catalogue, [Text((None, "one hand", "%d hands"), ["a.py"])])
    assert catalogue[0].msgstr_plural == {0: "ein Spiel", 1: ""}


def complete() -> tuple[polib.POEntry, Text]:
    entry = polib.POEntry(msgid="%(who)s deals", msgstr="%(who)s gibt")
    return entry, Text((None, "%(who)s deals", None), ["a.py"])


def test_a_complete_catalogue_has_no_faults() -> None:
    entry, text = complete()
    assert translations.faults(catalogue_of(entry), [text]) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"msgstr": ""}, "not translated"),
        ({"msgstr": "er gibt"}, "placeholders differ"),
        ({"msgstr": "%(wer)s gibt"}, "placeholders differ"),
        ({"msgstr": "%(who)s weiß"}, "not Swiss spelling"),
        ({"flags": ["fuzzy"]}, "fuzzy"),
        ({"obsolete": True}, "missing"),
        ({"msgid": "other"}, "missing"),
    ],
)
def test_each_fault_is_reported(change: dict[str, object], fault: str) -> None:
    entry, text = complete()
    for name, value in change.items():
        setattr(entry, name, value)
    assert any(found.startswith(fault) for found in translations.faults(catalogue_of(entry), [text]))


def test_an_unused_text_is_reported() -> None:
    assert translations.faults(catalogue_of(complete()[0]), []) == ["no longer used: '%(who)s deals'"]


def test_the_singular_may_omit_its_number_and_nothing_else() -> None:
    text = Text((None, "%(n)d hand", "%(n)d hands"), ["a.py"])
    entry = polib.POEntry(msgid="%(n)d hand", msgid_plural="%(n)d hands")
    entry.msgstr_plural = {0: "ein Spiel", 1: "%(n)d Spiele"}
    assert translations.faults(catalogue_of(entry), [text]) == []
    entry.msgstr_plural = {0: "ein Spiel", 1: "viele Spiele"}
    assert translations.faults(catalogue_of(entry), [text]) != []


def test_compiling_writes_a_gettext_file_only_if_the_texts_are_newer(tmp_path: Path) -> None:
    import gettext

    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalogue = translations.open_catalogue(folder / "django.po", "de")
    entry = polib.POEntry(msgid="%d hand", msgid_plural="%d hands", msgstr_plural={0: "%d Spiel", 1: "%d Spiele"})
    catalogue.append(entry)
    catalogue.save(str(folder / "django.po"))
    assert translations.compile_all(tmp_path) == 1
    assert translations.compile_all(tmp_path) == 0
    found = gettext.translation("django", str(tmp_path), ["de"])
    assert found.ngettext("%d hand", "%d hands", 1) == "%d Spiel"
    assert found.ngettext("%d hand", "%d hands", 2) == "%d Spiele"


@pytest.mark.rest
def test_check_fails_on_an_incomplete_catalogue_and_changes_nothing(
    tmp_path: Path, settings: object, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.LOCALE_PATHS = [tmp_path]  # type: ignore[attr-defined]
    with pytest.raises(CommandError, match="not complete"):
        call_command("messages", check=True)
    assert "missing: " in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.rest
def test_collecting_twice_changes_nothing_the_second_time(tmp_path: Path, settings: object) -> None:
    settings.LOCALE_PATHS = [tmp_path]  # type: ignore[attr-defined]
    call_command("messages")
    path = tmp_path / "de" / "LC_MESSAGES" / "django.po"
    first = path.read_bytes()
    call_command("messages")
    assert path.read_bytes() == first


def test_translation_functions_are_imported_under_names_that_the_tool_finds() -> None:
    """A text in a call of another name would never be collected, and stay English."""
    for folder in ("league", "games"):
        for path in (Path(settings.BASE_DIR) / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation":
                    names = {name.asname or name.name for name in node.names if "gettext" in name.name}
                    assert names <= set(translations.FUNCTIONS), f"{path}: {names}"
