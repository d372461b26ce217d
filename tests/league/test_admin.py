"""The admin: every model can be read; recorded and counted rows cannot be changed."""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import connection
from django.db.models import Model
from django.http import HttpResponseForbidden, QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.closing.last_hands import last_hand
from games.closing.services import evening_close
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.models import (
    Correction,
    Dispute,
    FirstSeat,
    Hand,
    Happening,
    Pencil,
    Place,
    Revision,
    Seat,
    Table,
    TableVersion,
    Verified,
)
from league.admin import ReadOnlyAdmin
from league.admin.people import RolesForms
from league.audit import What, write
from league.chances.services import chances_compute
from league.models import (
    Account,
    ApiToken,
    Attendance,
    AttendanceLink,
    AuditEntry,
    Balance,
    BankEntry,
    BillingDetails,
    Closing,
    Club,
    ClubLogo,
    ClubRequest,
    ClubVersion,
    CountFailure,
    Cup,
    CupClub,
    CupConsent,
    CupEvening,
    CupInvitation,
    CupPerson,
    CupPlayer,
    CupTournament,
    DecisionCount,
    Delivery,
    DeskMember,
    Draw,
    Entrant,
    Evening,
    EveningFacts,
    EveningScore,
    EveningToTell,
    Feat,
    FeeReminders,
    FormerName,
    Heartbeat,
    HouseRules,
    Import,
    ImportColumns,
    ImportedEvening,
    ImportedTotal,
    Invitation,
    KeptAnswer,
    KittyEntry,
    LargeFile,
    LargeFilePart,
    LuckOfAllClubs,
    LuckOfEvening,
    LuckOfPlayer,
    LuckToCount,
    MemberFee,
    MemberFeeShare,
    Membership,
    MessageChoice,
    OwnEntry,
    Payment,
    PaymentDay,
    PlannedEvening,
    Player,
    PlayerLook,
    PlayerMerge,
    PlayerMessage,
    Posting,
    PubScreenLink,
    PushDelivery,
    PushDevice,
    PushKey,
    Rating,
    Receipt,
    ReceiptName,
    ReceiptOpening,
    Reserve,
    ResultRow,
    Round,
    Season,
    SeasonAdjustment,
    SeasonAward,
    SeasonChances,
    SeasonCount,
    SeasonFacts,
    SeasonFormula,
    SeasonReopening,
    SentBill,
    Sheet,
    Standing,
    Submission,
    Substitution,
    TableCard,
    Team,
    TeamShare,
    TeamStanding,
    TeamStay,
    Tournament,
    TournamentVersion,
    Transfer,
    UncountedEvening,
    UncountedPosting,
    Upload,
    User,
    Webhook,
)
from league.standings.counting import count_season
from league.standings.seasons_to_count import begin_sweep, end_sweep
from tests.api.path_arguments import kitty_entry
from tests.cast import Cast, House, cast
from tests.clients import keep_admin_models
from tests.factories import FAILED, MADE, UserFactory, create_table, enter
from tests.imported import imported, uploaded
from tests.member_fees import member_fee
from tests.second_factors import with_factor

from .rows_of_models import rows_of_a_tournament, rows_of_luck

pytestmark = pytest.mark.django_db

READ_ONLY: list[type[Model]] = [
    Account, Balance, Evening, Heartbeat, HouseRules, EveningScore, Posting, ResultRow, SeasonCount, Standing,
    Submission, Transfer, Closing, Payment, Receipt, Hand, Place, FirstSeat, Revision, Seat, Table, Correction,
    Happening, Pencil, ReceiptName, ReceiptOpening, Dispute, Invitation, ApiToken, PlayerMerge, AuditEntry, Webhook,
    Delivery, KeptAnswer, Membership, Player, Season, FormerName, Verified, ClubVersion, TableVersion,
    UncountedPosting, Tournament, Entrant, TournamentVersion, SeasonAward, DeskMember, Substitution, Draw, Round,
    Sheet, TableCard, KittyEntry, MemberFee, MemberFeeShare, PaymentDay, SeasonReopening, BankEntry, SentBill,
    PubScreenLink, BillingDetails, FeeReminders, SeasonFormula, SeasonAdjustment, OwnEntry, LargeFile, LargeFilePart,
    ClubLogo, SeasonChances, PlannedEvening, Attendance, AttendanceLink, Reserve, Team, TeamStay, TeamStanding,
    TeamShare, MessageChoice, EveningToTell, PlayerMessage, PushDevice, PushDelivery, PushKey, Cup, CupClub, CupConsent,
    CupEvening, CupInvitation, CupPerson, CupPlayer, CupTournament, Import, ImportedEvening, ImportedTotal,
    ImportColumns, Upload,
    UncountedEvening, SeasonFacts, EveningFacts, DecisionCount, Feat, Rating, PlayerLook, ClubRequest, CountFailure,
    LuckToCount, LuckOfEvening, LuckOfPlayer, LuckOfAllClubs,
]  # fmt: skip
OURS = [model for label in ("league", "games") for model in apps.get_app_config(label).get_models()]


