"""Addresses of accounts. Only views of allauth that are listed here can be reached."""

from allauth.account import views as account
from allauth.mfa.base import views as factors
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
from django.urls import path, re_path

from ..web.compression import shows_secret
from .first_account_views import set_up
from .invitation_views import join
from .views import (
    PasskeySignIn,
    PasswordChange,
    SignIn,
    SignUp,
    leave,
    needs_mail,
    own_account,
    sessions,
    sign_in_by_link,
)

sign_in = SignIn.as_view()

urlpatterns = [
    path("setup/", set_up, name="set-up"),
    path("login/", sign_in, name="login"),
    path("login/", sign_in, name="account_login"),
    path("logout/", account.logout, name="logout"),
    path("logout/", account.logout, name="account_logout"),
    path("login/code/", needs_mail(account.request_login_code), name="account_request_login_code"),
    path("login/code/confirm/", account.confirm_login_code, name="account_confirm_login_code"),
    path("login/link/<str:token>/", sign_in_by_link, name="login-link"),
    path("login/passkey/", PasskeySignIn.as_view(), name="mfa_login_webauthn"),
    path("login/factor/", factors.authenticate, name="mfa_authenticate"),
    path("signup/", SignUp.as_view(), name="account_signup"),
    path("signup/mail/", account.email_verification_sent, name="account_email_verification_sent"),
    path("password/", needs_mail(account.password_reset), name="account_reset_password"),
    path("password/sent/", account.password_reset_done, name="account_reset_password_done"),
    path("password/done/", account.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    re_path(
        r"^password/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        shows_secret(account.password_reset_from_key),
        name="account_reset_password_from_key",
    ),
    path("join/", shows_secret(join), name="join-opened"),
    path("join/<str:token>/", shows_secret(join), name="join"),
    path("account/", own_account, name="account"),
    path("account/inactive/", account.account_inactive, name="account_inactive"),
    path("account/again/", account.reauthenticate, name="account_reauthenticate"),
    path("account/mail/", needs_mail(account.email), name="account_email"),
    path("account/password/", PasswordChange.as_view(), name="account_change_password"),
    path("account/password/first/", account.password_set, name="account_set_password"),
    path("account/sessions/", sessions, name="usersessions_list"),
    path("c/<slug:club>/leave/", leave, name="club-leave"),
    path("account/factors/", factors.index, name="mfa_index"),
    path("account/factors/again/", factors.reauthenticate, name="mfa_reauthenticate"),
    path("account/factors/app/", shows_secret(totp.activate_totp), name="mfa_activate_totp"),
    path("account/factors/app/off/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("account/factors/codes/", shows_secret(codes.view_recovery_codes), name="mfa_view_recovery_codes"),
    path("account/factors/codes/new/", shows_secret(codes.generate_recovery_codes), name="mfa_generate_recovery_codes"),
    path(
        "account/factors/codes/file/", shows_secret(codes.download_recovery_codes), name="mfa_download_recovery_codes"
    ),
    path("account/passkeys/", webauthn.list_webauthn, name="mfa_list_webauthn"),
    path("account/passkeys/add/", webauthn.add_webauthn, name="mfa_add_webauthn"),
    path("account/passkeys/again/", webauthn.reauthenticate_webauthn, name="mfa_reauthenticate_webauthn"),
    path("account/passkeys/<int:pk>/remove/", webauthn.remove_webauthn, name="mfa_remove_webauthn"),
    path("account/passkeys/<int:pk>/name/", webauthn.edit_webauthn, name="mfa_edit_webauthn"),
]
