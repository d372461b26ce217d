"""The product's settings for tests: data in a folder of this run, cheap passwords, no collected files."""

import atexit
import os
import shutil
import tempfile

if "CHRATZETE_TEST_DIR" not in os.environ:
    # The first process of a run sets it for all its others and is the one to clear it away. In memory
    # where there is such a place: what tests commit need not reach a disk.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    os.environ["CHRATZETE_TEST_DIR"] = tempfile.mkdtemp(prefix="chratzete-test-", dir=memory)
    os.environ["CHRATZETE_TEST_RUN"] = str(os.getpid())
    atexit.register(shutil.rmtree, os.environ["CHRATZETE_TEST_DIR"], ignore_errors=True)
os.environ["DATA_DIR"] = os.environ["CHRATZETE_TEST_DIR"]
os.environ["SECRET_KEY"] = "only-for-tests-" + "0123456789" * 5
os.environ.setdefault("LOG_LEVEL", "WARNING")
# Mails become files, so that a test reads what another process sent; within a test Django keeps them in memory.
os.environ.setdefault("EMAIL_URL", "filemail:///" + os.environ["CHRATZETE_TEST_DIR"] + "/mail")
# Neither another run on the same Redis nor this run's parallel half may see these messages.
RUN, HALF = os.environ["CHRATZETE_TEST_RUN"], os.environ.get("PYTEST_XDIST_WORKER", "")
os.environ["REDIS_PREFIX"] = f"chratzete-test-{RUN}{HALF}:"

from league.config.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
if "TEST_API_WRITES" in os.environ:
    # For races and floods: so many writes a minute and asker, without a limit where it is 0.
    API_LIMITS = {who: {"read": 0, "write": int(os.environ["TEST_API_WRITES"])} for who in API_LIMITS}  # noqa: F405
if "TEST_BODY_BYTES" in os.environ:
    # A server that takes bodies of any size, for the tests' twins without that guard.
    MAX_BODY_BYTES = DATA_UPLOAD_MAX_MEMORY_SIZE = int(os.environ["TEST_BODY_BYTES"])
if "TEST_MIDDLEWARE" in os.environ:
    MIDDLEWARE = [os.environ["TEST_MIDDLEWARE"], *MIDDLEWARE]  # noqa: F405
