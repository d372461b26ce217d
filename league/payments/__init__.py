"""Payments that settle an evening, and those that are outstanding."""
