"""How well a real game is followed from the camera: ``make bench-following``.

Sixty deals are drawn up (``deals``), filmed on the virtual table (``filmed``), followed by the very watcher of
``mournival watch`` (``followed``), and what it saw is held against the truth (``judgement``).
"""
