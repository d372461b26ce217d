"""How the product is put together: settings, addresses, the Celery app and the servers' entry points."""
