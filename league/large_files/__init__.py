"""Large files: a worker makes them, the page shows the progress, a signed link opens them for a day.

`kinds.py` registers the kinds, `services.py` requests, makes and removes files, `store.py` stores them.
"""
