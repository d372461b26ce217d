"""Entries of a kitty, and the taps on the treasurer's pages."""

from __future__ import annotations

import io
import uuid

from django.utils import timezone
from PIL import Image, ImageDraw
from playwright.sync_api import Page

from games.closing.services import debts_mark, evening_close
from league.large_files.services import file_ask
from league.logo.services import logo_set
from league.member_fees.services import NewFee, fee_book
from league.models import Club, LargeFile, Payment, Player, Season, User
from league.treasury.billing_account import billing_set
from league.treasury.services import NewEntry, kitty_book, kitty_undo
from league.treasury.statement_files import statements_of
from tests.factories import FAILED, MADE, create_table, enter
from tests.screens.screen import Screen, World


def build(club: Club, owner: User) -> None:
    """Book income and expenses of a kitty; one entry is undone."""
    today = timezone.localdate()
    anna = Player.objects.get(club=club, nickname="Anna")
    entries = (
        NewEntry("brought", 245_000, "Contributions of the whole year, as the annual meeting decided", today),
        NewEntry("spent", 1250, "Two decks of cards", today, anna.pk),
        NewEntry("spent", 99_900, "Typed wrongly", today),
    )
    billing_set(
        club=club,
        actor=owner,
        values={
            "name": club.name,
            "street": "Dorfstrasse",
            "house_number": "3a",
            "postcode": "3555",
            "town": "Trubschachen",
            "country": "CH",
            "iban": "CH9300762011623852957",
            "least_minor": 10,
        },
    )
    booked = [kitty_book(club=club, author=owner, key=uuid.uuid4(), entry=entry) for entry in entries]
    kitty_undo(club=club, author=owner, key=uuid.uuid4(), entry_id=booked[-1].pk)


def build_fees(club: Club, owner: User) -> World:
    """Book a member fee for all players, of whom some have paid; return its key for the addresses."""
    today = timezone.localdate()
    players = list(Player.objects.filter(club=club, active=True, main=None).order_by("nickname"))
    who, amounts = [player.pk for player in players], {players[0].pk: 2500}
    new = NewFee(today.year, f"Member fee {today.year}", 12_000, today, who, amounts)
    fee = fee_book(club=club, author=owner, key=uuid.uuid4(), fee=new)
    paid = list(Payment.objects.filter(fee_share__fee=fee).values_list("pk", flat=True)[:2])
    debts_mark(club=club, author=owner, key=uuid.uuid4(), numbers=paid, way="twint")
    return {"fee": str(fee.pk)}


def previewed(page: Page) -> None:
    """Fill in the next year and show who would owe what."""
    page.fill("#id_amount_minor", "50")
    page.fill("#id_year", str(timezone.localdate().year + 1))
    page.locator(".fee-people summary").tap()
    for box in page.locator("input[name=player]").all()[:3]:
        box.check()
    page.locator("button[value=preview]").tap()
    page.wait_for_selector("button[value=book]")


def build_bill(club: Club, owner: User) -> None:
    """Close an evening whose pot goes to the kitty, so that somebody has a bill: the owner, as one of its players."""
    season = Season.objects.get(club=club, slug="2026")
    table = create_table(club=club, season=season, author=owner, held_on=timezone.localdate())
    for record in (MADE, FAILED):
        enter(table, record, author=owner)
    evening_close(evening=table.evening, author=owner, key=uuid.uuid4(), pot="kitty")
    debtor = statements_of(club, None, None).found[0].player_id
    Player.objects.filter(pk=debtor).update(user=owner)


def build_logo(club: Club, owner: User) -> None:
    """Give a club a logo: a disc with a sheet in it."""
    image = Image.new("RGBA", (600, 600), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.ellipse((10, 10, 590, 590), fill="#8c2f39")
    draw.rounded_rectangle((190, 130, 410, 470), 30, fill="#f6f1e7")
    file = io.BytesIO()
    image.save(file, "PNG")
    logo_set(club=club, actor=owner, content=file.getvalue())


def build_files(club: Club, owner: User) -> None:
    """Ask for a large file in each state."""
    season = Season.objects.filter(club=club).first()
    for form, values in (
        ("pdf", {"state": "failed", "fault": "broken"}),
        ("xlsx", {"state": "making", "rows": 120_000, "rows_done": 43_210}),
        ("xlsx", {"state": "ready", "size": 4_321_000}),
    ):
        file = file_ask(
            club=club,
            asker=owner,
            kind="season-report" if form == "pdf" else "results",
            subject=season.pk if season else 0,
            form=form,
            options={},
            language="en" if values["state"] == "making" else "de",
        )
        LargeFile.objects.filter(pk=file.pk).update(**values)


def unfolded(page: Page) -> None:
    """Unfold the hidden parts of the page."""
    for summary in page.locator("main details:not(.more-menu) > summary").all():
        summary.tap()


TREASURY = (
    Screen("treasury", "treasury", "/c/krone/treasury/"),
    Screen("treasury-book", "treasury", "/c/krone/treasury/", act=unfolded),
    Screen("treasury-entries", "treasury", "/c/krone/treasury/?undone=1", act=unfolded),
    Screen("treasury-none", "treasury", "/c/ochsen/treasury/?book=payments"),
    Screen("treasury-payments", "treasury", "/c/roessli/treasury/?book=payments"),
    Screen("treasury-statements", "treasury-statements", "/c/krone/treasury/statements/"),
    Screen("treasury-billing", "treasury-billing", "/c/krone/treasury/statements/account/"),
    Screen("treasury-report", "treasury-report", "/c/krone/treasury/report/"),
    Screen("treasury-bank", "treasury-bank", "/c/krone/treasury/bank/"),
    Screen("bills-send", "bills-send", "/c/krone/treasury/statements/send/"),
    Screen("bills-send-none", "bills-send", "/c/ochsen/treasury/statements/send/"),
    Screen("bill-mine", "bill-mine", "/c/krone/bill/"),
    Screen("member-fees", "member-fees", "/c/krone/treasury/fees/"),
    Screen("member-fees-none", "member-fees", "/c/ochsen/treasury/fees/"),
    Screen("member-fee-new", "member-fee-new", "/c/krone/treasury/fees/new/", act=unfolded),
    Screen("member-fee-preview", "member-fee-new", "/c/krone/treasury/fees/new/", act=previewed),
    Screen("member-fee", "member-fee", "/c/krone/treasury/fees/{fee}/", act=unfolded),
    Screen("treasury-ledger", "treasury-ledger", "/c/krone/treasury/ledger/"),
    Screen("treasury-ledger-none", "treasury-ledger", "/c/ochsen/treasury/ledger/?to=1999-01-01"),
    Screen("treasury-year", "treasury-year", "/c/krone/treasury/year/"),
    Screen("club-logo", "club-logo", "/c/krone/logo/"),
    Screen("club-logo-none", "club-logo", "/c/ochsen/logo/"),
    Screen("large-files", "club-files", "/c/krone/files/"),
    Screen("large-files-none", "club-files", "/c/ochsen/files/"),
    Screen("treasury-balances", "treasury-balances", "/c/krone/treasury/balances/", act=unfolded),
)
