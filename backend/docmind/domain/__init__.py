"""Shared words: frozen dataclasses and pure functions. No I/O, no vendor."""
