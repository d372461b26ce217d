"""What a shared link shows: a drawn picture for each public page. Its tags are in `league/templatetags/sharing.py`."""
