"""The games, one file each, in the one shape that ``game.py`` describes."""
