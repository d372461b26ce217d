"""The product's addresses, and a bare view that does nothing behind the same middleware."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.urls import path

from league.config import urls as product
from league.config.urls import handler400, handler403, handler404, handler429, handler500

__all__ = ["handler400", "handler403", "handler404", "handler429", "handler500", "urlpatterns"]

BARE = "bare view"


@login_not_required
def bare(request: HttpRequest) -> HttpResponse:
    return HttpResponse(BARE)


urlpatterns = [path("bench/bare", bare), *product.urlpatterns]
