"""Settings, read from the environment alone. docs/deploy.md lists the variables."""

import tomllib
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from league.config import environment, logs, queues, sentry

BASE_DIR = Path(__file__).resolve().parent.parent.parent
PRODUCT_NAME = "Chratzete"
PROJECT = tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PRODUCT_VERSION: str = PROJECT["version"]

env = environ.Env()

# --- Data, keys and databases ----------------------------------------------------------------------------
DEBUG = env.bool("DEBUG", default=False)
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var"))).resolve()
# Who was forgotten, outside the database: a restored backup has them again.
FORGOTTEN_FILE = Path(env.str("FORGOTTEN_FILE", default=str(DATA_DIR / "forgotten"))).resolve()
# With less free space on its disk `/readyz` answers 503.
FREE_DISK_MB = env.int("FREE_DISK_MB", default=64)
SECRET_KEY = env.str("SECRET_KEY", default="") or environment.stored_secret(DATA_DIR / "secret_key")
# Earlier keys: links, cookies and second factors that were signed or encrypted with them stay valid.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
REDIS_URL = env.str("REDIS_URL", default="")
# Without Redis the worker and its scheduler run inside the web process.
EMBEDDED = not REDIS_URL
# A process beside the web server (`manage.py stream`) tells phones when there is something new. It needs Redis.
STREAM = bool(REDIS_URL) and env.bool("STREAM", default=False)
# On the host of the pages: the proxy passes it on to that process.
STREAM_PATH = "/stream/"
# The streams of one process, and those of one person and of one address.
STREAMS_MAX = env.int("STREAMS_MAX", default=10_000)
STREAMS_PER_PERSON = env.int("STREAMS_PER_PERSON", default=10)
STREAMS_PER_ADDRESS = env.int("STREAMS_PER_ADDRESS", default=500)

DATABASE_URL = f"sqlite:///{DATA_DIR / 'db.sqlite3'}"
DATABASES = {"default": environment.database(env.db_url("DATABASE_URL", default=DATABASE_URL))}
if env.str("DATABASE_REPLICA_URL", default=""):
    DATABASES["replica"] = environment.replica(env.db_url("DATABASE_REPLICA_URL"), DATABASES["default"])
    DATABASE_ROUTERS = ["league.replica.ReplicaRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Apps, middleware, templates and API -----------------------------------------------------------------
INSTALLED_APPS = [
    "league.config.admin.SecondFactorAdminConfig",
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
    "league.request_ids.RequestIdMiddleware",
    "league.monitoring.requests_measured.MeasuringMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "league.config.middleware.HeadersMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "league.web.kept_pages.KeptPages",
    "league.web.page_versions.VersionedPages",
    "league.privacy.cache_headers.PrivateByDefault",
    "league.web.compression.CompressionMiddleware",
    "league.config.health.HealthMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "league.config.middleware.BodyLimitMiddleware",
    "league.api.refused_keys.RefusedKeys",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "league.config.sign_in_required.SignInRequiredMiddleware",
    "league.web.switched_off.SwitchedOffMiddleware",
    "league.web.suspended.SuspendedMiddleware",
    "league.web.drawn_limits.DrawnLimits",
    "allauth.account.middleware.AccountMiddleware",
    "league.accounts.middleware.SeenMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "league.web.kept_pages.NoticesMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "league.web.browser_outbox.StoredMiddleware",
    "league.replica.ReplicaMiddleware",
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
                "league.web.browser_outbox.outbox_user",
                "league.web.app_shell.app",
            ],
        },
    },
]
# The number of proxies in front of the service; each adds an address to X-Forwarded-For. With 0 the header is ignored.
PROXIES = environment.proxies(env.str("BEHIND_PROXY", default="0"))
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["league.api.parsing.StrictJSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "league.api.authentication.KeyAuthentication",
        "league.api.authentication.BrowserAuthentication",
    ],
    # Refuses everybody until a view names its audience.
    "DEFAULT_PERMISSION_CLASSES": ["league.api.defaults.Nobody"],
    "DEFAULT_THROTTLE_CLASSES": ["league.api.throttles.PersonThrottle"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "league.api.defaults.OnlyJSON",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "league.api.schema.ApiSchema",
    "EXCEPTION_HANDLER": "drf_standardized_errors.handler.exception_handler",
    "NUM_PROXIES": PROXIES,
    "UPLOADED_FILES_USE_URL": False,
}
DRF_STANDARDIZED_ERRORS = {
    "EXCEPTION_HANDLER_CLASS": "league.api.exception_handler.Handler",
    "EXCEPTION_FORMATTER_CLASS": "league.api.exception_handler.Formatter",
}
# Requests per minute: of one API key, of one user with all keys and browsers, of one address without both.
API_LIMITS = {
    "key": {"read": 600, "write": 120},
    "person": {"read": 1200, "write": 240},
    "address": {"read": 120, "write": 30},
}
# Pictures and PDFs that are drawn a minute: for one person, for one address without a session, and for one club (its
# visitors and its people apart).
DRAWN_LIMITS = {"person": 60, "address": 30, "club": 240}
SPECTACULAR_SETTINGS = {
    "TITLE": PRODUCT_NAME,
    "DESCRIPTION": _("Everything that the pages do, for programs."),
    "VERSION": PRODUCT_VERSION,
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SORT_OPERATIONS": False,
    # Enums stay in the fields that use them: fields of the same name have different choices.
    "POSTPROCESSING_HOOKS": [],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": True,
}