@pytest.fixture
def people() -> Cast:
    people = cast()
    recorder = people.home.recorder
    table = create_table(season=people.home.season, club=people.home.club)
    for record in (MADE, FAILED, MADE):
        enter(table, record, author=recorder)
    correct(table=table, edit=TakeOut(3), author=recorder, key=uuid.uuid4())
    now = timezone.now()
    FirstSeat.objects.create(table=table, seat=0, player=table.dealer)
    Pencil.objects.create(table=table, holder=recorder, device="phone", taken_at=now, seen_at=now)
    end(table, recorder)
    kitty_entry(people.home)
    member_fee(people.home)
    FeeReminders.objects.create(club=people.home.club, first_days=14, every_days=14, most=3)
    BillingDetails.objects.create(club=people.home.club, name="Kasse", postcode="3555", town="Trub", iban="CH93")
    player, day = table.dealer, date(2026, 11, 20)
    SentBill.objects.create(
        club=people.home.club, player=player, key=uuid.uuid4(), first=day, last=day, amount_minor=200
    )
    PaymentDay.objects.create(club=people.home.club, posting=Posting.objects.latest("pk"), day=day)
    SeasonReopening.objects.create(season=people.home.season, reason="x")
    first = Submission.objects.earliest("pk")
    BankEntry.objects.create(club=people.home.club, player=player, submission=first, key="0", day=day, amount_minor=5)
    rows_of_people_and_programs(people.home, table)
    rows_of_a_tournament(people.home, table.evening)
    imported(people.home.season, people.home.owner)
    uploaded(people.home.season, people.home.owner)
    count_season(people.home.season.pk)
    stay = TeamStay.objects.get()
    TeamStanding.objects.create(season=stay.season, team=stay.team, rank=1, points=3)
    TeamShare.objects.create(season=stay.season, team=stay.team, player=stay.player, points=3, counts=True)
    posting = Posting.objects.filter(season=people.home.season).earliest("created_at")
    UncountedPosting.objects.create(posting=posting, season=posting.season, ledger_mark=1)
    chances_compute(people.home.season.pk)
    UncountedEvening.objects.create(season=people.home.season, evening=table.evening)
    begin_sweep()
    end_sweep()
    CountFailure.objects.create(season=people.home.season, part="facts", error="KeyError", retry_at=timezone.now())
    rows_of_luck(people.home, table.evening)
    return people


