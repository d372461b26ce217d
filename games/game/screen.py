"""How a hand of a game is entered at the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ..engine_bridge import Start
from .cut_form import MakeCutting
from .hand_form import HandForm

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True)
class Sentences:
    """What the table screen says about a hand of the game. A place is written `%(dealer)s` or `{name}`; the scripts of
    the pages have the same sentences (`static/js/night/texts.js`)."""

    tap_first: str | _StrPromise
    """The instruction for the first tap."""
    who: str | _StrPromise
    """The heading of the players to tap after a hand."""
    nobody: str | _StrPromise
    """The button of a hand that nobody plays; `nobody_next` is that after a hand."""
    nobody_next: str | _StrPromise
    passed: str | _StrPromise
    """The preview of such a hand: the pot stays. `passed_paid`: somebody takes it."""
    passed_line: str | _StrPromise
    passed_story: str | _StrPromise
    passed_hand: str | _StrPromise
    """The same hand as one line of the writes of another phone, in two stories, and in the list of tonight."""
    alone: str | _StrPromise
    """Only one player plays."""
    too_many: str | _StrPromise
    """More tricks were counted than there are."""
    next_antes: str | _StrPromise
    """The next hand after the preview, with antes in its pot; `next_muss`: everybody has to play it."""
    declarer: str | _StrPromise = ""
    joiner: str | _StrPromise = ""
    """The words beside a name before any script has run, in a game where they do not depend on a call."""
    passed_paid: str | _StrPromise = ""
    next_muss: str | _StrPromise = ""
    all_play: str | _StrPromise = ""
    """Everybody had to play."""
    pack: str | _StrPromise = ""
    """Who has the pack before the cuts, where there are any; `pack_muss`: everybody has to play."""
    pack_muss: str | _StrPromise = ""
    deals_free: str | _StrPromise = ""
    """Who deals after the cuts; `deals_muss`: everybody has to play."""
    deals_muss: str | _StrPromise = ""
    saved_pack: str | _StrPromise = ""
    """After a hand: what the player with the pack pays; `saved_free` and `saved_muss` say what hand comes next."""
    saved_free: str | _StrPromise = ""
    saved_muss: str | _StrPromise = ""

    def by_name(self) -> Mapping[str, str]:
        """The sentences in the language of the reader, by the names that the scripts use."""
        named = {field.name.replace("_", "-"): str(getattr(self, field.name)) for field in fields(self)}
        return {name: sentence for name, sentence in named.items() if sentence}


@dataclass(frozen=True)
class Screen:
    """How a hand of a game is entered at the table.

    `templates` is the folder with the parts of its own of the pages: `between`, `choices`, `deals`, `keys`, `labels`,
    `next_hand`, `role`, and with cuts `pays_pack`. `form` makes the form of a hand from what was sent and the start of
    the hand. `cutting` makes what follows the cards shown at the cuts; None in a game without cuts. `always_counts`: a
    hand is paid by tricks, so that they are counted in every hand. `divided_rule` is the house rule that decides what
    becomes of an amount that cannot be divided.
    """

    templates: str
    form: Callable[[Mapping[str, Any] | None, Start], HandForm]
    sentences: Sentences
    tricks: int
    always_counts: bool
    divided_rule: str
    cutting: MakeCutting | None = None

    @property
    def trick_counts(self) -> range:
        """The numbers of tricks that a player can have."""
        return range(self.tricks + 1)

    @property
    def between(self) -> str:
        """The template between the seats and the bar: whose turn it is, and the fields of a page without scripts."""
        return f"{self.templates}/between.html"

    @property
    def choices(self) -> str:
        """The template of the buttons under the bar."""
        return f"{self.templates}/choices.html"

    @property
    def deals(self) -> str:
        """The template of the sentence that says who deals, for those who watch."""
        return f"{self.templates}/deals.html"

    @property
    def keys(self) -> str:
        """The template of the keys of the entry."""
        return f"{self.templates}/keys.html"

    @property
    def labels(self) -> str:
        """The template of the texts that the form has for its script."""
        return f"{self.templates}/labels.html"

    @property
    def next_hand(self) -> str:
        """The template of the sentence about the next hand, after a hand."""
        return f"{self.templates}/next_hand.html"

    @property
    def pays_pack(self) -> str:
        """The template of what the player with the pack pays for the next hand."""
        return f"{self.templates}/pays_pack.html"

    @property
    def role(self) -> str:
        """The template of the fields of a seat on a page without scripts."""
        return f"{self.templates}/role.html"
