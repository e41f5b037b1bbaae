"""Serve a shelf to editors over the Model Context Protocol."""
