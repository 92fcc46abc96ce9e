"""Rendered cards and tables."""
