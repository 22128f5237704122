"""Thin HTTP: check input, call one flow or one store, shape output."""
