"""Statistics of a season with their uncertainty: who declares and joins from where, and how often it goes well."""
