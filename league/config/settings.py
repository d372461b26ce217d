"""Settings, read from the environment alone. docs/deploy.md lists the variables."""

from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from league.config import environment, logs

BASE_DIR = Path(__file__).resolve().parent.parent.parent
PRODUCT_NAME = "Chratzete"
PRODUCT_VERSION = "0.1.0"

env = environ.Env()

# --- Where things are kept -------------------------------------------------------------------------------
DEBUG = env.bool("DEBUG", default=False)
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var"))).resolve()
SECRET_KEY = env.str("SECRET_KEY", default="") or environment.kept_secret(DATA_DIR / "secret_key")
# Keys from before: links, cookies and second factors made under them go on to hold.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
REDIS_URL = env.str("REDIS_URL", default="")
# Without Redis the worker and its clock live inside the web process.
EMBEDDED = not REDIS_URL

DATABASE_URL = f"sqlite:///{DATA_DIR / 'db.sqlite3'}"
DATABASES = {"default": environment.database(env.db_url("DATABASE_URL", default=DATABASE_URL))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- What it is made of ----------------------------------------------------------------------------------
INSTALLED_APPS = [
    "league.config.admin.BackRoomConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "rest_framework",
    "drf_spectacular",
    "knox",
    "csp",
    "django_htmx",
    "template_partials",
    "league.apps.LeagueConfig",
    "games.apps.GamesConfig",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "league.config.middleware.HeadersMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "league.privacy.headers.PrivateByDefault",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "league.config.middleware.BodyLimitMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "league.config.door.DoorMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "league.accounts.middleware.SeenMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "league.outbox.StoredMiddleware",
]
ROOT_URLCONF = "league.config.urls"
WSGI_APPLICATION = "league.config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "league.config.context.product",
            ],
        },
    },
]
# How many proxies stand before the service, each of which adds the address it saw to X-Forwarded-For. With none,
# nothing that a client says about its address is believed.
PROXIES = environment.proxies(env.str("BEHIND_PROXY", default="0"))
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["league.api.parsing.StrictJSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "league.api.authentication.KeyAuthentication",
        "league.api.authentication.BrowserAuthentication",
    ],
    # Closed until a view says whom it is for.
    "DEFAULT_PERMISSION_CLASSES": ["league.api.defaults.Nobody"],
    "DEFAULT_THROTTLE_CLASSES": ["league.api.throttles.MinuteThrottle", "league.api.throttles.PersonThrottle"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "league.api.defaults.OnlyJSON",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "league.api.schema.ApiSchema",
    "EXCEPTION_HANDLER": "drf_standardized_errors.handler.exception_handler",
    "NUM_PROXIES": PROXIES,
    "UPLOADED_FILES_USE_URL": False,
}
DRF_STANDARDIZED_ERRORS = {
    "EXCEPTION_HANDLER_CLASS": "league.api.handler.Handler",
    "EXCEPTION_FORMATTER_CLASS": "league.api.handler.Formatter",
}
# Requests a minute of one key, of one person with all keys and browsers, and of one address without either.
API_LIMITS = {
    "key": {"read": 600, "write": 120},
    "person": {"read": 1200, "write": 240},
    "address": {"read": 120, "write": 30},
}
SPECTACULAR_SETTINGS = {
    "TITLE": PRODUCT_NAME,
    "DESCRIPTION": _("Everything that the pages do, for programs."),
    "VERSION": PRODUCT_VERSION,
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SORT_OPERATIONS": False,
    # Choices stand where they are used: one word has other choices elsewhere.
    "POSTPROCESSING_HOOKS": [],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": True,
}

# A program's key says in its first letters whose it is, so that a leaked one is found by those who search for such.
KNOX_TOKEN_MODEL = "league.ApiToken"  # noqa: S105 - the name of a model
REST_KNOX = {"TOKEN_MODEL": "league.ApiToken", "TOKEN_PREFIX": "chz_", "AUTH_HEADER_PREFIX": "Bearer"}
# Its own table is not wanted beside ours.
MIGRATION_MODULES = {"knox": None}

# --- People ----------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "league.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "league.accounts.breached.BreachedPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

