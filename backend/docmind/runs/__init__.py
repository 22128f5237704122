"""Durable work: runs, their event log and the workflows that start flows."""
