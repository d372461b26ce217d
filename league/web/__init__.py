"""Common parts of pages: polling, CSV downloads, the browser outbox, QR codes, error pages, club navigation."""
