"""Reports on a season, an evening, a player and the club's money: one set of tables as page, PDF, XLSX and CSV.

`report.py` says what a report is, `files.py` makes the files, `pages.py` answers a request with the form it asks for.
`feeds/` has what other programs read: calendar, Atom feed, and standings to embed.
"""
