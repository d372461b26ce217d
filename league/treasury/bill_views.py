"""The page from which bills are sent by mail, and a member's own statement."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ..access import ClubAccess, Right, club_for
from ..errors import Refused, form_outdated
from ..models import Player, SentBill
from ..web.club_navigation import club_admin_context
from ..web.requests import actor_of, see
from .bill_mail import bills_send, mail_text, no_mail, recipients
from .forms import PeriodForm, SendForm
from .statement_files import Statements, bills_pdf, statements_of
from .statements import outcome


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def send(request: HttpRequest, club: str) -> HttpResponse:
    """Show the members with a bill and the recipients by mail, with the text of the mail; POST sends those that are
    ticked."""
    access = club_for(request.user, club, Right.KEEP_KITTY)
    form = PeriodForm(request.POST if request.method == "POST" else request.GET)
    form.is_valid()
    of = statements_of(access.club, form.cleaned_data.get("from"), form.cleaned_data.get("to"))
    if request.method != "POST":
        return _send_page(request, access, of)
    sent = SendForm(request.POST)
    try:
        if not sent.is_valid():
            raise form_outdated()
        rows = bills_send(
            club=access.club,
            author=actor_of(request),
            key=sent.cleaned_data["key"],
            of=of,
            players=sent.players(request.POST.getlist("player")),
            page=_own_page(request, club),
        )
    except Refused as refused:
        return _send_page(request, access, of, refused.sentence, status=refused.status)
    _say(request, rows)
    days = f"?from={of.period.first.isoformat()}&to={of.period.last.isoformat()}"
    return see(reverse("bills-send", kwargs={"club": club}) + days)


def _own_page(request: HttpRequest, club: str) -> str:
    """Return the absolute address of the page on which a member reads the own bill."""
    return request.build_absolute_uri(reverse("bill-mine", kwargs={"club": club}))


def _say(request: HttpRequest, rows: Sequence[SentBill]) -> None:
    names: dict[str, list[str]] = {}
    for sent_bill in rows:
        names.setdefault(sent_bill.state, []).append(sent_bill.player.nickname)
    done = len(names.get(SentBill.State.SENT, ()))
    if done:
        messages.success(request, ngettext("%(n)d bill sent.", "%(n)d bills sent.", done) % {"n": done})
    for state, sentence in (
        (SentBill.State.FAILED, _("Not sent, the mail server did not take it: %(names)s.")),
        # Another request with this key sends them now, or ended before it had an answer.
        (SentBill.State.CLAIMED, _("Perhaps sent: %(names)s. Look at the list in a minute, before you send again.")),
    ):
        if state in names:
            messages.error(request, sentence % {"names": ", ".join(sorted(names[state]))})
    if not rows:
        messages.info(request, _("Nobody was ticked: nothing was sent."))


def _send_page(
    request: HttpRequest, access: ClubAccess, of: Statements, problem: str = "", *, status: int = 200
) -> HttpResponse:
    everybody = recipients(of)
    context = club_admin_context(access) | {
        "book": "statements",
        "period": of.period,
        "details": of.details,
        "recipients": everybody,
        "total_minor": sum(recipient.statement.total_minor for recipient in everybody),
        "mail": mail_text(access.club, of, everybody[0].statement, _own_page(request, access.club.slug))
        if everybody
        else None,
        "no_mail": "" if settings.MAIL_ON else no_mail(),
        "can_send": settings.MAIL_ON and of.details is not None and any(recipient.address for recipient in everybody),
        "key": uuid.uuid4(),
        "problem": problem,
    }
    return render(request, "league/treasury/bills_send.html", context, status=status)


@login_required
@never_cache
@require_safe
def mine(request: HttpRequest, club: str) -> HttpResponse:
    """Show a member's own statements of the kitty: one for each person of the account, usually one."""
    access = club_for(request.user, club, Right.SEE_RULES)
    of = statements_of(access.club, None, None)
    own = _own(access)
    context = {
        "club": access.club,
        "period": of.period,
        "statements": [
            (statement, outcome(statement, of.least_minor, access.club.currency))
            for statement in of.found
            if statement.player_id in own
        ],
        "has_pdf": of.details is not None,
        "sent": SentBill.objects.filter(club=access.club, player__in=own, state=SentBill.State.SENT),
        "has_player": bool(own),
    }
    return render(request, "league/treasury/bill_mine.html", context)


@login_required
@never_cache
@require_safe
def mine_pdf(request: HttpRequest, club: str) -> HttpResponse:
    """Send a member's own statement as PDF, with the payment slip if it is billed: that of `player`, else the first
    one; 404 for another member's."""
    access = club_for(request.user, club, Right.SEE_RULES)
    own = _own(access)
    form = PeriodForm(request.GET)
    form.is_valid()
    player = form.cleaned_data.get("player")
    if "player" in request.GET and player not in own:
        raise Http404("no such statement")
    of = statements_of(access.club, None, None)
    mine = next(
        (statement.player_id for statement in of.found if statement.player_id in ({player} if player else own)), None
    )
    made = bills_pdf(request, access, of, mine) if mine else None
    if made is None:
        messages.info(request, _("You have no bill for now."))
        return see(reverse("bill-mine", kwargs={"club": club}))
    return made


def _own(access: ClubAccess) -> set[int]:
    """Return the main players of a reader."""
    return set(Player.objects.filter(pk__in=access.player_ids, main__isnull=True).values_list("pk", flat=True))
