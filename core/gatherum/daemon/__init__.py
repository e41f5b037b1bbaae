"""One process for each shelf that answers all editors, and the small program that each editor starts to reach it.

`address`, `client` and `proxy` use the standard library only: they are all that an editor's own process loads.
"""
