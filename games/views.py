"""The recording pages: begin an evening, enter hands, take the last one back. A view is gate, form, service, page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.access import ClubAccess, Right, club_for
from league.models import Evening, HouseRules, Season
from league.posted import actor_of
from league.posted import see as see
from league.selectors import club_seasons, current_season

from . import evenings, pencil, recording, reseated, screens, selectors, services
from .chain import Chain
from .device import device_of, remember
from .errors import Refused
from .forms import EveningForm, HandForm, Problem, SeatEntry, VoidForm
from .kratzen_form import KratzenForm
from .looking import hold_for, look_on_context, night_context, writer_context
from .messages import summary
from .models import Table
from .pencil import Hold
from .preview import Preview, as_it_goes_on, hand_preview, told
from .selectors import HandView, TableView


def signed_in(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Send a visitor to the sign-in; who was posting to a table comes back to its screen, where the draft waits."""

    @wraps(view)
    def gate(request: HttpRequest, club: str, **names: int) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, club, **names)
        posted = request.method == "POST" and "table" in names
        here = reverse("table", kwargs={"club": club, "table": names["table"]}) if posted else request.get_full_path()
        return redirect_to_login(here)

    # It asks for itself: what closes forgotten pages leaves it alone.
    gate.login_url = None  # type: ignore[attr-defined]
    return gate


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def evening_new(request: HttpRequest, club: str) -> HttpResponse:
    """Who is here tonight, where they sit, and who deals first."""
    access = club_for(request.user, club, Right.RECORD)
    seasons = Season.objects.filter(club=access.club)
    known = club_seasons(access.club)
    roster = list(selectors.roster(access.club.pk))
    if request.method != "POST":
        current = current_season(access.club) or (known[0] if known else None)
        game = evenings.last_game(access.club)
        initial = {"season": current, "held_on": timezone.localdate(), "game": game}
        form = EveningForm(None, seasons=seasons, roster=roster, initial=initial)
        return _evening_page(request, access, form, known)
    form = EveningForm(request.POST, seasons=seasons, roster=roster)
    if not form.is_valid():
        sentence = next(iter(form.errors.values()))[0]
        return _evening_page(request, access, form, known, Problem(str(sentence)), status=422)
    try:
        table = evenings.evening_start(
            club=access.club,
            season=form.cleaned_data["season"],
            author=actor_of(request),
            seating=form.seating(),
            first_dealer=form.first_dealer(),
            held_on=form.cleaned_data["held_on"],
            key=form.key(),
            game=form.chosen_game(),
            carry=form.cleaned_data["carry"],
        )
    except Refused as refused:
        problem = Problem(refused.sentence, refused.code, refused.at)
        return _evening_page(request, access, form, known, problem, status=refused.status)
    return see(reverse("table", kwargs={"club": club, "table": table.pk}))


def _evening_page(
    request: HttpRequest,
    access: ClubAccess,
    form: EveningForm,
    seasons: Sequence[Season],
    problem: Problem | None = None,
    status: int = 200,
) -> HttpResponse:
    games = screens.games_offered(HouseRules.objects.filter(club=access.club), form.chosen_game(), access.club.currency)
    carried = {game.name: evenings.carried(access.club, game.name) for game in games}
    context = {
        "access": access,
        "club": access.club,
        "form": form,
        "carried": carried if any(carried.values()) else {},
        "carry": "carry" in form.data if form.is_bound else True,
        # A refused evening stored nothing under its key, or the key belongs to another one.
        "key": recording.new_key(),
        "seasons": seasons,
        "problem": problem,
        "games": games,
        "orders": range(1, recording.MAX_SEATS + 1),
    }
    return render(request, "games/evening_new.html", context, status=status)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """The screen of a table: what lies there, and the entry of its next hand."""
    access = club_for(request.user, club, Right.RECORD)
    at = table_for(access, table)
    if request.method != "POST":
        return _table_opened(request, access, at)
    form = reseated.form_sent(request.POST, selectors.chain_of(at)[0].start)
    problem = form.problem()
    if problem:
        return _table_page(request, access, selectors.table_view(at), form, problem=problem, status=422)
    try:
        answer = services.hand_enter(table=at, author=actor_of(request), key=form.cleaned_data["key"], body=form.body())
    except Refused as refused:
        return _refused(request, access, at, form, refused)
    return see(reverse("hand-paid", kwargs={"club": club, "table": table, "number": answer.number}))


def _table_opened(request: HttpRequest, access: ClubAccess, at: Table) -> HttpResponse:
    """The entry for who may write now, the table as it goes on for everybody else."""
    hold = hold_for(request, at)
    if hold.others and at.evening.state == Evening.State.OPEN and not at.dissolved:
        page = render(request, "games/look_on.html", look_on_context(request, access, at, hold))
    else:
        view = selectors.table_view(at)
        page = _table_page(request, access, view, _given_back(request, view), hold=hold)
    return remember(page, device_of(request))


