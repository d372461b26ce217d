"""Translations without the gettext programs: collect the texts, check the catalogues, compile them.

English is the source language: the msgid is the English text. An entry names its files without line numbers, so that it
changes only if its text changes.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import polib
from django.utils.translation.template import templatize

Key = tuple[str | None, str, str | None]
"""Context, msgid and plural: the key of a text in gettext."""

# The positions of context, text and plural in the arguments of a call.
FUNCTIONS: dict[str, tuple[int | None, int, int | None]] = {
    "_": (None, 0, None),
    "gettext": (None, 0, None),
    "gettext_lazy": (None, 0, None),
    "gettext_noop": (None, 0, None),
    "ngettext": (None, 0, 1),
    "ngettext_lazy": (None, 0, 1),
    "pgettext": (0, 1, None),
    "pgettext_lazy": (0, 1, None),
    "npgettext": (0, 1, 2),
    "npgettext_lazy": (0, 1, 2),
    "_n": (None, 0, 1),
    "_p": (0, 1, None),
}
SKIPPED_FOLDERS = {"migrations", "tests", "__pycache__"}
PLACEHOLDER = re.compile(r"%\((\w+)\)[sdif]|%[sdif]|\{(\w*)\}")
NOTE = re.compile(r"#\s*Translators:\s*(.*)")


@dataclass
class Text:
    """One text to translate, with its files and the notes for translators."""

    key: Key
    files: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def percent_format(self) -> bool:
        return any(re.search(r"%\(\w+\)[sdif]|%[sdif]", part) for part in (self.key[1], self.key[2]) if part)


class NotAText(Exception):
    """A call of a translation function whose argument is not a plain string, so that it cannot be translated."""


def _plain(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _call_name(node: ast.Call) -> str | None:
    if isinstance(node.func, ast.Name):
        return node.func.id
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        return node.func.attr if node.func.value.id in {"translation", "gettext"} else None
    return None


def _notes(source: str) -> dict[int, str]:
    """Return the `# Translators:` comments by line number."""
    found = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        note = NOTE.match(token.string) if token.type == tokenize.COMMENT else None
        if note:
            found[token.start[0]] = note[1].strip()
    return found


def python_texts(source: str, name: str) -> Iterator[tuple[Key, str | None]]:
    """Yield the key and the note of each translated text in Python source, in order.

    Raises:
        NotAText: the text is an f-string, a variable or a sum.
    """
    notes = _notes(source)
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        places = FUNCTIONS.get(_call_name(call) or "")
        if places is None or not call.args:
            continue
        values: list[str | None] = []
        for place in places:
            value = _plain(call.args[place]) if place is not None and place < len(call.args) else None
            if place is not None and value is None:
                raise NotAText(f"{name}:{call.lineno}: only a plain string can be translated.")
            values.append(value)
        context, text, plural = values
        if text:
            yield (context, text, plural), notes.get(call.lineno - 1) or notes.get(call.lineno)


def template_texts(source: str, name: str) -> Iterator[tuple[Key, str | None]]:
    """Yield the key and the note of each translated text in a Django template, which Django turns into calls."""
    code = templatize(source, origin=name)
    # Django replaces the rest of the template with X; only the calls are valid Python.
    for match in re.finditer(r"\b(?:gettext|ngettext|pgettext|npgettext|_)\((?=\s*u?['\"])", code):
        call = _balanced(code, match.start())
        yield from python_texts(call, name)


def _balanced(code: str, start: int) -> str:
    """Return the call that begins at `start`, to its closing bracket; its strings can contain brackets, too."""
    for end in (match.end() for match in re.finditer(r"\)", code[start:])):
        call = code[start : start + end]
        try:
            ast.parse(call.strip())
        except SyntaxError:
            continue
        return call.strip()
    raise NotAText(f"not understood: {code[start : start + 60]!r}")


def collect(root: Path, folders: Iterable[str]) -> list[Text]:
    """Return all texts in the folders of `root`: files in alphabetical order, a text at its first use."""
    texts: dict[tuple[str | None, str], Text] = {}
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in {".py", ".html", ".txt"} or SKIPPED_FOLDERS & set(path.relative_to(root).parts):
                continue
            name = path.relative_to(root).as_posix()
            read = python_texts if path.suffix == ".py" else template_texts
            for key, note in read(path.read_text(encoding="utf-8"), name):
                text = _merge(texts, key)
                if name not in text.files:
                    text.files.append(name)
                if note and note not in text.notes:
                    text.notes.append(note)
    return list(texts.values())


def _merge(texts: dict[tuple[str | None, str], Text], key: Key) -> Text:
    """Return the text for a key. For gettext a text with and without plural is the same: one use with a plural gives it
    that plural."""
    text = texts.setdefault(key[:2], Text(key))
    if text.key[2] is None:
        text.key = key
    return text


def key_of(entry: polib.POEntry) -> tuple[str | None, str]:
    return entry.msgctxt, entry.msgid


def update(catalogue: polib.POFile, texts: list[Text]) -> None:
    """Give the catalogue exactly these texts in this order, and keep the translations."""
    known = {key_of(entry): entry for entry in catalogue if not entry.obsolete}
    entries = []
    for text in texts:
        context, msgid, plural = text.key
        entry = known.get((context, msgid)) or polib.POEntry(msgctxt=context, msgid=msgid)
        if plural and not entry.msgid_plural:
            entry.msgid_plural = plural
            entry.msgstr_plural = {0: entry.msgstr, 1: ""}
            entry.msgstr = ""
        elif not plural and entry.msgid_plural:
            entry.msgid_plural = ""
            entry.msgstr = entry.msgstr_plural.get(0, "")
            entry.msgstr_plural = {}
        elif plural:
            entry.msgid_plural = plural
        entry.occurrences = [(name, "") for name in text.files]
        entry.comment = "\n".join(text.notes)
        entry.flags = [flag for flag in entry.flags if flag == "fuzzy"]
        entry.flags += ["python-format"] if text.percent_format else []
        entries.append(entry)
    catalogue.clear()
    catalogue.extend(entries)


def placeholders(text: str) -> list[str]:
    return sorted(match.group(0) for match in PLACEHOLDER.finditer(text.replace("%%", "")))


def faults(catalogue: polib.POFile, texts: list[Text]) -> list[str]:
    """Return a sentence for each fault of the catalogue; an empty list if it is complete."""
    found = []
    wanted = {text.key[:2]: text for text in texts}
    present = {key_of(entry): entry for entry in catalogue if not entry.obsolete}
    for key, text in wanted.items():
        entry = present.get(key)
        if entry is None or (text.key[2] or "") != entry.msgid_plural:
            found.append(f"missing: {key[1]!r} ({', '.join(text.files)})")
    for key, entry in present.items():
        if key not in wanted:
            found.append(f"no longer used: {entry.msgid!r}")
        elif entry.fuzzy:
            found.append(f"fuzzy: {entry.msgid!r}")
        else:
            found += _translation_faults(entry)
    found += [f"no longer used: {entry.msgid!r}" for entry in catalogue if entry.obsolete]
    return found


def _translation_faults(entry: polib.POEntry) -> Iterator[str]:
    forms = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
    if not all(forms) or (entry.msgid_plural and len(forms) < 2):
        yield f"not translated: {entry.msgid!r}"
        return
    # The singular may omit its number ("one hand"), but may have no placeholder that the text does not have.
    allowed = placeholders(entry.msgid_plural or entry.msgid)
    for index, form in enumerate(forms):
        differs = placeholders(form) != allowed
        if entry.msgid_plural and index == 0:
            differs = not set(placeholders(form)) <= set(allowed)
        if differs:
            yield f"placeholders differ: {entry.msgid!r} → {form!r}"
    if any("ß" in form for form in forms):
        yield f"not Swiss spelling (ß): {entry.msgid!r}"


def open_catalogue(path: Path, language: str) -> polib.POFile:
    """Return the catalogue at `path`, or a new one for the language."""
    if path.exists():
        return polib.pofile(str(path), wrapwidth=100)
    catalogue = polib.POFile(wrapwidth=100)
    catalogue.metadata = {
        "Project-Id-Version": "chratzete",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    return catalogue


def catalogues(locale: Path) -> list[Path]:
    return sorted(locale.glob("*/LC_MESSAGES/django.po"))


def compile_all(locale: Path) -> int:
    """Write the .mo file of every .po file that is newer; return the number of written files."""
    written = 0
    for source in catalogues(locale):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns:
            continue
        # Replaced at once: a server that starts meanwhile must not read half a file.
        partial = target.with_suffix(".mo.part")
        polib.pofile(str(source)).save_as_mofile(str(partial))
        partial.replace(target)
        written += 1
    return written
