"""The state of one conversation as a value, and the pure fold that moves it on. No IO, no clock, no UI."""
