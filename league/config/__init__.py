"""Configuration: settings, addresses, middleware, the Celery app, and the entry points of the servers."""
