"""Sessions on disk: where they are, what is in them, and who has them open."""
