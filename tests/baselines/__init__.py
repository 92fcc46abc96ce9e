"""What the product is measured against: other ways to recognise cards, made as well as they are usually made."""
