"""The pot splitter: an evening stored in its address, for everybody, without an account."""
