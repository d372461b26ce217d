"""Static files with a hash of the content in their names; each also compressed."""

from collections.abc import Iterator
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

# No page uses these files: modules are in the one file of each screen (`scripts/bundles.py`); `package.json` tells Node
# that they are modules.
UNUSED = ("django_htmx/ext/", "js/", "vendor/idb/", "vendor/lean-qr/", "package.json")
USED = ("js/first_paint.js",)


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    def post_process(self, paths: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
        used = {path: source for path, source in paths.items() if path in USED or not path.startswith(UNUSED)}
        yield from super().post_process(used, *args, **kwargs)