def _given_back(request: HttpRequest, view: TableView) -> HandView | None:
    """The hand that was just taken back: its entry stands in the form again, to be mended or cleared."""
    if "again" not in request.GET:
        return None
    newest = view.hands[0] if view.hands else None
    same_seats = newest is not None and newest.player_ids == tuple(seat.player_id for seat in view.seats)
    return newest if newest and newest.voided and newest.number == view.number and same_seats else None


def _refused(request: HttpRequest, access: ClubAccess, at: Table, form: HandForm, refused: Refused) -> HttpResponse:
    """A hand that was not stored: what was typed stays, and the page says why."""
    # The table may have moved on since it was read: shown is what holds now.
    fresh = selectors.table_view(table_for(access, at.pk))
    if refused.code == "taken":
        stored = next(hand for hand in fresh.hands if hand.number == form.cleaned_data["number"])
        context = {
            "access": access,
            "club": access.club,
            "view": fresh,
            "refused": refused,
            "stored": screens.hand_lines([stored])[0],
            "typed": _typed(fresh, form),
            "key": form.cleaned_data["key"],
            "players": ",".join(str(seat.player_id) for seat in fresh.seats),
            "forgotten": reseated.as_forgotten(request.POST),
        }
        return render(request, "games/conflict.html", context, status=refused.status)
    if refused.code == "seating":
        return _table_page(request, access, fresh, form, problem=_seats_changed(), status=refused.status)
    preview = Preview(ok=False, sentence=refused.sentence, clause=refused.code, at=refused.at)
    problem = screens.why_not(preview, form.record())
    return _table_page(request, access, fresh, form, problem=problem, status=refused.status)


def _seats_changed() -> Problem:
    """Said above an entry that has gone along with its players."""
    said = _("The seating has changed since, and your entry went along. Check it.")
    return Problem(said, code="seats", at="players")


def _typed(view: TableView, form: HandForm) -> str:
    """The refused entry in one line, with the names of those for whom it was entered."""
    record = form.record()
    names = reseated.names_sent(view.evening.club, form)
    if record["declarer"] is None:
        return summary({"outcome": "passed_out", "muss": False if view.game == recording.KRATZEN else None}, names)
    tricks = record.get("tricks")
    told_of: recording.Result = {
        "outcome": "played" if record["joiners"] else "walkover",
        "muss": form.all_play() if isinstance(form, KratzenForm) else None,
        "declarer": record["declarer"],
        "joiners": record["joiners"],
        "tricks": None if tricks is None else [tricks.get(str(seat), 0) for seat in range(form.seats)],
    }
    failed = [seat for seat in form.active() if recording.made_goal(record, told_of, seat) is False]
    told_of["lines"] = [{"seat": seat, "kind": "penalty"} for seat in failed]
    return summary(told_of, names)


def _table_page(
    request: HttpRequest,
    access: ClubAccess,
    view: TableView,
    entry: HandForm | HandView | None = None,
    *,
    hold: Hold | None = None,
    preview: Preview | None = None,
    problem: Problem | None = None,
    status: int = 200,
) -> HttpResponse:
    entries: list[SeatEntry] = []
    mode, blind, passed = "tricks" if access.club.counts_tricks else "made", "", False
    players = [seat.player_id for seat in view.seats]
    if isinstance(entry, HandForm):
        entries = reseated.entries_now(entry, players)
        mode, passed = "tricks" if entry.counting else "made", bool(entry.cleaned_data.get("passed"))
        blind = entry.cleaned_data.get("blind") or ""
    elif entry:
        entries = screens.entries_of(entry)
        mode = "tricks" if entry.tricks and entry.outcome == "played" else "made"
        blind, passed = entry.blind or "", entry.outcome == "passed_out"
    elif view.muss:
        entries = screens.all_play(view)
    marked: list[int] = []
    if problem and isinstance(entry, HandForm):
        marked = reseated.seats_now(screens.concerned(problem.at, entry), entry, players)
    hold = hold or hold_for(request, view.table)
    context = {
        **writer_context(request, access, view.table, hold, players=players),
        "access": access,
        "view": view,
        "recorders": pencil.recorders(view.table) if not hold.others else [],
        # The page may answer a POST to another address, which nobody can go back to.
        "here": reverse("table", kwargs={"club": access.club.slug, "table": view.table.pk}),
        "rows": screens.rows(view, entries, marked),
        "players": ",".join(map(str, players)),
        "key": recording.new_key(),
        "void_key": recording.new_key(),
        "mode": mode,
        "blind": blind,
        "passed": passed,
        "preview": preview,
        "problem": problem,
        "rows_marked": ",".join(str(seat) for seat in marked),
        **night_context(view.table, screens.hand_lines(view.hands)),
        "last_line": screens.hand_lines([view.last])[0] if view.last else None,
        "closed": view.evening.state != Evening.State.OPEN,
        "dealer": view.seats[view.dealer_seat],
        "forehand": view.seats[view.forehand_seat],
        "kratzen": screens.kratzen_of(view, entry),
        "given_back": entry if isinstance(entry, HandView) else None,
        "trick_counts": range(5),
    }
    return render(request, "games/table.html", context, status=status)


