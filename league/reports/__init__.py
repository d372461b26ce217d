"""Reports on a season, an evening, a player and the club's money: one set of tables as page, PDF, XLSX and CSV.

`report.py` defines a report, `files.py` makes the files, `pages.py` answers a request with the requested form. `feeds/`
has the files for other programs: calendar, Atom feed, and standings to embed.
"""
