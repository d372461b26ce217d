"""The paper sheet of a table: print it, and type its hands back in, one line a hand."""
