"""Who comes to a planned evening: the answers, and the links with which players answer without an account.
`docs/attendance.md`."""
