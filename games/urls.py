"""Addresses of the tables: recording here, an evening's reading pages in `games.pages`."""

from django.urls import URLPattern, URLResolver, include, path

from . import calculator, dispute_pages, exports, full, live, pages, views
from .night import views as night
from .paper import views as paper
from .rules import views as rules

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("games.mending.urls")),
    path("", include("games.closing.urls")),
    path("calculator/", calculator.calculator, name="calculator"),
    path("c/<slug:club>/e/new/", views.evening_new, name="evening-new"),
    path("c/<slug:club>/t/<int:table>/", views.table, name="table"),
    path("c/<slug:club>/t/<int:table>/preview/", views.table_preview, name="table-preview"),
    path("c/<slug:club>/t/<int:table>/live/", live.table_live, name="table-live"),
    path("c/<slug:club>/t/<int:table>/pencil/", live.table_pencil, name="table-pencil"),
    path("c/<slug:club>/t/<int:table>/night/", night.night, name="table-night"),
    path("c/<slug:club>/t/<int:table>/void/", views.hand_void, name="hand-void"),
    path("c/<slug:club>/t/<int:table>/h/<int:number>/", views.hand_paid, name="hand-paid"),
    path("c/<slug:club>/t/<int:table>/h/<int:number>/through/", full.through, name="hand-through"),
    path("c/<slug:club>/t/<int:table>/h/<int:number>/dispute/", dispute_pages.hand_dispute, name="hand-dispute"),
    path("c/<slug:club>/disputes/", dispute_pages.club_disputes, name="club-disputes"),
    path("c/<slug:club>/t/<int:table>/cards/", full.cards, name="hand-cards"),
    path("c/<slug:club>/t/<int:table>/paste/", full.paste, name="hand-paste"),
    path("c/<slug:club>/faces/", full.faces, name="club-faces"),
    path("c/<slug:club>/e/<int:evening>/", pages.evening, name="evening"),
    path("c/<slug:club>/e/<int:evening>/live/", pages.evening_live, name="evening-live"),
    path("c/<slug:club>/e/<int:evening>/record/", pages.evening_record, name="evening-record"),
    path("c/<slug:club>/e/<int:evening>/hands.csv", exports.hands_csv, name="hands-csv"),
    path("c/<slug:club>/e/<int:evening>/sheet.pdf", paper.sheet, name="evening-sheet"),
    path("c/<slug:club>/n/<str:code>/", paper.night, name="night"),
    path("c/<slug:club>/t/<int:table>/type/", paper.type_back, name="hand-type"),
    path("c/<slug:club>/t/<int:table>/type/preview/", paper.preview, name="hand-type-preview"),
    path("c/<slug:club>/rules/", rules.contract, name="rules"),
    path("c/<slug:club>/rules/change/", rules.change, name="rules-change"),
    path("c/<slug:club>/rules/replay/", rules.season_replay, name="rules-replay"),
]
