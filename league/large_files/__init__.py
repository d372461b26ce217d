"""Large files: a worker makes them, the page shows how far it is, a signed link gives them for a day.

`kinds.py` knows which files there are, `services.py` asks for one, makes it and removes it, `parts.py` stores it.
"""
