"""The terminal: taking it, reading it, lending it, giving it back; and the clipboard behind it."""
