"""Static files under names that carry their content's hash, ES module imports included."""

from collections.abc import Iterator
from typing import Any

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage

# Their comments show `import` lines of a bundler, which Django takes for imports of files; no page uses them.
UNUSED = ("django_htmx/ext/",)


class HashedStaticFilesStorage(ManifestStaticFilesStorage):
    support_js_module_import_aggregation = True

    def post_process(self, paths: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
        used = {path: found for path, found in paths.items() if not path.startswith(UNUSED)}
        yield from super().post_process(used, *args, **kwargs)
