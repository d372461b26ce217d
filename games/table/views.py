"""The recording pages: enter hands, undo the last one, show the coin movements. A view is gate, form, service, page."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.access import ClubAccess, Right, club_for
from league.models import Evening
from league.web.kept_pages import AGAIN, TO_KEEP, keep_on_phone
from league.web.page_versions import versioned
from league.web.requests import actor_of
from league.web.requests import see as see

from .. import engine_bridge
from ..errors import FormProblem, Refused, form_outdated
from ..evening.night_club import pages_of_night
from ..hands import selectors, services
from ..hands.chain import Chain
from ..hands.clause_sentences import summary
from ..hands.coin_lines import coin_lines
from ..hands.effect_lines import rules_url
from ..hands.gate import signed_in, table_for
from ..hands.preview import Preview, hand_preview, preview_of, with_next_hand
from ..hands.rounds import all_hands_played, round_at
from ..hands.selectors import HandView, TableView
from ..models import Table
from . import draft_reseating, pencil, screens
from .device import device_of, remember
from .forms import HandForm, SeatEntry, VoidForm
from .live_context import hands_context, hold_for, recorder_context, viewer_context
from .pencil import Hold
from .snapshot import snapshot
from .versions import table_state

NOBODY = "nobody"
"""The value of `?declares=` for a hand that nobody declares."""


@versioned(table_state)
@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """The screen of a table: its pot, its seats, and the entry of the next hand."""
    access = club_for(request.user, club, Right.RECORD)
    card_table = table_for(access, table)
    if request.method != "POST":
        return _table_get(request, access, card_table)
    form = draft_reseating.form_sent(request.POST, selectors.chain_of(card_table)[0].start)
    problem = form.problem()
    if problem:
        return _table_page(request, access, selectors.table_view(card_table), form, problem=problem, status=422)
    try:
        answer = services.hand_enter(
            table=card_table, author=actor_of(request), key=form.cleaned_data["key"], body=form.body()
        )
    except Refused as refused:
        return _refused(request, access, card_table, form, refused)
    return see(reverse("hand-paid", kwargs={"club": club, "table": table, "number": answer.number}))


def _table_get(request: HttpRequest, access: ClubAccess, table: Table) -> HttpResponse:
    """The entry for the holder of the pencil, the live view for everybody else.

    The phone of every recorder keeps the entry: without a network it can go on, whoever has the pencil.
    """
    hold = hold_for(request, table)
    plays = table.evening.state == Evening.State.OPEN and not table.dissolved
    watches = plays and hold.others and TO_KEEP not in request.headers
    if watches:
        page = render(request, "games/table/viewer.html", viewer_context(request, access, table, hold))
    else:
        view = selectors.table_view(table)
        page = _table_page(request, access, view, _undone_hand(request, view), hold=hold)
    if plays:
        _keep_on_phone(page, table)
    if watches:
        page[AGAIN] = "1"
    return remember(page, device_of(request))


def _keep_on_phone(page: HttpResponse, table: Table) -> None:
    """Let a phone keep the page of a table that is played, and with it the page of the club's next evening."""
    club = table.evening.club
    name = _("%(club)s, table %(table)s") % {"club": club.name, "table": table.number}
    new = [reverse("evening-new", kwargs={"club": club.slug}), *pages_of_night(club.slug)]
    also = [] if table.evening.season.in_chips else new
    keep_on_phone(page, name, also)


def _undone_hand(request: HttpRequest, view: TableView) -> HandView | None:
    """The hand that was just undone: its entry fills the form again, to be corrected or cleared."""
    if "again" not in request.GET:
        return None
    newest = view.hands[0] if view.hands else None
    same_seats = newest is not None and newest.player_ids == tuple(seat.player_id for seat in view.seats)
    return newest if newest and newest.voided and newest.number == view.number and same_seats else None


def _refused(request: HttpRequest, access: ClubAccess, table: Table, form: HandForm, refused: Refused) -> HttpResponse:
    """Answer a refused hand: the page keeps the entry and shows the reason."""
    # The table may have changed since it was read: the page shows its present state.
    fresh = selectors.table_view(table_for(access, table.pk))
    if refused.code == "taken":
        stored = next(hand for hand in fresh.hands if hand.number == form.cleaned_data["number"])
        context = {
            "access": access,
            "club": access.club,
            "view": fresh,
            "refused": refused,
            "cutting": engine_bridge.has_cuts(fresh.game),
            "stored": coin_lines([stored])[0],
            "typed": _entry_sentence(fresh, form),
            "key": form.cleaned_data["key"],
            "players": ",".join(str(seat.player_id) for seat in fresh.seats),
            "forgotten": draft_reseating.as_forgotten(request.POST),
        }
        return render(request, "games/table/conflict.html", context, status=refused.status)
    if refused.code == "seating":
        return _table_page(request, access, fresh, form, problem=_seats_changed(), status=refused.status)
    preview = Preview(ok=False, sentence=refused.sentence, clause=refused.code, at=refused.at)
    problem = screens.preview_problem(preview, form.record())
    return _table_page(request, access, fresh, form, problem=problem, status=refused.status)


