"""Entries as lines of styled cells. Pure: no app, no clock, no IO."""
