"""Static files with a hash of the content in their names, also in imports of ES modules; each also compressed."""

from collections.abc import Iterator
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

# No page uses these files; Django would take the `import` lines in their comments for imports of files.
UNUSED = ("django_htmx/ext/",)


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    support_js_module_import_aggregation = True
    # Each pass settles the names of one more layer of imports. It stops as soon as no name changes.
    max_post_process_passes = 30

    def post_process(self, paths: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
        used = {path: found for path, found in paths.items() if not path.startswith(UNUSED)}
        yield from super().post_process(used, *args, **kwargs)
