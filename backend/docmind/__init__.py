"""DocMind: a research agent that reads documents page by page and cites what it read."""

__version__ = "0.1.0"
