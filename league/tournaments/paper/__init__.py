"""The paper of a tournament: PDF files."""
