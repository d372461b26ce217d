"""The drawn picture of each public page, for shared links. Its tags are in `league/templatetags/sharing.py`."""