def rows_of_people_and_programs(house: House, table: Table) -> None:
    """Create a row of each model for invitations, keys, log, webhooks and merges."""
    place, other = table.places.order_by("seat")[:2]
    soon = timezone.now() + timedelta(days=7)
    ClubRequest.objects.create(user=house.member, name="Linde", game="chratze", currency="CHF", stake=20)
    Invitation.objects.create(club=house.club, digest="d" * 64, author=house.owner, expires_at=soon)
    ApiToken.objects.create(user=house.owner, name="board", scopes=["read"])
    PlayerLook.objects.create(user=house.owner, player=place.player)
    PlayerMerge.objects.create(club=house.club, player=place.player, main=other.player, author=house.owner)
    write(What.INVITED, club=house.club, actor=house.owner)
    webhook = Webhook.objects.create(
        club=house.club, url="https://example.org/", events=["hand.stored"], secret="s" * 40
    )
    SeasonFormula.objects.create(season=house.season, version=1)
    planned = PlannedEvening.objects.create(
        club=house.club, season=house.season, held_on=soon.date(), begins_at=soon.time()
    )
    Attendance.objects.create(planned_evening=planned, player=place.player, answer="yes", answered_at=soon)
    AttendanceLink.objects.create(player=place.player, number=1)
    Reserve.objects.create(player=place.player, place=1)
    MessageChoice.objects.create(player=place.player, number=1, language="en", email="anna@example.org")
    EveningToTell.objects.get_or_create(evening=table.evening)
    message = PlayerMessage.objects.create(
        player=place.player, kind="result", evening=table.evening, day=table.evening.held_on
    )
    phone = PushDevice.objects.create(player=place.player, endpoint="https://push.example/1", label="Firefox, Android")
    PushDelivery.objects.create(message=message, device=phone)
    PushKey.objects.create(sealed="sealed")
    SeasonAdjustment.objects.create(
        season=house.season, player=place.player, points=-3, day=house.season.starts_on, reason="late"
    )
    team = Team.objects.create(season=house.season, number=1, name="Acorns")
    TeamStay.objects.create(season=house.season, team=team, player=place.player, since=house.season.starts_on)
    Delivery.objects.create(webhook=webhook, event="hand.stored", subject="hand:1", body={})
    FormerName.objects.create(player=place.player, name="Anni")
    PubScreenLink.objects.create(club=house.club, number=1)
    file = LargeFile.objects.create(
        club=house.club, asker=house.owner, kind="log", subject=1, form="xlsx", language="en", rows=1, expires_at=soon
    )
    ClubLogo.objects.create(club=house.club, content=b"x", width=32, height=32)
    LargeFilePart.objects.create(file=file, maker=uuid.uuid4(), number=0, content=b"x")
    Verified.objects.create(subject="evening:1", state="1", at=timezone.now())
    receipt = Receipt.objects.get(club=house.club)
    now = timezone.now()
    ReceiptOpening.objects.create(receipt=receipt, player=place.player, first_at=now, last_at=now)
    KeptAnswer.objects.create(digest="a" * 64, fingerprint="f" * 64, status=200)
    key = Submission.objects.create(club=house.club, key=uuid.uuid4(), body_hash="h", author=house.member)
    Dispute.objects.create(
        hand=Hand.objects.filter(table=table).first(), revision=1, player=place.player, kind="raised", submission=key
    )


def end(table: Table, author: User | None = None) -> None:
    last_hand(evening=table.evening, author=author, key=uuid.uuid4())
    evening_close(evening=table.evening, author=author, key=uuid.uuid4())


@pytest.fixture
def client(people: Cast, monkeypatch: pytest.MonkeyPatch) -> Client:
    # The sidebar names every model on every page, which takes half of the time.
    monkeypatch.setattr(admin.site, "enable_nav_sidebar", False)
    keep_admin_models(monkeypatch)
    # The page of a refusal takes most of the time of one.
    monkeypatch.setattr("league.config.urls.handler403", lambda request, exception: HttpResponseForbidden())
    return with_factor(Client(), people.server_admin)


