"""The game at the table: cards, rules, following, the session. No IO: neither cv2, nor flask, nor the clock."""