# The prefix of an API key lets secret scanners recognise a leaked key.
KNOX_TOKEN_MODEL = "league.ApiToken"  # noqa: S105 - the name of a model
REST_KNOX = {"TOKEN_MODEL": "league.ApiToken", "TOKEN_PREFIX": "chz_", "AUTH_HEADER_PREFIX": "Bearer"}
# Creates no table for knox's own token model.
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
    {"NAME": "league.accounts.breached_passwords.BreachedPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

HTTPS = env.bool("HTTPS", default=False)
# Who opens a club in the browser: everybody with an account ("yes"), the same after the operator confirmed it
# ("ask"), or the operator alone ("no").
CLUBS_OPEN = environment.clubs_open(env.str("CLUBS_OPEN", default=""), https=HTTPS)
# If False, signing up needs an invitation.
SIGNUP_OPEN = env.bool("SIGNUP_OPEN", default=CLUBS_OPEN != "no")
# The address for people who want a club; the start page shows it.
CONTACT_MAIL = env.str("CONTACT_MAIL", default="")
# Without a mail server no codes and links are sent, and a new mail address is not confirmed.
MAIL_ON = bool(env.str("EMAIL_URL", default=""))
globals().update(env.email_url("EMAIL_URL", default="dummymail://"))
EMAIL_TIMEOUT = 10
EMAIL_SUBJECT_PREFIX = ""
# Who gets a mail when regular work fails, and the address of a dead man's switch.
ADMINS = [("", mail) for mail in env.list("ADMINS", default=[])]
PING_URL = env.str("PING_URL", default="").rstrip("/")
# Whoever sends this text may read `/metrics`; without it there is no such page.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
if METRICS_TOKEN:
    # Mails are counted on their way to the backend of EMAIL_URL.
    MAIL_BACKEND, EMAIL_BACKEND = globals()["EMAIL_BACKEND"], "league.monitoring.counted_mail.CountedMail"
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("MAIL_FROM", default="chratzete@localhost")
# Mails to players that come back go to this address, with `+` and a text of its own for each mail.
BOUNCES_TO = env.str("BOUNCES_TO", default="")

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
    # Passwords have other limits (league.accounts.sign_in_limits): this one would lock out the owner, too.
    "login": None,
    # For codes of the second factor only.
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
    "request_login_code": "league.accounts.forms.CodeRequestForm",
    "confirm_login_code": "league.accounts.forms.CodeForm",
    "confirm_email_verification_code": "league.accounts.forms.MailCodeForm",
}
MFA_ADAPTER = "league.accounts.adapters.FactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = PRODUCT_NAME
# Clocks of phones differ: the codes of one step before and after are valid, too.
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

