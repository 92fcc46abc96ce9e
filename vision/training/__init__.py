"""How the networks are made: card art, rendered scenes, photographs, training, export. Needs the ``training`` extra."""
