"""Static files under names that carry their content's hash, ES module imports included."""

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage


class HashedStaticFilesStorage(ManifestStaticFilesStorage):
    support_js_module_import_aggregation = True