@signed_in
@never_cache
@require_POST
def table_preview(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """What saving would do, or which clause is broken: for the bar of the page, or the whole page without scripts."""
    access = club_for(request.user, club, Right.RECORD)
    at = table_for(access, table)
    chain = selectors.chain_of(at)[0]
    form = reseated.form_sent(request.POST, chain.start)
    problem = form.problem() or _moved_on(chain, form)
    preview: Preview | None = None
    if problem is None:
        record = form.record()
        said = hand_preview(table=at, record=record)
        preview, problem = (said, None) if said.ok else (None, screens.why_not(said, record))
    if request.htmx:  # type: ignore[attr-defined]
        marked = screens.concerned(problem.at, form) if problem else []
        context = {
            "preview": preview,
            "problem": problem,
            "rows_marked": ",".join(map(str, marked)),
            "currency": access.club.currency,
        }
        return render(request, "games/_told.html", context)
    view = selectors.table_view(at)
    if problem and problem.code == "seats":
        problem = _seats_changed()
    return _table_page(request, access, view, form, preview=preview, problem=problem)


def _moved_on(chain: Chain, form: HandForm) -> Problem | None:
    """Somebody else stored or took back a hand since this page was made, or others sit there."""
    number, due = form.cleaned_data["number"], chain.start.number
    if number == due and tuple(form.cleaned_data["players"]) != chain.players:
        return Problem(_("The seating has changed since. Save shows your entry on the new seats."), "seats", "players")
    if number == due:
        return None
    if number < due:
        said = _("Hand %(number)d is stored already, hand %(due)d is next. Save shows yours beside the stored one.")
        return Problem(said % {"number": number, "due": due}, code="stored")
    return Problem(
        _("This table has moved on: hand %(due)d is next. Load the page again.") % {"due": due}, code="number"
    )


@signed_in
@never_cache
@require_POST
def hand_void(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """Take the last hand back. Its entry stands in the form again."""
    access = club_for(request.user, club, Right.RECORD)
    at = table_for(access, table)
    form = VoidForm(request.POST)
    if not form.is_valid():
        problem = Problem(_("The page sent something that this form has not. Load the page again."), code="R1")
        return _table_page(request, access, selectors.table_view(at), problem=problem, status=422)
    number = form.cleaned_data["number"]
    try:
        services.hand_void_last(table=at, author=actor_of(request), key=form.cleaned_data["key"], number=number)
    except Refused as refused:
        problem = Problem(refused.sentence, refused.code, refused.at)
        view = selectors.table_view(table_for(access, table))
        return _table_page(request, access, view, problem=problem, status=refused.status)
    messages.success(request, _("Hand %(number)d is undone; the coins go back.") % {"number": number})
    return see(reverse("table", kwargs={"club": club, "table": table}) + "?again=1")


@signed_in
@never_cache
@require_GET
def hand_paid(request: HttpRequest, club: str, table: int, number: int) -> HttpResponse:
    """How the coins move after a hand, in order, and what must lie there then."""
    access = club_for(request.user, club, Right.RECORD)
    at = table_for(access, table)
    hand = selectors.hand_view(at, number)
    if hand is None:
        raise Http404("no such hand")
    after = told(hand.start, dict(hand.result), list(hand.names))
    last = not hand.voided and number == at.hands
    over = at.evening.state != Evening.State.OPEN or at.dissolved
    if last and not over:
        after = as_it_goes_on(after, *selectors.chain_of(at))
    context = {
        **writer_context(request, access, at, hold_for(request, at)),
        "access": access,
        "hand": hand,
        "line": screens.hand_lines([hand])[0],
        "after": after,
        "last": last,
        # After the last hand of all nobody puts in an ante.
        "ended": last and (over or at.last_hand),
        "over": over,
        "pot_now_minor": at.pot_minor if not over else after.pot_after_minor,
        "moved_minor": at.moved_minor if last and not over else 0,
        "void_key": recording.new_key(),
    }
    return render(request, "games/paid.html", context)


def table_for(access: ClubAccess, pk: int) -> Table:
    """The table, if it is this club's. Raises Http404."""
    found = selectors.table_of(club_id=access.club.pk, table_id=pk)
    if found is None:
        raise Http404("no such table")
    access.counts_plainly(found.evening.season)
    found.evening.club = access.club
    return found
