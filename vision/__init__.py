"""The eye: from frames to a stable view of the cards on the table."""
