"""The frame of the API and the league's resources. The games add theirs on it; docs/api.md describes it."""
