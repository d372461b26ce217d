"""Addresses of the pages of evenings and tables."""

from django.urls import URLPattern, URLResolver, include, path

from league.features import feature_patterns

from .cards import entry_views as card_entry_views
from .cards import paste_views as card_paste_views
from .cards import picture_views as card_picture_views
from .cards import views as card_views
from .disputes import views as dispute_views
from .evening import exports, new_views, picture_views
from .evening import report as evening_report
from .evening import views as evening_views
from .hand_worth import views as hand_worth_views
from .help import handouts
from .help import views as help_views
from .opening import request_views as club_request_views
from .opening import views as opening_views
from .paper import views as paper
from .pot_splitter import views as pot_splitter_views
from .practice import views as practice_views
from .rules import views as rules
from .seating import views as seating
from .table import live_views, night_shell
from .table import views as table_views

HAND = "c/<slug:club>/t/<int:table>/h/<int:number>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("games.corrections.urls")),
    path("", include("games.closing.urls")),
    path("", include("games.night.urls")),
    path("help/", help_views.help_list, name="help"),
    path("help/words/", help_views.help_words, name="help-words"),
    path("help/handout/", handouts.handout, name="help-handout"),
    path("help/<slug:page>/", help_views.help_page, name="help-page"),
    path("calculator/", pot_splitter_views.calculator, name="calculator"),
    path("hand-worth/", hand_worth_views.hand_worth, name="hand-worth"),
    path("clubs/asked/", club_request_views.asked, name="club-asked"),
    path("clubs/requests/", club_request_views.requests, name="club-requests"),
    path("clubs/practice/", practice_views.practice, name="club-practice"),
    path("clubs/new/", opening_views.opening, name="club-open"),
    path("clubs/new/<slug:step>/", opening_views.opening, name="club-open"),
    path("c/<slug:club>/handouts/", handouts.club_handouts, name="club-handouts"),
    path("c/<slug:club>/e/new/", new_views.evening_new, name="evening-new"),
    path("c/<slug:club>/night/<slug:game>/", night_shell.night_table, name="night-table"),
    path("c/<slug:club>/t/<int:table>/", table_views.table, name="table"),
    path("c/<slug:club>/t/<int:table>/preview/", table_views.table_preview, name="table-preview"),
    path("c/<slug:club>/t/<int:table>/live/", live_views.table_live, name="table-live"),
    path("c/<slug:club>/t/<int:table>/pencil/", live_views.table_pencil, name="table-pencil"),
    path("c/<slug:club>/t/<int:table>/seating/", seating.table_seating, name="table-seating"),
    path("c/<slug:club>/t/<int:table>/void/", table_views.hand_void, name="hand-void"),
    path("c/<slug:club>/t/<int:table>/h/<int:number>/", table_views.hand_paid, name="hand-paid"),
    path("c/<slug:club>/e/<int:evening>/", evening_views.evening, name="evening"),
    path("c/<slug:club>/e/<int:evening>/live/", evening_views.evening_live, name="evening-live"),
    path("c/<slug:club>/e/<int:evening>/picture.png", picture_views.evening_drawn, name="evening-picture"),
    path("c/<slug:club>/e/<int:evening>/record/", evening_views.evening_record, name="evening-record"),
    path("c/<slug:club>/e/<int:evening>/report/", evening_report.report, name="evening-report"),
    path("c/<slug:club>/e/<int:evening>/hands.csv", exports.hands_csv, name="hands-csv"),
    path("c/<slug:club>/e/<int:evening>/sheet.pdf", paper.sheet, name="evening-sheet"),
    path("c/<slug:club>/n/<str:code>/", paper.table_of_sheet, name="sheet-code"),
    path("c/<slug:club>/t/<int:table>/type/", paper.type_back, name="hand-type"),
    path("c/<slug:club>/t/<int:table>/type/preview/", paper.preview, name="hand-type-preview"),
    path("c/<slug:club>/rules/", rules.contract, name="rules"),
    path("c/<slug:club>/rules/change/", rules.change, name="rules-change"),
    path("c/<slug:club>/rules/replay/", rules.season_replay, name="rules-replay"),
    *feature_patterns(
        "cards",
        path(HAND + "through/", card_views.play_through, name="hand-through"),
        path(HAND + "picture.png", card_picture_views.hand_drawn, name="hand-picture"),
        path("c/<slug:club>/t/<int:table>/cards/", card_entry_views.cards, name="hand-cards"),
        path("c/<slug:club>/t/<int:table>/paste/", card_paste_views.paste, name="hand-paste"),
        path("c/<slug:club>/faces/", card_views.faces, name="club-faces"),
    ),
    *feature_patterns(
        "disputes",
        path(HAND + "dispute/", dispute_views.hand_dispute, name="hand-dispute"),
        path("c/<slug:club>/disputes/", dispute_views.club_disputes, name="club-disputes"),
    ),
]
