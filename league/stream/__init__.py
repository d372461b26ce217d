"""The event stream: a process of its own tells phones when their page has something new, so that they need not poll.

It is an ASGI application of its own beside Django's: ten thousand streams would hold as many requests of Django with
all their middlewares. Django checks the rights of each stream once, at its beginning (`rights.py`).
"""