def _seats_changed() -> FormProblem:
    """The notice above an entry that was moved to the new seats of its players."""
    sentence = _("The seating has changed since, and your entry was carried over. Check it.")
    return FormProblem(sentence, code="seats", at="players")


def _entry_sentence(view: TableView, form: HandForm) -> str:
    """The refused entry in one line, with the names of the players it was entered for."""
    record = form.record()
    names = draft_reseating.names_sent(view.evening.club, form)
    active, declarers = form.active(), form.declarers()
    if form.cleaned_data["passed"]:
        return summary(view.game, {"outcome": "passed_out"}, names)
    tricks = record.get("tricks")
    shown: engine_bridge.Result = {
        "outcome": "played" if len(active) > 1 else "walkover",
        "muss": form.all_play(),
        "declarer": next(iter(declarers), None),
        "joiners": [seat for seat in active if seat not in declarers],
        "tricks": None if tricks is None else [tricks.get(str(seat), 0) for seat in range(form.seats)],
    }
    full = record | {"game": view.game}
    failed = [seat for seat in active if engine_bridge.made_goal(full, shown, seat) is False]
    shown["lines"] = [{"seat": seat, "kind": "penalty"} for seat in failed]
    return summary(view.game, shown, names)


def _table_page(
    request: HttpRequest,
    access: ClubAccess,
    view: TableView,
    entry: HandForm | HandView | None = None,
    *,
    hold: Hold | None = None,
    preview: Preview | None = None,
    problem: FormProblem | None = None,
    status: int = 200,
) -> HttpResponse:
    entries: list[SeatEntry] = []
    mode, blind, passed = "tricks" if access.club.counts_tricks else "made", "", False
    players = [seat.player_id for seat in view.seats]
    declared: int | str | None = None
    if isinstance(entry, HandForm):
        entries = draft_reseating.entries_now(entry, players)
        mode, passed = "tricks" if entry.counting else "made", bool(entry.cleaned_data.get("passed"))
        blind = entry.cleaned_data.get("blind") or ""
    elif entry:
        entries = screens.entries_of(entry)
        mode = "tricks" if entry.tricks and entry.outcome == "played" else "made"
        blind, passed = entry.blind or "", entry.outcome == "passed_out"
    elif view.muss:
        entries = screens.muss_entries(view)
    elif entry is None:
        said = request.GET.get("declares", "")
        passed = said == NOBODY
        declared = NOBODY if passed else screens.seat_of(view, said)
        plays = "declarer" if engine_bridge.has_declarer(view.game) else "joiner"
        entries = [SeatEntry(role=plays if seat == declared else "out") for seat in range(len(view.seats))]
    marked: list[int] = []
    if problem and isinstance(entry, HandForm):
        marked = draft_reseating.seats_now(screens.refused_seats(problem.at, entry), entry, players)
    hold = hold or hold_for(request, view.table)
    cutting = screens.cutting_of(view, entry)
    hands = hands_context(view.table, coin_lines(view.hands))
    context = {
        **recorder_context(request, access, view.table, hold, players=players),
        "access": access,
        "view": view,
        "recorders": pencil.recorders(view.table) if not hold.others else [],
        # The page may be the answer to a POST to another address, which cannot be visited.
        "here": reverse("table", kwargs={"club": access.club.slug, "table": view.table.pk}),
        "rows": screens.rows(view, entries, marked, cutting),
        "row_pattern": screens.ROW_PATTERN,
        "players": ",".join(map(str, players)),
        "key": engine_bridge.new_key(),
        "void_key": engine_bridge.new_key(),
        "mode": mode,
        "blind": blind,
        "passed": passed,
        "preview": preview,
        "problem": problem,
        "rows_marked": ",".join(str(seat) for seat in marked),
        **hands,
        "night_snapshot": snapshot(access, view, others=len(hands["other_tables"])),
        "last_line": coin_lines([view.last])[0] if view.last else None,
        "closed": view.evening.state != Evening.State.OPEN,
        "round": view.round,
        "dealer": view.seats[view.dealer_seat],
        "forehand": view.seats[view.forehand_seat],
        "cutting": cutting,
        "undone_hand": entry if isinstance(entry, HandView) else None,
        "declared": declared,
        "rules_url": rules_url(view.evening),
    }
    return render(request, "games/table/table.html", context, status=status)


