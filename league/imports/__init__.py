"""Evenings from a file: read it, choose its columns, match its names, preview, import, and undo the import."""
