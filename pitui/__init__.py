"""pitui: a terminal front-end for the coding agent pi, over its RPC mode."""

__version__ = "0.1.0"