# --- Language and formats --------------------------------------------------------------------------------
LANGUAGE_CODE = "de"
LANGUAGES = [("de", _("German")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["league.config.formats"]
USE_I18N = True
USE_TZ = True
# Off, so that numbers in addresses and forms have no separators. Filters add them to amounts and counts.
USE_THOUSAND_SEPARATOR = False
TIME_ZONE = env.str("TIME_ZONE", default="Europe/Zurich")

# --- Static files ----------------------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"] if (BASE_DIR / "static").is_dir() else []
# Files that browsers and search engines look for at fixed addresses: /favicon.ico, /robots.txt.
WHITENOISE_ROOT = BASE_DIR / "public"
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG
# Each page loads one file of scripts (`make scripts`), or the modules themselves while they are worked on.
BUNDLED = not DEBUG
# The templates of the pages that a phone keeps, with those that they extend and include, and further static files.
PHONE_PAGES = (
    "offline.html",
    "games/table/*.html",
    "games/evening/new.html",
    "games/hand_worth/page.html",
    "games/help/page.html",
    "games/night/*.html",
    "league/pub_screen/screen.html",
)
PHONE_FILES = (
    *(f"cards/{pack}.svg" for pack in ("french", "french-de", "german", "swiss")),
    "icon.svg",
    "vendor/inter/inter-latin-wght-normal.woff2",
    "vendor/inter/inter-latin-ext-wght-normal.woff2",
)
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

# --- Hosts, HTTPS, cookies and headers -------------------------------------------------------------------
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
# The beginning of absolute links, independent of the request. If empty, the host of the request, one of those above.
BASE_URL = environment.base_url(env.str("BASE_URL", default=""), ALLOWED_HOSTS, https=HTTPS)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = HTTPS
# The choice outlives the browser's session.
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
# A supervisor calls them on the machine itself, without the proxy that does TLS.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=30 * 24 * 3600) if HTTPS else 0
# Only the owner of the domain can decide for its other names (W005, W021).
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_SUBDOMAINS", default=False)
# `HeadersMiddleware` sets X-Frame-Options (W002).
SILENCED_SYSTEM_CHECKS = ["security.W002", "security.W005", "security.W021"]
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Pages may keep the screen awake, copy, and use passkeys. Features without a name here keep the browser's default
# (web-share among them: a Chromium that does not know the name would log a warning).
PERMISSIONS_POLICY = ", ".join(
    [
        *(f"{name}=(self)" for name in ("screen-wake-lock", "clipboard-write")),
        *(f"{name}=(self)" for name in ("publickey-credentials-get", "publickey-credentials-create")),
        *(f"{name}=()" for name in ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope")),
        *(f"{name}=()" for name in ("magnetometer", "microphone", "midi", "payment", "usb", "serial", "hid")),
    ]
)
# The header is trusted only behind a proxy that sets it and removes it from clients' requests.
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
# A full hand record is below 4 KiB; no request needs more than this.
MAX_BODY_BYTES = 64 * 1024
# Only imports, by page and by API, bank statements and the logo take a file.
MAX_FILE_BYTES = 8 * 1024 * 1024
# The middleware for bodies has the limit of each address; Django has one for all, and a body of the API may be a file.
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_FILE_BYTES
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500

# --- Workers ---------------------------------------------------------------------------------------------
# A request that sends a task waits for the broker for one second at most, and does not try again.
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
        # A message is delivered again only if its worker died: longer than any task, and than a stop of a worker.
        "visibility_timeout": 2 * queues.LONGEST_SECONDS,
    }
    if REDIS_URL
    else {"polling_interval": 0.05}
)
WORKER_TRANSPORT_OPTIONS = {"socket_timeout": 30.0, "max_retries": None} if REDIS_URL else {}
CELERY_TASK_QUEUES = queues.declared()
CELERY_TASK_DEFAULT_QUEUE = queues.BULK
CELERY_TASK_ROUTES = queues.routes()
CELERY_TASK_ANNOTATIONS = queues.limits()
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# On SIGQUIT, which the units send, tasks have this time to end; what is left is put back into its queue.
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 30.0
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = TIME_ZONE
# The schedule is fixed and short: no file with the last runs is needed.
CELERY_BEAT_SCHEDULER = "league.jobs.clock:TakingTurns"
# Shorter than the turn of a clock (`league.jobs.clock`).
CELERY_BEAT_MAX_LOOP_INTERVAL = 3
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "league.jobs.tasks.sweep", "schedule": 10.0, "options": {"expires": 10.0}},
    "api-tidy": {"task": "league.api.tasks.tidy", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "large-files-tidy": {"task": "league.large_files.tasks.tidy", "schedule": 900.0, "options": {"expires": 900.0}},
    "privacy-tidy": {"task": "league.privacy.tasks.tidy", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "practice-tidy": {"task": "league.club_admin.tasks.tidy", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "webhooks-tidy": {"task": "league.webhooks.tasks.tidy", "schedule": 3600.0, "options": {"expires": 3600.0}},
}

# --- Retention -------------------------------------------------------------------------------------------
# Days after an invitation was used, withdrawn or expired, and after an API key expired. Players: see Club.
KEEP_INVITATIONS_DAYS = env.int("KEEP_INVITATIONS_DAYS", default=90)
KEEP_KEYS_DAYS = env.int("KEEP_KEYS_DAYS", default=90)
# Days after the operator decided about a club that somebody asked for.
KEEP_CLUB_REQUESTS_DAYS = env.int("KEEP_CLUB_REQUESTS_DAYS", default=14)
# Days after its creation on which a practice club is deleted.
PRACTICE_CLUB_DAYS = env.int("PRACTICE_CLUB_DAYS", default=14)

# --- Webhooks --------------------------------------------------------------------------------------------
# Off, so that a club's owner cannot make the server send requests into its own network.
WEBHOOKS_PRIVATE = env.bool("WEBHOOKS_PRIVATE", default=False)
# For trials: push services of devices in an own network, and without TLS.
PUSH_PRIVATE = env.bool("PUSH_PRIVATE", default=False)
WEBHOOKS_HTTP = env.bool("WEBHOOKS_HTTP", default=False)
WEBHOOKS_KEEP_DAYS = env.int("WEBHOOKS_KEEP_DAYS", default=30)

# Counters and limits in one, rendered pages in the other.
CACHES = {
    name: (
        {
            "BACKEND": f"league.config.cache.{redis_cache}",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": REDIS_PREFIX + prefix,
            "OPTIONS": {
                "socket_timeout": BROKER_TIMEOUT_SECONDS,
                "socket_connect_timeout": BROKER_TIMEOUT_SECONDS,
            },
        }
        if REDIS_URL
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": prefix, "OPTIONS": own}
    )
    for name, redis_cache, prefix, own in (
        ("default", "ForgivingRedisCache", "cache", environment.OWN_CACHE),
        ("pages", "ForgivingPageCache", "pages", environment.OWN_PAGES),
    )
}

LOGGING = logs.configure(env.str("LOG_FORMAT", default="json"), env.str("LOG_LEVEL", default="INFO"))

# The address of a project on a server of Sentry, which gets errors without names and amounts.
SENTRY_DSN = env.str("SENTRY_DSN", default="")
if SENTRY_DSN:
    sentry.begin(SENTRY_DSN, release=f"chratzete@{PRODUCT_VERSION}")
