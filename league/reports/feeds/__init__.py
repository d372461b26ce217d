"""The feeds of a club: a calendar of its evenings, an Atom feed of results, standings to embed or JSON.

A feed is the same for everybody: it shows public names, and amounts only if the club publishes them. That of a private
club is opened by a secret link, which the owners can renew.
"""
