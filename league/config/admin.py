"""Which admin the server has: the one behind a second factor."""

from django.contrib.admin.apps import AdminConfig


class BackRoomConfig(AdminConfig):
    default_site = "league.accounts.back_room.BackRoom"