@signed_in
@never_cache
@require_POST
def table_preview(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """Preview the hand, or show the broken clause: as a fragment, or as the whole page without scripts."""
    access = club_for(request.user, club, Right.RECORD)
    card_table = table_for(access, table)
    chain = selectors.chain_of(card_table)[0]
    form = draft_reseating.form_sent(request.POST, chain.start)
    problem = form.problem() or _outdated_entry(chain, form)
    preview: Preview | None = None
    if problem is None:
        record = form.record()
        answer = hand_preview(table=card_table, record=record)
        preview, problem = (answer, None) if answer.ok else (None, screens.preview_problem(answer, record))
    if request.htmx:  # type: ignore[attr-defined]
        marked = screens.refused_seats(problem.at, form) if problem else []
        context = {
            "preview": preview,
            "problem": problem,
            "rows_marked": ",".join(map(str, marked)),
            "currency": access.club.currency,
            "rules_url": rules_url(card_table.evening),
        }
        return render(request, "games/table/_preview.html", context)
    view = selectors.table_view(card_table)
    if problem and problem.code == "seats":
        problem = _seats_changed()
    return _table_page(request, access, view, form, preview=preview, problem=problem)


def _outdated_entry(chain: Chain, form: HandForm) -> FormProblem | None:
    """Return a problem if another recorder stored or undid a hand since this page was made, or if the seats changed."""
    number, due = form.cleaned_data["number"], chain.start.number
    if number == due and tuple(form.cleaned_data["players"]) != chain.players:
        return FormProblem(
            _("The seating has changed since. Save shows your entry on the new seats."), "seats", "players"
        )
    if number == due:
        return None
    if number < due:
        sentence = _("Hand %(number)d is already stored, hand %(due)d is next. Save shows yours beside the stored one.")
        return FormProblem(sentence % {"number": number, "due": due}, code="stored")
    return FormProblem(
        _("This table has moved on: hand %(due)d is next. Reload the page.") % {"due": due}, code="number"
    )


@signed_in
@never_cache
@require_POST
def hand_void(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """Void the last hand. Its entry fills the form again."""
    access = club_for(request.user, club, Right.RECORD)
    card_table = table_for(access, table)
    form = VoidForm(request.POST)
    if not form.is_valid():
        problem = FormProblem.of(form_outdated())
        return _table_page(request, access, selectors.table_view(card_table), problem=problem, status=422)
    number = form.cleaned_data["number"]
    try:
        services.hand_void_last(table=card_table, author=actor_of(request), key=form.cleaned_data["key"], number=number)
    except Refused as refused:
        problem = FormProblem.of(refused)
        view = selectors.table_view(table_for(access, table))
        return _table_page(request, access, view, problem=problem, status=refused.status)
    messages.success(request, _("Hand %(number)d is undone; the coins go back.") % {"number": number})
    return see(reverse("table", kwargs={"club": club, "table": table}) + "?again=1")


@signed_in
@never_cache
@require_GET
def hand_paid(request: HttpRequest, club: str, table: int, number: int) -> HttpResponse:
    """Show the coin movements after a hand, in order, and the pot after them."""
    access = club_for(request.user, club, Right.RECORD)
    card_table = table_for(access, table)
    hand = selectors.hand_view(card_table, number)
    if hand is None:
        raise Http404("no such hand")
    after = preview_of(hand.start, dict(hand.result), list(hand.names), hand.record)
    last = not hand.voided and number == card_table.hands
    over = card_table.evening.state != Evening.State.OPEN or card_table.dissolved
    sitting: list[tuple[int, str]] = []
    if last and not over:
        chain, nicknames = selectors.chain_of(card_table)
        after = with_next_hand(after, chain, nicknames)
        # In a Muss nobody declares.
        sitting = [] if after.next_muss else [(player, nicknames[player]) for player in chain.players]
    context = {
        **recorder_context(request, access, card_table, hold_for(request, card_table)),
        "access": access,
        "hand": hand,
        "line": coin_lines([hand])[0],
        "after": after,
        "last": last,
        "sitting": sitting,
        # After the last hand for all, and after that of a round, nobody pays an ante.
        "ended": last and (over or card_table.last_hand or all_hands_played(card_table)),
        "round": round_at(card_table.evening),
        "over": over,
        "pot_now_minor": card_table.pot_minor if not over else after.pot_after_minor,
        "moved_minor": card_table.moved_minor if last and not over else 0,
        "void_key": engine_bridge.new_key(),
        "rules_url": rules_url(card_table.evening),
    }
    return render(request, "games/table/paid.html", context)