def address(model: type[Model], page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def test_every_model_is_registered():
    assert [model for model in OURS if not admin.site.is_registered(model)] == []


def test_all_models_but_users_and_clubs_are_read_only():
    by_hand = {"User", "Club"}
    assert {model.__name__ for model in OURS} - by_hand == {model.__name__ for model in READ_ONLY}


# These three look at every model on one night: making the night takes longer than checking a model.


@pytest.mark.rest
def test_recorded_rows_can_be_read_but_not_changed(client):
    assert {model.__name__: faults for model in READ_ONLY if (faults := faults_of_reading(client, model))} == {}


def faults_of_reading(client: Client, model: type[Model]) -> list[str]:
    """Return the faults of the pages of a model that can be read and not changed."""
    registered = admin.site.get_model_admin(model)
    thing = model._default_manager.order_by("pk").first()
    if thing is None or registered.actions is not None or not isinstance(registered, ReadOnlyAdmin):
        return [f"{registered}: first row {thing}, actions {registered.actions}"]
    row, rows = address(model, "change", thing.pk), address(model, "changelist")
    before = list(model._default_manager.order_by("pk").values())
    page = client.get(row)
    action = {"action": "delete_selected", "_selected_action": [str(thing.pk)], "post": "yes"}
    statuses = [
        page.status_code,
        client.get(rows).status_code,
        client.get(address(model, "add")).status_code,
        client.post(address(model, "add"), {}).status_code,
        client.post(row, {"amount_minor": 1}).status_code,
        client.post(address(model, "delete", thing.pk), {"post": "yes"}).status_code,
    ]
    client.post(rows, action)
    faults = [] if statuses == [200, 200, 403, 403, 403, 403] else [str(statuses)]
    faults += ["a button to save"] if b'name="_save"' in page.content else []
    return faults + ([] if list(model._default_manager.order_by("pk").values()) == before else ["rows changed"])


def test_every_list_can_be_searched(client):
    assert [model.__name__ for model in OURS if not admin.site.get_model_admin(model).search_fields] == []
    answers = {model.__name__: client.get(address(model, "changelist"), {"q": "Anna"}) for model in OURS}
    assert [name for name, answer in answers.items() if answer.status_code != 200] == []
    for model in OURS:
        request = answers[model.__name__].wsgi_request
        for word in ("0b4d9d1e-58d7-4b60-9d51-0c3ff6b4c0a1", "1", "ä'%_\\"):
            # What the page does before it is rendered: an invalid search raises here.
            request.GET = QueryDict(urlencode({"q": word}))
            list(admin.site.get_model_admin(model).get_changelist_instance(request).result_list)


@pytest.mark.rest
def test_longer_lists_cost_no_more_queries(client, people):
    def costs() -> dict[str, int]:
        return {model.__name__: cost(model) for model in OURS}

    def cost(model: type[Model]) -> int:
        with CaptureQueriesContext(connection) as caught:
            assert client.get(address(model, "changelist")).status_code == 200
        return len(caught)

    # What is read once and kept is no cost of a list.
    cost(OURS[0])
    few = costs()
    table = create_table(season=people.away.season, club=people.away.club)
    for _ in range(3):
        enter(table, MADE)
    end(table)
    rows_of_a_tournament(people.away, table.evening)
    count_season(people.away.season.pk)
    assert costs() == few


def test_a_club_is_not_deleted(client, people):
    club = people.home.club
    assert client.get(address(Club, "change", club.pk)).status_code == 200
    assert client.post(address(Club, "delete", club.pk), {"post": "yes"}).status_code == 403
    assert Club.objects.filter(pk=club.pk).exists()


def club_form(club: Club | None, rows: list[dict[str, object]], **fields: object) -> dict[str, object]:
    """Return the form of a club: its fields, and a row for each membership."""
    sent: dict[str, object] = {
        "name": "Rössli", "slug": "roessli", "place": "", "currency": "CHF", "visibility": "listed", "faces": "french",
        "players_shown": "initials", "correction_hours": 48, "forget_after_months": "", "settling": "end", **fields,
    }  # fmt: skip
    known = sum("id" in row for row in rows)
    sent |= {"memberships-TOTAL_FORMS": len(rows), "memberships-INITIAL_FORMS": known}
    for index, row in enumerate(rows):
        owned = {"club": club.pk if club else ""} | row
        sent |= {f"memberships-{index}-{name}": value for name, value in owned.items()}
    return sent


def rows_of(club: Club, **instead: dict[str, object]) -> list[dict[str, object]]:
    """Return the rows of the memberships; `instead` replaces some by role."""
    rows = []
    for membership in Membership.objects.filter(club=club).order_by("pk"):
        rows.append(
            {"id": membership.pk, "user": membership.user_id, "role": membership.role}
            | instead.get(membership.role, {})
        )
    return rows


def roles(club: Club) -> dict[int, str]:
    return dict(Membership.objects.filter(club=club).values_list("user_id", "role"))


def logged(club: Club) -> list[tuple[str, str, object]]:
    lines = AuditEntry.objects.filter(club=club).order_by("pk")
    return [(line.what, line.about, line.data) for line in lines]


def test_a_club_is_created_with_its_owner_and_logged(client, people):
    owner = UserFactory()
    rows: list[dict[str, object]] = [{"user": owner.pk, "role": "owner"}]
    assert client.post(address(Club, "add"), club_form(None, rows, slug="neu")).status_code == 302
    club = Club.objects.get(slug="neu")
    assert roles(club) == {owner.pk: "owner"}
    assert logged(club) == [("role_given", f"user:{owner.pk}", {"role": "owner"})]
    assert AuditEntry.objects.get(club=club).actor == people.server_admin


def test_a_role_that_is_given_or_taken_is_in_the_log(client, people):
    home = people.home
    rows = rows_of(home.club, member={"role": "recorder"}, recorder={"DELETE": "on"})
    rows.append({"user": people.away.member.pk, "role": "treasurer"})
    before, start = roles(home.club), len(logged(home.club))
    assert client.post(address(Club, "change", home.club.pk), club_form(home.club, rows)).status_code == 302
    wanted = before | {home.member.pk: "recorder", people.away.member.pk: "treasurer"}
    del wanted[home.recorder.pk]
    assert roles(home.club) == wanted
    lines = logged(home.club)[start:]
    assert ("role_given", f"user:{home.member.pk}", {"role": "recorder", "before": "member"}) in lines
    assert ("role_given", f"user:{people.away.member.pk}", {"role": "treasurer"}) in lines
    assert ("role_taken", f"user:{home.recorder.pk}", {"role": "recorder"}) in lines


@pytest.mark.parametrize("sent", [{"role": "member"}, {"DELETE": "on"}])
def test_a_club_keeps_an_owner(client, people, sent):
    club = people.home.club
    before, start = roles(club), logged(club)
    page = client.post(address(Club, "change", club.pk), club_form(club, rows_of(club, owner=sent)))
    assert page.status_code == 200
    assert "braucht" in page.content.decode() or "needs an owner" in page.content.decode()
    assert (roles(club), logged(club)) == (before, start)


def test_an_owner_is_replaced_by_another(client, people):
    home = people.home
    rows = rows_of(home.club, owner={"role": "member"}, member={"role": "owner"})
    assert client.post(address(Club, "change", home.club.pk), club_form(home.club, rows)).status_code == 302
    now = roles(home.club)
    assert (now[home.owner.pk], now[home.member.pk]) == ("member", "owner")


def test_the_user_of_a_membership_cannot_be_changed(client, people):
    home = people.home
    rows = rows_of(home.club, member={"user": people.away.member.pk})
    before = roles(home.club)
    assert client.post(address(Club, "change", home.club.pk), club_form(home.club, rows)).status_code == 200
    assert roles(home.club) == before


def test_an_owner_removed_at_the_same_moment_is_reported(client, people, monkeypatch):
    club = people.home.club
    monkeypatch.setattr(RolesForms, "clean", lambda self: super(RolesForms, self).clean())
    page = client.post(
        address(Club, "change", club.pk), club_form(club, rows_of(club, owner={"role": "member"})), follow=True
    )
    assert page.status_code == 200
    assert roles(club)[people.home.owner.pk] == "owner"


def test_a_change_of_a_club_is_in_its_log(client, people):
    club = people.home.club
    sent = club_form(club, rows_of(club), name="Rössli Bern", slug=club.slug, place=club.place)
    client.post(address(Club, "change", club.pk), sent)
    assert logged(club)[-1][0] == "club_changed"
    assert "name" in logged(club)[-1][2]["fields"]  # type: ignore[index]


def test_an_account_can_be_added_by_mail_address(client):
    sent = {
        "email": "new@example.org",
        "usable_password": "true",
        "password1": "kreuz-sieben-9",
        "password2": "kreuz-sieben-9",
    }
    assert client.get(address(User, "add")).status_code == 200
    assert client.post(address(User, "add"), sent).status_code == 302
    assert User.objects.get(email="new@example.org").check_password("kreuz-sieben-9")


@pytest.mark.parametrize("who", ["owner", "member"])
def test_a_role_in_a_club_opens_no_admin(people, who):
    client = with_factor(Client(), people.home.person(who))
    answer = client.get(address(Posting, "changelist"), follow=True)
    assert answer.status_code == 403
