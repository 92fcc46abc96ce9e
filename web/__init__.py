"""The program: command line, page, API, live loop, journal."""
