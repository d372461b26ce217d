"""The product's settings for tests: data in a folder of this run, cheap passwords, no collected files."""

import atexit
import os
import shutil
import tempfile

if "CHRATZETE_TEST_DIR" not in os.environ:
    # The parent of a parallel run sets it for all its workers and is the one to clear it away.
    os.environ["CHRATZETE_TEST_DIR"] = tempfile.mkdtemp(prefix="chratzete-test-")
    atexit.register(shutil.rmtree, os.environ["CHRATZETE_TEST_DIR"], ignore_errors=True)
os.environ["DATA_DIR"] = os.environ["CHRATZETE_TEST_DIR"]
os.environ["SECRET_KEY"] = "only-for-tests-" + "0123456789" * 5
os.environ.setdefault("LOG_LEVEL", "WARNING")
# A Redis that others use too must not see our keys among theirs.
os.environ.setdefault("REDIS_PREFIX", f"chratzete-test-{os.getpid()}:")

from league.config.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
