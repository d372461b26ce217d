"""Addresses of imports."""

from django.urls import path

from ..features import feature_patterns
from . import views

CLUB = "c/<slug:club>/imports/"
UPLOAD = CLUB + "new/<uuid:upload>/"

urlpatterns = feature_patterns(
    "imports",
    path(CLUB, views.imports, name="imports"),
    path(CLUB + "samples/<slug:kind>.<slug:form>", views.import_sample, name="import-sample"),
    path(UPLOAD + "columns/", views.import_columns, name="import-columns"),
    path(UPLOAD + "names/", views.import_names, name="import-names"),
    path(UPLOAD + "preview/", views.import_preview, name="import-preview"),
    path(CLUB + "<uuid:stored>/", views.import_done, name="import"),
)
