"""The paper twin of a table: a sheet to print, and the way back from it, one typed line a hand."""