# Whether anybody may make an account. Otherwise an invitation is needed.
SIGNUP_OPEN = env.bool("SIGNUP_OPEN", default=False)
# Without a mail server nothing is sent: no codes, no links, and a new mail address is believed as it was typed.
MAIL_ON = bool(env.str("EMAIL_URL", default=""))
globals().update(env.email_url("EMAIL_URL", default="dummymail://"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("MAIL_FROM", default="chratzete@localhost")

ACCOUNT_ADAPTER = "league.accounts.adapters.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if MAIL_ON else "none"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = MAIL_ON
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_EMAIL_NOTIFICATIONS = MAIL_ON
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 15 * 60
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 10 * 60
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_RATE_LIMITS = {
    # Passwords have limits of their own (league.accounts.limits): these would lock the owner out with the attacker.
    "login": None,
    # Codes of the second factor alone.
    "login_failed": "10/m/ip,5/5m/key",
    "request_login_code": "20/5m/ip,4/15m/key",
    "reset_password": "20/5m/ip,4/15m/key",
    "signup": "20/m/ip",
}
ACCOUNT_FORMS = {
    "login": "league.accounts.forms.SignInForm",
    "signup": "league.accounts.forms.SignUpForm",
    "add_email": "league.accounts.forms.MailForm",
    "change_password": "league.accounts.forms.PasswordChangeForm",
    "set_password": "league.accounts.forms.PasswordSetForm",
    "reset_password": "league.accounts.forms.ResetForm",
    "reset_password_from_key": "league.accounts.forms.ResetKeyForm",
    "reauthenticate": "league.accounts.forms.AgainForm",
    "request_login_code": "league.accounts.forms.CodeAskForm",
    "confirm_login_code": "league.accounts.forms.CodeForm",
    "confirm_email_verification_code": "league.accounts.forms.MailCodeForm",
}
MFA_ADAPTER = "league.accounts.adapters.FactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = PRODUCT_NAME
# Clocks of phones differ: one step before and after holds as well.
MFA_TOTP_TOLERANCE = 1
MFA_ALLOW_UNVERIFIED_EMAIL = not MAIL_ON
MFA_FORMS = {
    "authenticate": "league.accounts.forms.FactorForm",
    "reauthenticate": "league.accounts.forms.FactorAgainForm",
    "activate_totp": "league.accounts.forms.AppForm",
    "add_webauthn": "league.accounts.forms.PasskeyForm",
    "edit_webauthn": "league.accounts.forms.PasskeyNameForm",
}
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES

# --- Language and form -----------------------------------------------------------------------------------
LANGUAGE_CODE = "de"
LANGUAGES = [("de", _("German")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["league.config.formats"]
USE_I18N = True
USE_TZ = True
# Off: a number in an address or a form is a number. Amounts and counts are parted by their own filters.
USE_THOUSAND_SEPARATOR = False
TIME_ZONE = env.str("TIME_ZONE", default="Europe/Zurich")

# --- Static files ----------------------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"] if (BASE_DIR / "static").is_dir() else []
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG
            else "league.config.static.HashedStaticFilesStorage"
        )
    },
}

# --- The door --------------------------------------------------------------------------------------------
HTTPS = env.bool("HTTPS", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
# What every whole link begins with, whatever a request says of its host. Empty: the host, which is one of those above.
BASE_URL = environment.base_url(env.str("BASE_URL", default=""), ALLOWED_HOSTS, https=HTTPS)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
# A supervisor asks on the machine itself, past the proxy that does TLS.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=30 * 24 * 3600) if HTTPS else 0
# Whether the domain's other names speak HTTPS is their owner's to say, not this service's (W005, W021).
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_SUBDOMAINS", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# What a page may use of the device: it keeps the screen awake, copies, and asks for a passkey. What is not named keeps
# the browser's own rule (sharing among it: not every Chromium knows its name, and those that do not would warn).
PERMISSIONS_POLICY = ", ".join(
    [
        *(f"{name}=(self)" for name in ("screen-wake-lock", "clipboard-write")),
        *(f"{name}=(self)" for name in ("publickey-credentials-get", "publickey-credentials-create")),
        *(f"{name}=()" for name in ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope")),
        *(f"{name}=()" for name in ("magnetometer", "microphone", "midi", "payment", "usb", "serial", "hid")),
    ]
)
# Only where a proxy is known to set (and to strip from clients) the header may it be believed.
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "object-src": [NONE],
        "frame-ancestors": [NONE],
    }
}
# A full hand record is under 4 KiB; nothing that anyone sends is larger than this.
MAX_BODY_BYTES = 64 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500

# --- Workers ---------------------------------------------------------------------------------------------
# Who publishes is answering a person: a wait on the broker is a second at most, and nothing is tried twice.
BROKER_TIMEOUT_SECONDS = 1.0
REDIS_PREFIX = env.str("REDIS_PREFIX", default="chratzete:")
CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_BROKER_CONNECTION_TIMEOUT = BROKER_TIMEOUT_SECONDS
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {
        "global_keyprefix": REDIS_PREFIX,
        "socket_timeout": BROKER_TIMEOUT_SECONDS,
        "socket_connect_timeout": BROKER_TIMEOUT_SECONDS,
        "socket_keepalive": True,
        "retry_on_timeout": False,
        "max_retries": 0,
        # Longer than any task: a message is delivered again only when its worker died.
        "visibility_timeout": 600,
    }
    if REDIS_URL
    else {"polling_interval": 0.05}
)
WORKER_TRANSPORT_OPTIONS = {"socket_timeout": 30.0, "max_retries": None} if REDIS_URL else {}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = TIME_ZONE
# The schedule is fixed and short: a file that remembers the last run would only be one more thing to write.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_BEAT_MAX_LOOP_INTERVAL = 5
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "league.tasks.sweep", "schedule": 10.0, "options": {"expires": 10.0}},
    "api-tidy": {"task": "league.api.tidy", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "privacy-tidy": {"task": "league.privacy.tidy", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "hooks-tidy": {"task": "league.hooks.tidy", "schedule": 3600.0, "options": {"expires": 3600.0}},
}

# --- How long things are kept ----------------------------------------------------------------------------
# After an invitation was used, taken back or ran out, and after a program's key ran out. Players: see Club.
KEEP_INVITATIONS_DAYS = env.int("KEEP_INVITATIONS_DAYS", default=90)
KEEP_KEYS_DAYS = env.int("KEEP_KEYS_DAYS", default=90)

# --- Webhooks --------------------------------------------------------------------------------------------
# Off: a club's owner must not make this machine ask what only its own network may.
HOOKS_PRIVATE = env.bool("HOOKS_PRIVATE", default=False)
HOOKS_HTTP = env.bool("HOOKS_HTTP", default=False)
HOOKS_KEEP_DAYS = env.int("HOOKS_KEEP_DAYS", default=30)

CACHES = {
    "default": (
        {
            "BACKEND": "league.config.cache.ForgivingRedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": REDIS_PREFIX + "cache",
            "OPTIONS": {
                "socket_timeout": BROKER_TIMEOUT_SECONDS,
                "socket_connect_timeout": BROKER_TIMEOUT_SECONDS,
            },
        }
        if REDIS_URL
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    )
}

LOGGING = logs.configure(env.str("LOG_FORMAT", default="json"), env.str("LOG_LEVEL", default="INFO"))
