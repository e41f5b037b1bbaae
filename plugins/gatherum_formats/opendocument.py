"""OpenDocument."""
