"""The personal data export: a zip with one JSON file of everything, and a CSV file for each part.

It is read row by row and sent while it is read, so that its size does not matter. API keys and passwords are not in it:
only their hashes are stored. Amounts are whole Rappen, times are ISO 8601.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from .. import audit, keyset
from ..access.persons import players_of_account
from ..audit import What
from ..models import (
    ApiToken,
    Attendance,
    AttendanceLink,
    BankEntry,
    Closing,
    CupConsent,
    CupPlayer,
    DeskMember,
    Draw,
    Entrant,
    Evening,
    FormerName,
    HouseRules,
    Import,
    KittyEntry,
    LargeFile,
    LuckOfPlayer,
    MemberFee,
    MemberFeeShare,
    Membership,
    MessageChoice,
    OwnEntry,
    Payment,
    PlannedEvening,
    PlayerLook,
    PlayerMessage,
    Posting,
    PushDelivery,
    PushDevice,
    ReceiptName,
    ReceiptOpening,
    Reserve,
    ResultRow,
    SeasonAward,
    SeasonFormula,
    SeasonReopening,
    SentBill,
    Sheet,
    Team,
    TeamStay,
    Tournament,
    Transfer,
    Upload,
    User,
    Webhook,
)
from ..web.csv_download import line
from . import personal_data_rows
from .personal_data_rows import Row
from .pipe import Pipe


@dataclass(frozen=True)
class Part:
    """One part of the export: the name of its file, its columns with their lookup paths, and the query of its rows.

    `computed` makes a row of each thing that the query finds, where the columns are not stored; it returns None for
    a thing without a row.
    """

    name: str
    columns: Mapping[str, str]
    rows: Callable[[User], QuerySet[Any]]
    computed: Callable[[Any], Row | None] | None = None


def part(name: str, rows: Callable[[User], QuerySet[Any]], columns: str) -> Part:
    """Return a part of the export. `columns` is a list of `name=path`; only `name` if the lookup path is the same."""
    pairs = (column.partition("=") for column in columns.split())
    return Part(name, {column: path or column for column, _equals, path in pairs}, rows)


PARTS: list[Part] = [
    part(
        "account",
        lambda user: User.objects.filter(pk=user.pk),
        "id email first_name last_name date_joined last_login is_active",
    ),
    part(
        "mail_addresses",
        lambda user: EmailAddress.objects.filter(user=user).order_by("pk"),
        "email verified primary",
    ),
    part(
        "factors",
        lambda user: Authenticator.objects.filter(user=user).order_by("pk"),
        "type created_at last_used_at",
    ),
    part(
        "sessions",
        lambda user: UserSession.objects.filter(user=user).order_by("pk"),
        "created_at last_seen_at ip user_agent",
    ),
    part(
        "keys",
        lambda user: ApiToken.objects.filter(user=user).order_by("created"),
        "club=club__slug name scopes created expiry used_at",
    ),
    part(
        "large_files",
        lambda user: LargeFile.objects.filter(asker=user).order_by("asked_at"),
        "club=club__slug kind form state rows size asked_at ready_at expires_at",
    ),
    part(
        "memberships",
        lambda user: Membership.objects.filter(user=user).order_by("pk"),
        "club=club__slug club_name=club__name role",
    ),
    part(
        "players",
        lambda user: players_of_account(user).order_by("pk"),
        "club=club__slug id nickname guest active publicity pseudonym main_id created_at",
    ),
    part(
        "looks",
        lambda user: PlayerLook.objects.filter(Q(user=user) | Q(player__in=players_of_account(user))).order_by("pk"),
        "club=player__club__slug player_id looks updated_at",
    ),
    part(
        "former_names",
        lambda user: FormerName.objects.filter(player__in=players_of_account(user)).order_by("pk"),
        "club=player__club__slug player_id name",
    ),
    part(
        "results",
        personal_data_rows.results,
        "club=season__club__slug season=season__slug evening=evening__number held_on=evening__held_on "
        "hand_id=source written_at=posting__created_at player_id seat role made tricks walkover passed_out "
        "muss blind susi pot_won_minor=won change_minor=changed",
    ),
    part(
        "tournaments",
        lambda user: Entrant.objects.filter(player__in=players_of_account(user)).order_by("pk"),
        "club=tournament__club__slug tournament=tournament__slug starts_on=tournament__starts_on at=created_at number "
        "player_id labels team paid checked_in_at joined_round withdrawn_round struck fixed_table slip "
        "name_hidden_since",
    ),
    Part(
        "ranks",
        dict.fromkeys(("club", "tournament", "number", "rank", "total", "rounds"), ""),
        personal_data_rows.ranks,
        personal_data_rows.rank,
    ),
    part(
        "own_entries",
        lambda user: OwnEntry.objects.filter(mail__iexact=user.email).order_by("created_at"),
        "club=tournament__club__slug tournament=tournament__slug at=created_at name label mail confirmed_at",
    ),
    part(
        "substitutions",
        personal_data_rows.substitutions,
        "club=entrant__tournament__club__slug tournament=entrant__tournament__slug at=created_at "
        "number=entrant__number left_id came_id from_round",
    ),
    part(
        "tournament_results",
        lambda user: ResultRow.objects.filter(player__in=players_of_account(user), season__in_chips=True).order_by(
            "pk"
        ),
        "club=season__club__slug tournament=season__tournament__slug round=evening__number hand_id=source "
        "written_at=posting__created_at player_id seat role made tricks walkover passed_out muss blind susi "
        "pot_won_chips=pot_won_minor change_chips=change_minor",
    ),
    part(
        "awards",
        lambda user: SeasonAward.objects.filter(player__in=players_of_account(user)).order_by("pk"),
        "club=season__club__slug season=season__slug held_on=evening__held_on player_id place points",
    ),
    part(
        "adjustments",
        personal_data_rows.adjustments,
        "id=pk club=season__club__slug season=season__slug player_id points day reason=own_reason at undone_at",
    ),
    part(
        "planned_evenings",
        lambda user: PlannedEvening.objects.filter(author=user).order_by("pk"),
        "id=pk club=club__slug season=season__slug held_on begins_at place note cancelled_at created_at",
    ),
    part(
        "attendances",
        lambda user: Attendance.objects.filter(Q(player__in=players_of_account(user)) | Q(author=user)).order_by("pk"),
        "club=planned_evening__club__slug season=planned_evening__season__slug held_on=planned_evening__held_on "
        "player_id answer at=answered_at",
    ),
    part(
        "attendance_links",
        lambda user: AttendanceLink.objects.filter(player__in=players_of_account(user)).order_by("pk"),
        "club=player__club__slug player_id at=created_at",
    ),
    part(
        "reserves",
        lambda user: Reserve.objects.filter(player__in=players_of_account(user)).order_by("pk"),
        "club=player__club__slug player_id place",
    ),
    part(
        "message_choices",
        lambda user: MessageChoice.objects.filter(Q(user=user) | Q(player__in=players_of_account(user))).order_by("pk"),
        "club=player__club__slug player_id email language results_since reminders_since fees_since "
        "refused_at way amounts device_lost_at",
    ),
    part(
        "player_messages",
        lambda user: PlayerMessage.objects.filter(player__in=players_of_account(user)).order_by("pk"),
        "club=player__club__slug player_id kind day number=version fee_year=fee_share__year points "
        "change_minor state created_at sent_at",
    ),
    part(
        "push_devices",
        lambda user: PushDevice.objects.filter(Q(user=user) | Q(player__in=players_of_account(user))).order_by("pk"),
        "id=pk club=player__club__slug player_id label created_at ok_at failing_since failures",
    ),
    part(
        "push_deliveries",
        lambda user: PushDelivery.objects.filter(
            Q(device__user=user) | Q(message__player__in=players_of_account(user))
        ).order_by("pk"),
        "device_id kind=message__kind day=message__day at",
    ),
    part(
        "cup_consents",
        lambda user: CupConsent.objects.filter(user=user).order_by("pk"),
        "at=agreed_at",
    ),
    part(
        "cup_lists",
        lambda user: CupPlayer.objects.filter(player__in=players_of_account(user)).order_by("pk"),
        "club=player__club__slug player_id cup=cup__name run_by=cup__owner__name at=listed_at",
    ),
    part(
        "imported_totals",
        personal_data_rows.imported,
        "club=season__club__slug season=season__slug held_on=evening__held_on player_id hands points "
        "change_minor=changed undone",
    ),
    part(
        "imports",
        lambda user: Import.objects.filter(Q(author=user) | Q(undone_by=user)).order_by("created_at"),
        "id=pk club=club__slug season=season__slug kind at=created_at rows undone_at",
    ),
    part(
        "uploads",
        lambda user: Upload.objects.filter(author=user).order_by("created_at"),
        "id=pk club=club__slug season=season__slug kind at=created_at",
    ),
    part(
        "formulas",
        lambda user: SeasonFormula.objects.filter(author=user).order_by("pk"),
        "id=pk club=season__club__slug season=season__slug at=created_at version",
    ),
    part(
        "teams",
        lambda user: TeamStay.objects.filter(player__in=players_of_account(user)).order_by("pk"),
        "club=season__club__slug season=season__slug player_id since team=team__number",
    ),
    part(
        "teams_named",
        lambda user: Team.objects.filter(author=user).order_by("pk"),
        "id=pk club=season__club__slug season=season__slug at=created_at number name",
    ),
    part(
        "tournaments_begun",
        lambda user: Tournament.objects.filter(opened_by=user).order_by("pk"),
        "id=pk club=club__slug tournament=slug at=created_at name fee prizes reason=reopen_reason",
    ),
    part(
        "desks",
        lambda user: DeskMember.objects.filter(user=user).order_by("pk"),
        "club=tournament__club__slug tournament=tournament__slug",
    ),
    part(
        "draws",
        lambda user: Draw.objects.filter(author=user).order_by("pk"),
        "id=pk club=tournament__club__slug tournament=tournament__slug round number at=created_at kind mode seed",
    ),
    part(
        "sheets",
        lambda user: Sheet.objects.filter(author=user).order_by("created_at"),
        "id=pk club=round__tournament__club__slug tournament=round__tournament__slug round=round__number "
        "table=table_number number at=created_at chips pot decides reason",
    ),
    part(
        "transfers",
        lambda user: Transfer.objects.filter(
            Q(from_account__player__in=players_of_account(user)) | Q(to_account__player__in=players_of_account(user)),
            season__points_only=False,
        ).order_by("pk"),
        "id=pk club=season__club__slug season=season__slug posted_at=posting__created_at kind "
        "from_player_id=from_account__player_id from_kind=from_account__kind "
        "to_player_id=to_account__player_id to_kind=to_account__kind amount_minor",
    ),
    part(
        "luck",
        lambda user: LuckOfPlayer.objects.filter(
            player__in=players_of_account(user), season__points_only=False
        ).order_by("pk"),
        "club=season__club__slug season=season__slug evening_id player_id hands actual_minor expected_minor low_minor "
        "high_minor spread_minor calls",
    ),
    part(
        "payments",
        lambda user: (
            Payment.objects.filter(
                Q(payer__player__in=players_of_account(user)) | Q(payee__player__in=players_of_account(user))
            )
            .annotate(stored_at=Coalesce("closing__created_at", "fee_share__fee__created_at"))
            .order_by("stored_at", "number")
        ),
        "id=pk club=payer__club__slug evening_id=closing__evening_id closing=closing__number "
        "payer_id=payer__player_id payee_id=payee__player_id amount_minor fee_year=fee_share__year",
    ),
    part(
        "kitty_entries",
        lambda user: KittyEntry.objects.filter(
            Q(player__in=players_of_account(user)) | Q(posting__author=user)
        ).order_by("posting__created_at"),
        "id=pk club=club__slug day at=posting__created_at player_id",
    ),
    part(
        "member_fees",
        lambda user: MemberFeeShare.objects.filter(player__in=players_of_account(user)).order_by("pk"),
        "id=pk club=fee__club__slug player_id year name=fee__name day=fee__day amount_minor undone_at",
    ),
    part(
        "member_fees_booked",
        lambda user: MemberFee.objects.filter(author=user).order_by("created_at"),
        "id=pk club=club__slug year name day amount_minor at=created_at",
    ),
    part(
        "bank_entries",
        lambda user: BankEntry.objects.filter(player__in=players_of_account(user)).order_by("pk"),
        "id=pk club=club__slug player_id day amount_minor",
    ),
    part(
        "season_reopenings",
        lambda user: (
            SeasonReopening.objects.filter(author=user)
            .annotate(own_reason=personal_data_rows.own_free_text(user))
            .order_by("pk")
        ),
        "id=pk club=season__club__slug season=season__slug reason=own_reason at",
    ),
    part(
        "sent_bills",
        lambda user: SentBill.objects.filter(player__in=players_of_account(user)).order_by("created_at"),
        "id=pk club=club__slug player_id first last amount_minor state at=created_at",
    ),
    part(
        "receipts",
        lambda user: ReceiptName.objects.filter(player__in=players_of_account(user)).order_by("pk"),
        "club=receipt__club__slug receipt=receipt__number player_id name digest=receipt__digest",
    ),
    part(
        "receipts_opened",
        lambda user: ReceiptOpening.objects.filter(player__in=players_of_account(user)).order_by("pk"),
        "club=receipt__club__slug receipt=receipt__number player_id count first_at last_at",
    ),
    part(
        "invitations",
        personal_data_rows.invitations,
        "id=pk club=club__slug whose note=own_note role created_at expires_at used_at revoked_at",
    ),
    part(
        "merges",
        personal_data_rows.merges,
        "id=pk club=club__slug at=created_at reason=own_reason player_id main_id joined",
    ),
    part(
        "evenings_opened",
        lambda user: Evening.nights.filter(opened_by=user).order_by("pk"),
        "id=pk club=club__slug season=season__slug at=created_at number held_on game",
    ),
    part(
        "closings",
        lambda user: Closing.objects.filter(author=user).order_by("created_at"),
        "id=pk club=evening__club__slug at=created_at evening_id number kind pot reason",
    ),
    part(
        "postings",
        lambda user: Posting.objects.filter(author=user).order_by("created_at"),
        "id=pk club=club__slug at=created_at evening_id source revision reason",
    ),
    part(
        "house_rules",
        lambda user: HouseRules.objects.filter(author=user).order_by("pk"),
        "id=pk club=club__slug at=created_at game version",
    ),
    part(
        "webhooks",
        lambda user: Webhook.objects.filter(author=user).order_by("created_at"),
        "id=pk club=club__slug at=created_at url events active removed_at",
    ),
    part(
        "admin",
        lambda user: LogEntry.objects.filter(user=user).order_by("pk"),
        "at=action_time kind=content_type__model thing=object_id did=action_flag",
    ),
    part(
        "log",
        personal_data_rows.log,
        "club=club__slug token=own_key at actor_id what about data",
    ),
]
"""All parts of the export. The games add theirs (`games.integrity.privacy`)."""


def archive(user: User, parts: Iterable[Part] | None = None) -> Iterator[bytes]:
    """Yield the bytes of the zip: `data.json` with everything, and `<name>.csv` for each part."""
    chosen = list(PARTS if parts is None else parts)
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as packed:
        with packed.open("data.json", "w") as file:
            for text in _as_json(user, chosen):
                file.write(text.encode())
                yield from pipe.taken()
        for part in chosen:
            with packed.open(f"{part.name}.csv", "w") as file:
                for text in _as_csv(user, part):
                    file.write(text.encode())
                    yield from pipe.taken()
    yield from pipe.taken()


def logged_archive(user: User) -> Iterator[bytes]:
    """Return `archive` for the person's own download, and add an entry to the audit logs of the person's clubs."""
    audit.write_for_person(What.EXPORTED, person=user, actor=user, data={"file": "person"})
    return archive(user)


def _rows(user: User, part: Part) -> Iterator[dict[str, Any]]:
    rows = part.rows(user)
    if part.computed is not None:
        yield from (dict(row) for row in map(part.computed, rows) if row is not None)
        return
    # The key makes the order of the rows unique.
    order = (*(str(path) for path in rows.query.order_by if path != "pk"), "pk")
    for row in keyset.each(rows.values(*{*part.columns.values(), *order}), order):
        yield {column: row[path] for column, path in part.columns.items()}


def _as_json(user: User, parts: Iterable[Part]) -> Iterator[str]:
    yield f'{{"of": {user.pk}, "at": {json.dumps(timezone.now().astimezone(UTC).isoformat())}'
    for part in parts:
        yield f",\n{json.dumps(part.name)}: ["
        for number, row in enumerate(_rows(user, part)):
            yield (",\n " if number else "\n ") + json.dumps(row, default=_plain, ensure_ascii=False)
        yield "]"
    yield "}\n"


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, date | datetime) else str(value)


def _as_csv(user: User, part: Part) -> Iterator[str]:
    yield ",".join(part.columns) + "\r\n"
    for row in _rows(user, part):
        yield line(_text(row[column]) for column in part.columns)


def _text(value: object) -> object:
    return json.dumps(value) if isinstance(value, dict | list) else value
