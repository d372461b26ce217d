"""The API's frame and the league's resources. Games add theirs on the same frame; docs/api.md tells how it behaves."""
