"""Makes the admin with the second factor the server's admin."""

from django.contrib.admin.apps import AdminConfig


class SecondFactorAdminConfig(AdminConfig):
    default_site = "league.accounts.admin_second_factor.SecondFactorAdminSite"
