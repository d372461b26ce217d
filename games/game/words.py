"""Words with their meanings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Text = str | _StrPromise


@dataclass(frozen=True)
class Word:
    """A word as the screens write it, and its meaning in one or two sentences.

    `forms`: how sentences inflect it, in both languages. `phrases`: if sentences use it in its ordinary sense, too, the
    regular expressions of those in which it is the word of the game; it is that also where it stands alone, unless it
    is a name (`is_name`).
    """

    key: str
    term: Text
    meaning: Text
    forms: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    is_name: bool = False

    def in_texts(self) -> dict[str, str]:
        """Return each form with the pattern of the texts where it is meant; "" is any text."""
        return {form: self._pattern(form) for form in (str(self.term), *self.forms)}

    def _pattern(self, form: str) -> str:
        if not self.phrases:
            return ""
        alone = () if self.is_name else (f"^\\s*{form}\\s*$", f"[«“\"']{form}[»”\"']")
        return "|".join((*alone, *(phrase.replace(" ", r"\s+") for phrase in self.phrases)))


DECLARES = _("plays for the pot, and must take two of the four tricks")
JOINS = _("plays along, and must take one trick")
OUT = _("stays out of the hand")
"""The meanings of words that have the same one in several games."""

MIT = Word(
    "with",
    "mit",
    JOINS,
    phrases=("(?:geht|gehen|ging|gingen)(?: auch| nicht)? mit", "niemand mit", "mit, (?:ohne|weg)"),
)
WEG = Word("out", "weg", OUT, phrases=("[Aa]lle weg", "(?:or|oder) weg", "(?:metcho|mit), weg", "nachher weg"))
"""Words of several games."""
