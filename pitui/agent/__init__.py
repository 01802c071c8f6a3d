"""The agent as pitui sees it: its start, the conversation with it, what it knows and what waits for it."""
