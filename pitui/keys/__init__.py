"""Keys by id: the agent's own and pitui's, and the files in which people change them."""
