"""The product's settings for tests: data in a folder of this run, cheap passwords, no collected files."""

import os

from tests import run_folder

if "CHRATZETE_TEST_DIR" not in os.environ:
    # The first process of a run sets it for all its others and removes it at its end.
    os.environ["CHRATZETE_TEST_DIR"] = str(run_folder.make())
    os.environ["CHRATZETE_TEST_RUN"] = str(os.getpid())
os.environ["DATA_DIR"] = os.environ["CHRATZETE_TEST_DIR"]
os.environ["SECRET_KEY"] = "only-for-tests-" + "0123456789" * 5
os.environ.setdefault("LOG_LEVEL", "WARNING")
os.environ.setdefault("CLUBS_OPEN", "1")
os.environ.setdefault("SIGNUP_OPEN", "0")
# Mails of other processes become files that a test can read; in the test's own process Django keeps them in memory.
os.environ.setdefault("EMAIL_URL", "filemail:///" + os.environ["CHRATZETE_TEST_DIR"] + "/mail")
# Neither another run on the same Redis nor another process of this run may receive these messages.
RUN, WORKER = os.environ["CHRATZETE_TEST_RUN"], os.environ.get("PYTEST_XDIST_WORKER", "")
os.environ["REDIS_PREFIX"] = f"chratzete-test-{RUN}{WORKER}:"

from league.config.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
# Tests reach into the modules of a page. What production serves is tested with collected files, and on every screen.
BUNDLED = False
if "TEST_CACHE_PREFIX" in os.environ:
    # Each test has its own keys in the cache; the processes that it starts use the same ones.
    CACHES["default"]["KEY_PREFIX"] = os.environ["TEST_CACHE_PREFIX"]  # noqa: F405
if "TEST_API_WRITES" in os.environ:
    # For races and floods: the writes allowed in a minute; 0 is no limit.
    API_LIMITS = {who: {"read": 0, "write": int(os.environ["TEST_API_WRITES"])} for who in API_LIMITS}  # noqa: F405
if "TEST_SOFT_STOP" in os.environ:
    # The seconds that a worker which is stopped gives its tasks.
    CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = float(os.environ["TEST_SOFT_STOP"])
if "TEST_BODY_BYTES" in os.environ:
    # A larger limit of the body size, for tests that remove this guard.
    MAX_BODY_BYTES = DATA_UPLOAD_MAX_MEMORY_SIZE = int(os.environ["TEST_BODY_BYTES"])
if "TEST_VERSION" in os.environ:
    # Another version of the app on a phone.
    PRODUCT_VERSION = os.environ["TEST_VERSION"]
if "TEST_STATIC" in os.environ:
    # Static files in place of those of the product, for tests that remove a guard of the phone.
    STATICFILES_DIRS = [os.environ["TEST_STATIC"], *STATICFILES_DIRS]  # noqa: F405
if "TEST_COLLECTED" in os.environ:
    # Static files as production serves them, collected in this folder under their hashed names.
    STATIC_ROOT = os.environ["TEST_COLLECTED"]
    STORAGES["staticfiles"]["BACKEND"] = "league.config.static.HashedStaticFilesStorage"
    WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = False
    BUNDLED = True
if "TEST_CLOCK" in os.environ:
    # The clock of this process is so many seconds ahead, or behind.
    import time

    import time_machine

    time_machine.travel(time.time() + float(os.environ["TEST_CLOCK"]), tick=True).start()
if "TEST_MIDDLEWARE" in os.environ:
    # After the middleware that gives each request its id.
    MIDDLEWARE = [MIDDLEWARE[0], os.environ["TEST_MIDDLEWARE"], *MIDDLEWARE[1:]]  # noqa: F405
if "TEST_ANY_REPLICA" in os.environ:
    # Pages read from a replica however old it is, for a test of the guard.
    from league import replica

    replica._has_caught_up = lambda: True
