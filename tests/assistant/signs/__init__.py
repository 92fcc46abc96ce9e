"""Tests of the games' signs."""
