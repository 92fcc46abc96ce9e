"""Hints: what a seat may do, ranked by what it can expect of it."""
